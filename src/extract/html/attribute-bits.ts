/** What a browser says of an element's visibility where its own marks do not tell. */
export const VISIBILITY_ATTRIBUTE = 'data-fossick-visibility';
export const IGNORE_ATTRIBUTE = 'data-fossick-ignore';
const INCLUDE_ATTRIBUTE = 'data-fossick-include';
export const FIELD_ATTRIBUTE = 'data-fossick-field';

/** Bits of the attributes that every element is asked for. */
export const ATTRIBUTE_BITS = {
  class: 1,
  id: 1 << 1,
  visibility: 1 << 2,
  ignore: 1 << 3,
  include: 1 << 4,
  field: 1 << 5,
  nosnippet: 1 << 6,
  item: 1 << 7,
  property: 1 << 8,
  role: 1 << 9,
  label: 1 << 10,
  relation: 1 << 11,
  testName: 1 << 12,
  appRoot: 1 << 13,
  controls: 1 << 14,
} as const;

const BIT_BY_NAME: ReadonlyMap<string, number> = new Map([
  ['class', ATTRIBUTE_BITS.class],
  ['id', ATTRIBUTE_BITS.id],
  ['style', ATTRIBUTE_BITS.visibility],
  ['hidden', ATTRIBUTE_BITS.visibility],
  ['aria-hidden', ATTRIBUTE_BITS.visibility],
  [VISIBILITY_ATTRIBUTE, ATTRIBUTE_BITS.visibility],
  [IGNORE_ATTRIBUTE, ATTRIBUTE_BITS.ignore],
  [INCLUDE_ATTRIBUTE, ATTRIBUTE_BITS.include],
  [FIELD_ATTRIBUTE, ATTRIBUTE_BITS.field],
  ['data-nosnippet', ATTRIBUTE_BITS.nosnippet],
  ['itemscope', ATTRIBUTE_BITS.item],
  ['typeof', ATTRIBUTE_BITS.item],
  ['itemprop', ATTRIBUTE_BITS.property],
  ['property', ATTRIBUTE_BITS.property],
  ['role', ATTRIBUTE_BITS.role],
  ['aria-label', ATTRIBUTE_BITS.label],
  ['rel', ATTRIBUTE_BITS.relation],
  ['data-testid', ATTRIBUTE_BITS.testName],
  ['data-component', ATTRIBUTE_BITS.testName],
  ['ng-app', ATTRIBUTE_BITS.appRoot],
  ['data-reactroot', ATTRIBUTE_BITS.appRoot],
  ['aria-controls', ATTRIBUTE_BITS.controls],
]);

/** The bit of an attribute's name, 0 for most. */
export function bitOf(attribute: string): number {
  return BIT_BY_NAME.get(attribute) ?? 0;
}

/**
 * Whether an element may have one of some attributes, given as bits of `SAYS`; false is sure. A test of a number: to
 * look for a name in objects of a thousand shapes costs twenty times as much.
 */
export function mayHave({ attributeBits }: { readonly attributeBits: number }, bits: number): boolean {
  return (attributeBits & bits) !== 0;
}

type KnownAttributes = { readonly attributeBits: number; readonly attributes: Readonly<Record<string, string>> };

/** An attribute by its name and bit. */
export function attributeOf(
  { attributeBits, attributes }: KnownAttributes,
  name: string,
  bit: number,
): string | undefined {
  return (attributeBits & bit) === 0 ? undefined : attributes[name];
}
