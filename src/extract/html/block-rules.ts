import type { PageRules } from '../extract-settings.ts';
import { ATTRIBUTE_BITS, mayHave } from './attribute-bits.ts';
import type { PageElement } from './page-tree.ts';
import type { SelectablePage } from './selectors.ts';

export type BlockRule = 'include' | 'exclude';
/** The rule that holds within an element, and whether the operator gave it. */
export type InheritedRule = { readonly rule: BlockRule; readonly byOperator: boolean };

/** The rule within `element`, from the one around it. */
export type ReadRule = (element: PageElement, outer: InheritedRule | undefined) => InheritedRule | undefined;

const INCLUDED: InheritedRule = { rule: 'include', byOperator: true };
const EXCLUDED: InheritedRule = { rule: 'exclude', byOperator: true };
const MARKED: InheritedRule = { rule: 'include', byOperator: false };

/** The innermost rule counts, `exclude` first where both name an element; what the operator says beats marks. */
export function ruleReader({ include, exclude }: PageRules, page: SelectablePage): ReadRule {
  if (include === undefined && exclude === undefined) return readMarks;
  const excluded = exclude && page.select(exclude);
  const included = include && page.select(include);
  return (element, outer) => {
    if (excluded?.has(element) === true) return EXCLUDED;
    if (included?.has(element) === true) return INCLUDED;
    return readMarks(element, outer);
  };
}

/** Without settings of an operator. */
export function readMarks(element: PageElement, outer: InheritedRule | undefined): InheritedRule | undefined {
  return mayHave(element, ATTRIBUTE_BITS.include) && outer?.byOperator !== true ? MARKED : outer;
}
