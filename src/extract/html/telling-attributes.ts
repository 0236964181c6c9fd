/** What a browser says of an element's visibility where its own marks do not tell. */
export const VISIBILITY_MARK = 'data-fossick-visibility';
export const IGNORE_MARK = 'data-fossick-ignore';
const INCLUDE_MARK = 'data-fossick-include';
export const FIELD_MARK = 'data-fossick-field';

/** Bits of the attributes that every element is asked for. */
export const SAYS = {
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

const BITS: ReadonlyMap<string, number> = new Map([
  ['class', SAYS.class],
  ['id', SAYS.id],
  ['style', SAYS.visibility],
  ['hidden', SAYS.visibility],
  ['aria-hidden', SAYS.visibility],
  [VISIBILITY_MARK, SAYS.visibility],
  [IGNORE_MARK, SAYS.ignore],
  [INCLUDE_MARK, SAYS.include],
  [FIELD_MARK, SAYS.field],
  ['data-nosnippet', SAYS.nosnippet],
  ['itemscope', SAYS.item],
  ['typeof', SAYS.item],
  ['itemprop', SAYS.property],
  ['property', SAYS.property],
  ['role', SAYS.role],
  ['aria-label', SAYS.label],
  ['rel', SAYS.relation],
  ['data-testid', SAYS.testName],
  ['data-component', SAYS.testName],
  ['ng-app', SAYS.appRoot],
  ['data-reactroot', SAYS.appRoot],
  ['aria-controls', SAYS.controls],
]);

/** The bit of an attribute's name, 0 for most. */
export function bitOf(attribute: string): number {
  return BITS.get(attribute) ?? 0;
}

/**
 * Whether an element may have one of some attributes, given as bits of `SAYS`; false is sure. A test of a number: to
 * look for a name in objects of a thousand shapes costs twenty times as much.
 */
export function maySay({ says }: { readonly says: number }, bits: number): boolean {
  return (says & bits) !== 0;
}

type Telling = { readonly says: number; readonly attributes: Readonly<Record<string, string>> };

/** An attribute by its name and bit. */
export function attributeOf({ says, attributes }: Telling, name: string, bit: number): string | undefined {
  return (says & bit) === 0 ? undefined : attributes[name];
}
