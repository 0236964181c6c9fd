import { metaOf, type PageFacts } from '../page-facts.ts';
import { type DataItem, isOfType, type JsonValue, membersAt, textAt } from '../structured-data.ts';
import { machineNumber } from './page-numbers.ts';
import { type ShownPrice, shownPrice } from './shown-price.ts';

type Data = Readonly<Record<string, JsonValue>>;

/** A thing that is sold, alone or in variants. */
export const PRODUCT = /^(?:IndividualProduct|SomeProducts|Product(?:Group|Model)?)$/;

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
  const offers = product === undefined ? [] : offersOf(product);
  const offer = lowestOffer(offers);
  const price = priceOf(offer);
  const isSold = product !== undefined || metaOf(facts, 'og:type').includes('product');
  const entries: readonly (readonly [string, string])[] = [
    ...(price === '' && isSold ? metaPrice(facts) : itemPrice(price, offer)),
    [
      'Availability',
      offeredAvailability(offers, offer) ||
        availabilityOf(isSold ? metaOf(facts, 'product:availability', 'og:availability') : ''),
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
  const amountOf = (offer: Data) => Number(priceOf(offer) || Number.NaN);
  const priced = offers.filter((offer) => !Number.isNaN(amountOf(offer)));
  const [first = offers[0], ...others] = priced;
  return others.reduce((best, offer) => (best !== undefined && amountOf(offer) < amountOf(best) ? offer : best), first);
}

function priceOf(offer: Data | undefined): string {
  const price = firstText(offer, ['price', 'lowPrice']) || textAt(presentSpecification(offer), 'price');
  return machineNumber(price);
}

/** Of the prices of an offer the one that all pay now: not a former or recommended one, nor that of a kilogram. */
function presentSpecification(offer: Data | undefined): Data | undefined {
  const specifications = membersAt(offer, 'priceSpecification');
  const present = specifications.find(
    (one) =>
      !FORMER_PRICE.test(textAt(one, 'priceType')) &&
      one['referenceQuantity'] === undefined &&
      one['validForMemberTier'] === undefined,
  );
  return present ?? specifications[0];
}

const FORMER_PRICE = /(?:List|Regular|Strikethrough|Suggested\w*|SRP|MSRP|Invoice|MinimumAdvertised)(?:Price)?$/;

/** What can be bought in one of its variants is not sold out. */
function offeredAvailability(offers: readonly Data[], lowest: Data | undefined): string {
  const stated = [lowest, ...offers].map((offer) => availabilityOf(textAt(offer, 'availability')));
  const names = stated.filter((name) => name !== '');
  return names.find((name) => name === 'InStock') ?? names.find((name) => !SOLD_OUT.test(name)) ?? names[0] ?? '';
}

const SOLD_OUT = /^(?:OutOfStock|SoldOut|Discontinued)$/;

function itemPrice(price: string, offer: Data | undefined): readonly (readonly [string, string])[] {
  if (price === '') return [];
  const currency = textAt(offer, 'priceCurrency') || textAt(presentSpecification(offer), 'priceCurrency');
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
