import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { compilePattern } from '../patterns/linear-pattern.ts';
import { valueOfMatch } from '../patterns/pattern-values.ts';
import { type PageElement, textOf } from './page-tree.ts';
import { compileSelectors, type SelectablePage } from './selectors.ts';
import type { DataItem, JsonValue } from './structured-data.ts';
import type { PageWork } from './work.ts';
import { compileXPath } from './xpath.ts';

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
