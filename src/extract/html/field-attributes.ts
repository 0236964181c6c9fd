import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { ATTRIBUTE_BITS, FIELD_ATTRIBUTE, mayHave } from './attribute-bits.ts';
import { META_PREFIX } from './index-directives.ts';
import { type PageElement, textOf } from './page-tree.ts';

/** Names that a page cannot give to itself: what they say is known from elsewhere. */
const RESERVED = new Set(['Id', '_type', 'Url', 'Domain', 'fc_Title', 'fc_Content']);
const MAX_NAME_CHARS = 256;
const MAX_FIELDS = 200;
const MAX_VALUES = 200;

export function hasFieldAttribute(element: PageElement): boolean {
  const { name, attributes } = element;
  if (mayHave(element, ATTRIBUTE_BITS.field)) return true;
  return name === 'meta' && attributes['name']?.trim().toLowerCase().startsWith(META_PREFIX) === true;
}

/** Fields that the page names by marks: name → values in document order. `elements` are those that have a mark. */
export function readFieldAttributes(elements: readonly PageElement[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const element of elements) {
    const name = fieldName(element);
    const value = markedValue(element).slice(0, EXTRACT_LIMITS.fieldValueChars);
    if (name === '' || [...name].length > MAX_NAME_CHARS || RESERVED.has(name) || value === '') continue;
    const values = fields.get(name);
    if (values === undefined && fields.size < MAX_FIELDS) fields.set(name, [value]);
    else if (values !== undefined && values.length < MAX_VALUES && !values.includes(value)) values.push(value);
  }
  return fields;
}

function fieldName({ attributes }: PageElement): string {
  const own = attributes[FIELD_ATTRIBUTE];
  return (own ?? attributes['name']?.trim().slice(META_PREFIX.length) ?? '').trim();
}

/** What the element says in an attribute for machines, else its text. */
function markedValue(element: PageElement): string {
  const { content, datetime, value } = element.attributes;
  return (content ?? datetime ?? value)?.trim() || textOf(element);
}
