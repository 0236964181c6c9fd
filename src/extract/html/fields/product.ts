import { metaOf, type PageFacts } from '../page-facts.ts';
import { type DataItem, isOfType, type JsonValue, membersAt, textAt } from '../structured-data.ts';
import { machineNumber } from './page-numbers.ts';
import { type ShownPrice, shownPrice } from './shown-price.ts';

type Data = Readonly<Record<string, JsonValue>>;

const PRODUCT = /^(?:Individual|SomeProducts)?Product(?:Group|Model)?$/;

/** `item`: what data or metas state · `itemprop`, `shown`: a price that no item states (`ShownPrice`). */
export type ProductField = {
  readonly name: string;
  readonly value: string;
  readonly source: 'item' | ShownPrice['source'];
};

/** Fields of the page's one product; none on a page without or with several. */
export function productFields(items: readonly DataItem[], facts: PageFacts): readonly ProductField[] {
  const products = productsOf(items);
  const fields = products.length > 1 ? [] : statedFields(products[0], facts);
  const isPriced = products.length > 1 || fields.some(({ name }) => name === 'Price_number');
  return isPriced ? fields : [...fields, ...shownFields(shownPrice(facts, items))];
}

function shownFields(price: ShownPrice | undefined): readonly ProductField[] {
  if (price === undefined) return [];
  const { number, currency, source } = price;
  const currencies = currency === '' ? [] : [{ name: 'Price_currency', value: currency, source }];
  return [{ name: 'Price_number', value: number, source }, ...currencies];
}

function statedFields(product: Data | undefined, facts: PageFacts): readonly ProductField[] {
  const offer = product === undefined ? undefined : lowestOffer(offersOf(product));
  const price = machineNumber(
    textAt(offer, 'price') || textAt(offer, 'lowPrice') || textAt(offer, 'priceSpecification.price'),
  );
  const isSold = product !== undefined || metaOf(facts, 'og:type').includes('product');
  const entries: readonly (readonly [string, string])[] = [
    ...(price === '' && isSold ? metaPrice(facts) : itemPrice(price, offer)),
    [
      'Availability',
      availabilityOf(
        textAt(offer, 'availability') || (isSold ? metaOf(facts, 'product:availability', 'og:availability') : ''),
      ),
    ],
    [
      'Brand',
      textAt(product, 'brand.name') || textAt(product, 'brand') || (isSold ? metaOf(facts, 'product:brand') : ''),
    ],
    ['Sku', firstText(product, ['sku', 'gtin', 'gtin13', 'mpn', 'productID'])],
    ['Rating_number', machineNumber(textAt(product, 'aggregateRating.ratingValue'))],
    [
      'Rating_count_number',
      machineNumber(firstText(product, ['aggregateRating.ratingCount', 'aggregateRating.reviewCount'])),
    ],
  ];
  return entries.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value, source: 'item' }));
}

/** The items of JSON-LD say it best; pages often mark up the same product once more. */
function productsOf(items: readonly DataItem[]): readonly Data[] {
  const products = items.filter((item) => !item.isListed && isOfType(item, PRODUCT));
  const held = products.filter(({ from }) => from === 'json-ld');
  return mergeSameProducts((held.length > 0 ? held : products).map(({ data }) => data));
}

/** Members by which two items are one product. */
const IDENTITY = ['name', '@id', 'url', 'sku', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14'];

/** Themes and plug-ins describe the same product each in an item of its own: one product of all that they say. */
function mergeSameProducts(items: readonly Data[]): readonly Data[] {
  const groups: Data[][] = [];
  const groupByKey = new Map<string, Data[]>();
  for (const item of items) {
    const keys = identityKeys(item);
    const known = keys.map((key) => groupByKey.get(key)).find((group) => group !== undefined);
    const group = known ?? [];
    if (known === undefined) groups.push(group);
    group.push(item);
    for (const key of keys) groupByKey.set(key, group);
  }
  return groups.map(mergedProduct);
}

function identityKeys(item: Data): readonly string[] {
  return IDENTITY.map((member) => [member.replace(/\d+$/, ''), textAt(item, member).toLowerCase()])
    .filter(([, text]) => text !== '')
    .map((key) => key.join(' '));
}

/** What the first states counts; offers are those of all. */
function mergedProduct(items: readonly Data[]): Data {
  const stated = items.map((item) => Object.entries(item).filter(([, value]) => value !== '' && value !== null));
  const offers = items.flatMap((item) => membersAt(item, 'offers'));
  return { ...Object.fromEntries(stated.reverse().flat()), offers };
}

function offersOf(product: Data): readonly Data[] {
  const own = membersAt(product, 'offers');
  const variants = membersAt(product, 'hasVariant').flatMap((variant) => membersAt(variant, 'offers'));
  return [...own, ...own.flatMap((offer) => membersAt(offer, 'offers')), ...variants];
}

function lowestOffer(offers: readonly Data[]): Data | undefined {
  const priceOf = (offer: Data) =>
    Number(machineNumber(firstText(offer, ['price', 'lowPrice', 'priceSpecification.price'])) || Number.NaN);
  const priced = offers.filter((offer) => !Number.isNaN(priceOf(offer)));
  const [first = offers[0], ...others] = priced;
  return others.reduce((best, offer) => (best !== undefined && priceOf(offer) < priceOf(best) ? offer : best), first);
}

function itemPrice(price: string, offer: Data | undefined): readonly (readonly [string, string])[] {
  if (price === '') return [];
  const currency = firstText(offer, ['priceCurrency', 'priceSpecification.priceCurrency']);
  return [
    ['Price_number', price],
    ['Price_currency', currency.toUpperCase()],
  ];
}

function metaPrice(facts: PageFacts): readonly (readonly [string, string])[] {
  const price = machineNumber(metaOf(facts, 'product:price:amount', 'og:price:amount', 'product:sale_price:amount'));
  const currency = metaOf(facts, 'product:price:currency', 'og:price:currency').toUpperCase();
  return price === ''
    ? []
    : [
        ['Price_number', price],
        ['Price_currency', currency],
      ];
}

const AVAILABILITIES: ReadonlyMap<string, string> = new Map([
  ['instock', 'InStock'],
  ['outofstock', 'OutOfStock'],
  ['oos', 'OutOfStock'],
  ['preorder', 'PreOrder'],
  ['backorder', 'BackOrder'],
]);

/** The last part of an address of the vocabulary, in its spelling. */
function availabilityOf(text: string): string {
  const name = text.trim().replace(/^.*[/#]/, '');
  return AVAILABILITIES.get(name.toLowerCase().replace(/[\s_-]/g, '')) ?? name;
}

function firstText(data: Data | undefined, paths: readonly string[]): string {
  return paths.map((path) => textAt(data, path)).find((text) => text !== '') ?? '';
}
