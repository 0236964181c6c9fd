import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { compilePattern } from '../patterns/linear-pattern.ts';
import { valueOfMatch } from '../patterns/pattern-values.ts';
import { foldText, type PageElement, textOf, walkTree } from './page-tree.ts';
import { compileSelectors, type SelectablePage } from './selectors.ts';
import type { DataItem, JsonValue } from './structured-data.ts';
import type { PageWork } from './work.ts';

export const FIELD_SOURCES = ['selector', 'xpath', 'meta', 'header', 'jsonLd', 'url', 'constant'] as const;

/** Where the values of a field come from: exactly one member but `attribute`, which goes with `selector`. */
export type FieldSourceRule = {
  readonly selector?: string | undefined;
  /** Of the selected elements; without one their text. */
  readonly attribute?: string | undefined;
  readonly xpath?: string | undefined;
  /** `name` or `property` of a meta element; of a file the name of a property. */
  readonly meta?: string | undefined;
  /** Name of a header of the response. */
  readonly header?: string | undefined;
  /** `Product.offers[].price`, `*.author.name`. */
  readonly jsonLd?: string | undefined;
  /** An expression on the URL. */
  readonly url?: string | undefined;
  readonly constant?: string | undefined;
};

/** What rules read from. */
export type FieldContext = {
  readonly kind: 'page' | 'file';
  readonly url: string;
  /** URL that relative ones are resolved against. */
  readonly base: string;
  /** Undefined for files. */
  readonly root: PageElement | undefined;
  /** The same for selectors. */
  readonly page: SelectablePage | undefined;
  /** By lower-case name. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly items: readonly DataItem[];
  readonly work: PageWork;
};

export type ReadField = (context: FieldContext) => readonly string[];

const limit = EXTRACT_LIMITS.ruleValues;

/** @throws Error that says what is wrong with a selector, path or expression */
export function compileFieldSource(rule: FieldSourceRule): ReadField {
  const { selector, attribute, xpath, meta, header, jsonLd, url, constant = '' } = rule;
  if (selector !== undefined) return selected(selector, attribute);
  if (xpath !== undefined) return onPath(xpath);
  if (meta !== undefined) return ({ metas }) => (metas.get(meta.toLowerCase()) ?? []).slice(0, limit);
  if (header !== undefined) return ({ headers }) => [headers[header.toLowerCase()] ?? ''];
  if (jsonLd !== undefined) return inData(jsonLd);
  if (url !== undefined) return inUrl(url);
  return () => [constant];
}

function selected(selector: string, attribute: string | undefined): ReadField {
  const compiled = compileSelectors([selector]);
  const name = attribute?.toLowerCase();
  return ({ page, work }) => {
    const found = [...(page?.select(compiled) ?? [])].slice(0, limit);
    return found.map((element) => (name === undefined ? textWithin(element, work) : (element.attributes[name] ?? '')));
  };
}

/** Characters that cost as much as the visit of a node. */
const CHARS_PER_VISIT = 8;

/** Elements may lie within each other and share long texts. */
function textWithin(element: PageElement, work: PageWork): string {
  if (!work.visit(1)) return '';
  const text = textOf(element, EXTRACT_LIMITS.ruleValueChars);
  work.visit(Math.ceil(text.length / CHARS_PER_VISIT));
  return text;
}

function onPath(xpath: string): ReadField {
  const path = compileXPath(xpath);
  return ({ root, work }) => (root === undefined ? [] : path(root, { work, limit }));
}

function inUrl(expression: string): ReadField {
  const pattern = compilePattern(expression);
  return ({ url, work }) => [valueOfMatch(pattern, url, work) ?? ''];
}

type DataStep = { readonly name: string; readonly isEvery: boolean };

const DATA_PATH = /^(?:\*|[\w:@-]+)(?:\.[\w:@-]+(?:\.?\[\])?)+$/;

/** Type and members. @throws SyntaxError */
function parseDataPath(text: string): { readonly type: string; readonly steps: readonly DataStep[] } {
  if (!DATA_PATH.test(text)) {
    throw new SyntaxError('must be a type or *, and members: Product.offers[].price, *.author.name');
  }
  const [type = '', ...members] = text.replaceAll('.[]', '[]').split('.');
  return { type, steps: members.map((name) => ({ name: name.replace('[]', ''), isEvery: name.endsWith('[]') })) };
}

function inData(path: string): ReadField {
  const { type, steps } = parseDataPath(path);
  return ({ items, work }) => {
    const wanted = items.filter(({ types }) => type === '*' || types.includes(type));
    const values = wanted.flatMap(({ data }) => (work.visit(1) ? valuesAt(data, steps, work) : []));
    return values.slice(0, limit);
  };
}

/** Of a list without `[]` the first element. */
function valuesAt(data: JsonValue, steps: readonly DataStep[], work: PageWork): readonly string[] {
  let values: readonly JsonValue[] = [data];
  for (const { name, isEvery } of steps) {
    values = values.flatMap((value) => {
      const member = memberOf(value, name);
      const list = Array.isArray(member) ? (member as readonly JsonValue[]) : [member];
      return work.visit(list.length) ? (isEvery ? list : list.slice(0, 1)).filter((found) => found !== undefined) : [];
    }) as readonly JsonValue[];
  }
  return values.map(textOfValue).filter((text) => text !== '');
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    return undefined;
  }
  return (value as Readonly<Record<string, JsonValue>>)[name];
}

function textOfValue(value: JsonValue): string {
  if (typeof value === 'object') return value === null ? '' : textOfValue(memberOf(value, '@value') ?? '');
  return String(value).trim();
}

/** Values of a path on a page, in document order, of at most `limit` elements. None when the page's work is used up. */
export type XPath = (
  root: PageElement,
  options: { readonly work: PageWork; readonly limit: number },
) => readonly string[];

type Predicate = (element: PageElement, siblings: { readonly position: number; readonly last: number }) => boolean;

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
