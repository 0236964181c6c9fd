import type { PageRules } from '../extract-settings.ts';
import type { PageElement } from './page-tree.ts';
import { maySay, SAYS } from './telling-attributes.ts';
import type { PageWork } from './work.ts';

export type BlockRule = 'include' | 'exclude';
/** The rule that holds within an element, and whether the operator gave it. */
export type HeldRule = { readonly rule: BlockRule; readonly byOperator: boolean };

/** The rule within `element`, from the one around it. */
export type ReadRule = (element: PageElement, outer: HeldRule | undefined) => HeldRule | undefined;

const INCLUDED: HeldRule = { rule: 'include', byOperator: true };
const EXCLUDED: HeldRule = { rule: 'exclude', byOperator: true };
const MARKED: HeldRule = { rule: 'include', byOperator: false };

/** The innermost rule counts, `exclude` first where both name an element; what the operator says beats marks. */
export function ruleReader({ include, exclude }: PageRules, work: PageWork): ReadRule {
  return (element, outer) => {
    if (exclude?.(element, work) === true) return EXCLUDED;
    if (include?.(element, work) === true) return INCLUDED;
    return readMarks(element, outer);
  };
}

/** Without settings of an operator. */
export function readMarks(element: PageElement, outer: HeldRule | undefined): HeldRule | undefined {
  return maySay(element, SAYS.include) && outer?.byOperator !== true ? MARKED : outer;
}
