import { foldText, type PageElement, textOf, walkTree } from './page-tree.ts';
import type { PageWork } from './work.ts';

/** Values of a path on a page, in document order, of at most `limit` elements. None when the page's work is used up. */
export type XPath = (
  root: PageElement,
  options: { readonly work: PageWork; readonly limit: number },
) => readonly string[];

type Predicate = (element: PageElement, place: { readonly position: number; readonly last: number }) => boolean;

type Step = {
  /** `//`: below at any depth, else directly below. */
  readonly isDeep: boolean;
  /** `*`: any. */
  readonly name: string;
  readonly predicates: readonly Predicate[];
};

type Reading = (element: PageElement) => readonly string[];

const STEP = /(\/\/?)([a-z_][\w.-]*(?::[\w.-]+)?|\*)(?![\w.(:-])/iy;
const LAST = /(\/\/?)(?:@([a-z_][\w.:-]*)|(text|string)\(\))\s*$/iy;
const PREDICATES: readonly (readonly [RegExp, (parts: RegExpExecArray) => Predicate])[] = [
  [/\[\s*(\d{1,6})\s*\]/y, ([, number]) => atPlace(Number(number))],
  [/\[\s*last\(\)\s*\]/y, () => isLast],
  [/\[\s*@([\w.:-]+)\s*\]/y, ([, name = '']) => hasAttribute(name)],
  [
    /\[\s*@([\w.:-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")\s*\]/y,
    ([, name = '', ...value]) => attributeIs(name, first(value)),
  ],
  [
    /\[\s*contains\(\s*@([\w.:-]+)\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*\]/y,
    ([, name = '', ...value]) => attributeHas(name, first(value)),
  ],
  [/\[\s*contains\(\s*text\(\)\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*\]/y, ([, ...value]) => textHas(first(value))],
];

/**
 * Compiles a part of XPath 1.0: `/`, `//`, names and `*`, the predicates `[n]`, `[last()]`, `[@a]`, `[@a='v']`,
 * `[contains(@a,'v')]`, `[contains(text(),'v')]`, and at the end `@a`, `text()` or `string()`.
 * @throws SyntaxError that names the place of anything else
 */
export function compileXPath(text: string): XPath {
  const source = text.trim();
  const steps: Step[] = [];
  let at = 0;
  const take = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(source);
    if (found !== null) at = expression.lastIndex;
    return found;
  };
  let read: Reading = (element) => [textOf(element)];
  while (at < source.length) {
    const ending = take(LAST);
    if (ending !== null) {
      read = readingOf(ending);
      if (ending[1] === '//') steps.push({ isDeep: true, name: '*', predicates: [] });
      break;
    }
    const [, slashes, name = ''] = take(STEP) ?? [];
    if (slashes === undefined) throw notUnderstood(source, at);
    steps.push({ isDeep: slashes === '//', name: name.toLowerCase(), predicates: takePredicates(take) });
    if (at < source.length && source[at] !== '/') throw notUnderstood(source, at);
  }
  if (steps.length === 0) throw notUnderstood(source, 0);
  return (root, { work, limit }) => {
    const found = selectSteps(root, steps, work).slice(0, limit);
    return found.flatMap((element) => read(element));
  };
}

function takePredicates(take: (expression: RegExp) => RegExpExecArray | null): readonly Predicate[] {
  const predicates: Predicate[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const [expression, predicateOf] of PREDICATES) {
      const parts = take(expression);
      if (parts === null) continue;
      predicates.push(predicateOf(parts));
      found = true;
    }
  }
  return predicates;
}

function notUnderstood(source: string, at: number): SyntaxError {
  const rest = source.slice(at, at + 20);
  const what = rest === '' ? 'ends too early' : `cannot be read at ${JSON.stringify(rest)}`;
  return new SyntaxError(`${what} (character ${at + 1})`);
}

function readingOf([, , attribute, kind]: RegExpExecArray): Reading {
  if (attribute !== undefined) {
    const name = attribute.toLowerCase();
    return ({ attributes }) => (Object.hasOwn(attributes, name) ? [attributes[name] ?? ''] : []);
  }
  return kind?.toLowerCase() === 'text' ? ownTexts : (element) => [textOf(element)];
}

/** Runs of text directly below an element: what stands between two elements is one, entities or not. */
function ownTexts({ children }: PageElement): readonly string[] {
  const runs: string[] = [];
  let open = false;
  for (const child of children) {
    if (typeof child !== 'string') open = false;
    else if (open) runs.push((runs.pop() ?? '') + child);
    else open = runs.push(child) > 0;
  }
  return runs.map(foldText).filter((text) => text !== '');
}

/** Elements in document order. O(nodes) per step with `//`, else O(elements found). */
function selectSteps(root: PageElement, steps: readonly Step[], work: PageWork): readonly PageElement[] {
  let found: readonly PageElement[] = [root];
  let isOrdered = true;
  for (const step of steps) {
    const parents = step.isDeep ? withDescendants(found, work) : found;
    isOrdered &&= !step.isDeep;
    found = parents.flatMap((parent) => (work.visit(parent.children.length) ? childrenOf(parent, step) : []));
  }
  return isOrdered || found.length < 2 ? found : inDocumentOrder(root, new Set(found), work);
}

function childrenOf({ children }: PageElement, { name, predicates }: Step): readonly PageElement[] {
  const isNamed = (child: PageElement | string): child is PageElement =>
    typeof child !== 'string' && (name === '*' || child.name === name);
  return predicates.reduce<readonly PageElement[]>(
    (elements, predicate) =>
      elements.filter((element, index) => predicate(element, { position: index + 1, last: elements.length })),
    children.filter(isNamed),
  );
}

function withDescendants(elements: readonly PageElement[], work: PageWork): readonly PageElement[] {
  const all = new Set<PageElement>();
  for (const element of elements) {
    walkTree(element, {
      isDone: () => !work.visit(1),
      enter: (inner) => {
        // One that is known brought its descendants.
        if (all.has(inner)) return false;
        all.add(inner);
        return undefined;
      },
    });
  }
  return [...all];
}

function inDocumentOrder(root: PageElement, found: ReadonlySet<PageElement>, work: PageWork): readonly PageElement[] {
  const ordered: PageElement[] = [];
  walkTree(root, {
    isDone: () => !work.visit(1),
    enter: (element) => {
      if (found.has(element)) ordered.push(element);
      return undefined;
    },
  });
  return ordered;
}

function atPlace(wanted: number): Predicate {
  return (_, { position }) => position === wanted;
}

function isLast(_: PageElement, { position, last }: { readonly position: number; readonly last: number }): boolean {
  return position === last;
}

function hasAttribute(name: string): Predicate {
  return ({ attributes }) => Object.hasOwn(attributes, name.toLowerCase());
}

function attributeIs(name: string, value: string): Predicate {
  return ({ attributes }) => attributes[name.toLowerCase()] === value;
}

function attributeHas(name: string, value: string): Predicate {
  return ({ attributes }) => attributes[name.toLowerCase()]?.includes(value) === true;
}

function textHas(value: string): Predicate {
  return (element) => ownTexts(element).some((text) => text.includes(value));
}

function first(values: readonly (string | undefined)[]): string {
  return values.find((value) => value !== undefined) ?? '';
}
