import { EXTRACT_LIMITS } from '../extract-limits.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
/** An object with a type, as the page wrote it. */
export type DataItem = {
  readonly types: readonly string[];
  readonly data: Readonly<Record<string, JsonValue>>;
  readonly from: 'json-ld' | 'microdata' | 'rdfa';
  /** One of several in a list, or another one that the page only refers to. */
  readonly isListed: boolean;
};

/** Members whose items are not what the page is about. */
export const LISTING_MEMBERS: ReadonlySet<string> = new Set([
  ...['itemListElement', 'isRelatedTo', 'isSimilarTo', 'isAccessoryOrSparePartFor', 'hasVariant', 'mentions'],
  ...['relatedLink', 'itemReviewed', 'citation', 'isPartOf', 'hasPart', 'blogPost', 'review', 'reviews'],
]);

/** Items of the JSON-LD scripts in order, nested ones after the one that holds them. Tolerates what sites write. */
export function readJsonLd(scripts: readonly string[]): readonly DataItem[] {
  const items: DataItem[] = [];
  const left = { chars: EXTRACT_LIMITS.jsonLdChars, values: EXTRACT_LIMITS.jsonLdValues };
  for (const script of scripts) {
    left.chars -= script.length;
    if (left.chars < 0) break;
    addItems(items, parseTolerantly(script), left);
  }
  return items;
}

type Pending = { readonly value: JsonValue; readonly depth: number; readonly isListed: boolean };

function addItems(items: DataItem[], root: JsonValue, left: { values: number }): void {
  const pending: Pending[] = [{ value: root, depth: 0, isListed: false }];
  for (let step = pending.pop(); step !== undefined && left.values > 0; step = pending.pop()) {
    left.values--;
    const { value, depth, isListed } = step;
    if (!isObject(value) || depth > EXTRACT_LIMITS.jsonLdDepth) continue;
    if (!isList(value) && value['@type'] !== undefined) {
      items.push({ types: typesOf(value['@type']), data: value, from: 'json-ld', isListed });
    }
    const inner = Object.entries(value).filter(([, child]) => isObject(child));
    for (const [name, child] of inner.reverse()) {
      pending.push({ value: child, depth: depth + 1, isListed: isListed || LISTING_MEMBERS.has(name) });
    }
  }
}

/** A text of an item's member, `''` when it has none. Members of objects by a path: `author.name`. */
export function textAt(data: JsonValue | undefined, path: string): string {
  return textsAt(data, path)[0] ?? '';
}

/** All texts of a member; lists count at each step. */
export function textsAt(data: JsonValue | undefined, path: string): readonly string[] {
  let values: readonly JsonValue[] = data === undefined ? [] : [data];
  for (const key of path.split('.')) {
    values = values.flatMap((value) => {
      const inner = memberOf(value, key);
      return inner === undefined ? [] : isList(inner) ? inner : [inner];
    });
  }
  return values
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value) => String(value).trim())
    .filter((text) => text !== '');
}

export function membersAt(data: JsonValue | undefined, key: string): readonly Readonly<Record<string, JsonValue>>[] {
  const value = data === undefined ? undefined : memberOf(data, key);
  const list = value === undefined ? [] : isList(value) ? value : [value];
  return list.filter(isObject).filter((item) => !isList(item)) as Readonly<Record<string, JsonValue>>[];
}

/** Builders of pages write some members with a capital: `Offers`, `Availability`. */
function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (!isObject(value) || isList(value)) return undefined;
  return value[key] ?? value[key.charAt(0).toUpperCase() + key.slice(1)];
}

export function isOfType({ types }: DataItem, pattern: RegExp): boolean {
  return types.some((type) => pattern.test(type));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function typesOf(value: JsonValue): readonly string[] {
  const list = isList(value) ? value : [value];
  return list.filter((type) => typeof type === 'string').map(shortType);
}

/** Name of a type or property without the address of its vocabulary. */
export function shortType(type: string): string {
  return type
    .trim()
    .replace(/^(?:https?:)?\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org|rdf\.data-vocabulary\.org)\/#?/i, '');
}

/** Comments, control characters and trailing commas are forgiven; anything else is no data. */
function parseTolerantly(script: string): JsonValue {
  const text = script
    .trim()
    .replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[|\/\/\s*<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>|\/\/\s*\]\]>)$/, '');
  return (
    parse(text) ??
    parse(text.replace(/\p{Cc}+/gu, ' ').replace(/,\s*([}\]])/g, '$1')) ??
    parse(text.replaceAll('&quot;', '"')) ??
    null
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
