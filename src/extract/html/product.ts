import { type DataItem, isOfType, type JsonValue, membersAt, textAt } from './structured-data.ts';

type Data = Readonly<Record<string, JsonValue>>;

/** Fields of the page's one product; none on a page without or with several. */
export function productFields(items: readonly DataItem[]): ReadonlyMap<string, string> {
  const products = items.filter((item) => isOfType(item, /^(?:Individual)?Product$/));
  const [product] = products;
  const fields = new Map<string, string>();
  if (product === undefined || products.length > 1) return fields;
  const offer = lowestOffer(membersAt(product.data, 'offers'));
  const entries: readonly (readonly [string, string])[] = [
    ['Price_number', numberOf(textAt(offer, 'price') || textAt(offer, 'lowPrice'))],
    ['Price_currency', textAt(offer, 'priceCurrency').toUpperCase()],
    ['Availability', textAt(offer, 'availability').replace(/^https?:\/\/schema\.org\//, '')],
    ['Brand', textAt(product.data, 'brand.name') || textAt(product.data, 'brand')],
    ['Sku', textAt(product.data, 'sku') || textAt(product.data, 'gtin') || textAt(product.data, 'gtin13')],
    ['Rating_number', numberOf(textAt(product.data, 'aggregateRating.ratingValue'))],
    ['Rating_count_number', numberOf(ratingCount(product.data))],
  ];
  for (const [name, value] of entries) if (value !== '') fields.set(name, value);
  return fields;
}

/** A number with `.` and without thousands marks: the last `.` or `,` before 1 or 2 final digits is the decimal sign. */
export function numberOf(text: string): string {
  const digits = text.replace(/[^\d.,-]/g, '');
  const decimal = /[.,](\d{1,2})$/.exec(digits);
  const whole = (decimal === null ? digits : digits.slice(0, decimal.index)).replace(/[.,]/g, '');
  return /^-?\d+$/.test(whole) ? `${whole}${decimal === null ? '' : `.${decimal[1]}`}` : '';
}

function lowestOffer(offers: readonly Data[]): Data | undefined {
  const priceOf = (offer: Data) => Number(numberOf(textAt(offer, 'price') || textAt(offer, 'lowPrice')) || Number.NaN);
  return offers
    .filter((offer) => !Number.isNaN(priceOf(offer)))
    .reduce<Data | undefined>(
      (best, offer) => (best === undefined || priceOf(offer) < priceOf(best) ? offer : best),
      undefined,
    );
}

function ratingCount(data: Data): string {
  return textAt(data, 'aggregateRating.ratingCount') || textAt(data, 'aggregateRating.reviewCount');
}
