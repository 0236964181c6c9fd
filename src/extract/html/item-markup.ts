import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { ATTRIBUTE_BITS, mayHave } from './attribute-bits.ts';
import { type PageElement, textOf } from './page-tree.ts';
import { type DataItem, type JsonValue, LISTING_MEMBERS, shortType } from './structured-data.ts';

/** Takes the elements of a tree in document order; `items` are complete when the walk is over. */
export type MarkupReader = {
  readonly enter: (element: PageElement) => void;
  readonly exit: (element: PageElement) => void;
  readonly items: readonly DataItem[];
};

type OpenItem = {
  readonly element: PageElement;
  readonly data: Record<string, JsonValue[]>;
  readonly isListed: boolean;
};

/** Text of a property that is kept: names and dates are short, bodies are text of the page anyway. */
const VALUE_CHARS = 1_000;
/** Prefixes that name the vocabulary of a property: `schema:name`, `v:title`. */
const PREFIX = /^[a-z]{1,10}:/i;

/**
 * Reads microdata and RDFa Lite: items as JSON-LD would hold them, members always lists. Properties outside of an item
 * are nobody's, as are those of Open Graph.
 */
export function createMarkupReader(): MarkupReader {
  const items: DataItem[] = [];
  const open: OpenItem[] = [];
  let values = 0;
  return {
    items,
    enter(element) {
      if (!mayHave(element, ATTRIBUTE_BITS.item | ATTRIBUTE_BITS.property)) return;
      const own = newItem(element);
      const names = propertiesOf(element);
      if (values >= EXTRACT_LIMITS.jsonLdValues) return;
      const parent = open.at(-1);
      if (parent !== undefined && names.length > 0) {
        values += names.length;
        addValue(parent.data, names, own ?? textValue(element));
      }
      if (own === undefined || open.length >= EXTRACT_LIMITS.jsonLdDepth) return;
      const isListed = parent?.isListed === true || names.some((name) => LISTING_MEMBERS.has(name));
      const item = itemOf(element, own);
      if (item !== undefined) items.push({ ...item, isListed });
      open.push({ element, data: own, isListed });
    },
    exit(element) {
      if (open.at(-1)?.element === element) open.pop();
    },
  };
}

function newItem({ attributes }: PageElement): Record<string, JsonValue[]> | undefined {
  if (!('itemscope' in attributes || 'typeof' in attributes)) return undefined;
  const address = attributes['itemid'] ?? attributes['resource'] ?? attributes['href'];
  return address === undefined ? {} : { '@id': [address] };
}

function addValue(parent: Record<string, JsonValue[]>, names: readonly string[], value: JsonValue): void {
  for (const name of names) {
    parent[name] ??= [];
    parent[name].push(value);
  }
}

/** Undefined without a type: then it is a part of the item around it. */
function itemOf(
  { attributes }: PageElement,
  data: Record<string, JsonValue[]>,
): Omit<DataItem, 'isListed'> | undefined {
  const types = (attributes['itemtype'] ?? attributes['typeof'] ?? '').split(/\s+/).filter((type) => type !== '');
  if (types.length === 0) return undefined;
  const from = 'itemscope' in attributes ? 'microdata' : 'rdfa';
  return { types: types.map((type) => shortType(type).replace(PREFIX, '')), data, from };
}

function propertiesOf({ name, attributes }: PageElement): readonly string[] {
  // Metas of Open Graph and the like name their properties in the same attribute.
  const rdfa = name === 'meta' && attributes['itemprop'] === undefined ? undefined : attributes['property'];
  const text = attributes['itemprop'] ?? rdfa;
  if (text === undefined) return [];
  return text
    .split(/\s+/)
    .filter((property) => property !== '')
    .map((property) => shortType(property).replace(PREFIX, ''));
}

function textValue(element: PageElement): string {
  const { name, attributes } = element;
  const marked = attributes['content'] ?? (name === 'time' ? attributes['datetime'] : undefined);
  if (marked !== undefined) return marked;
  if (name === 'img' || name === 'iframe' || name === 'source') return attributes['src'] ?? '';
  if (name === 'link' || name === 'area') return attributes['href'] ?? '';
  if (name === 'data' || name === 'meter') return attributes['value'] ?? textOf(element, VALUE_CHARS);
  const text = textOf(element, VALUE_CHARS);
  return text === '' ? (attributes['href'] ?? '') : text;
}
