import { describe, expect, test } from 'vitest';
import { extractHtml, jsonLd } from '../../helpers/extract-html.ts';

const OFFER = { '@type': 'Offer', price: '19.90', priceCurrency: 'eur', availability: 'https://schema.org/InStock' };
const PRODUCT = {
  '@type': 'Product',
  name: 'Hammer',
  sku: 'H-1',
  brand: { '@type': 'Brand', name: 'Nordlys' },
  aggregateRating: { ratingValue: 4.5, reviewCount: 12 },
  offers: [{ ...OFFER, price: '25' }, OFFER],
};
const FIELDS = {
  Price_number: ['19.90'],
  Price_currency: ['EUR'],
  Availability: ['InStock'],
  Brand: ['Nordlys'],
  Sku: ['H-1'],
  Rating_number: ['4.5'],
  Rating_count_number: ['12'],
};
const productFieldsOf = async (html: string) => {
  const { fields } = await extractHtml(`<h1>Hammer</h1>${html}`);
  return Object.fromEntries(
    Object.keys(FIELDS).flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])),
  );
};

describe('a product', () => {
  test.each<[string, string, object]>([
    ['of JSON-LD, the lowest of its offers', jsonLd(PRODUCT), FIELDS],
    ['beside related ones', jsonLd({ ...PRODUCT, isRelatedTo: [{ '@type': 'Product', offers: OFFER }] }), FIELDS],
    ['of several, none', jsonLd(PRODUCT, { ...PRODUCT, name: 'Saw', sku: 'S-1' }), {}],
    ['twice', jsonLd(PRODUCT, PRODUCT), FIELDS],
    ['twice by its name', jsonLd({ '@type': 'Product', name: 'hammer' }, PRODUCT), FIELDS],
    [
      'twice by its number',
      jsonLd({ ...PRODUCT, gtin13: '4006381333931' }, { '@type': 'Product', gtin: '4006381333931' }),
      FIELDS,
    ],
    ['twice by its address', jsonLd({ '@type': 'Product', url: '/h' }, { ...PRODUCT, url: '/h' }), FIELDS],
    [
      'twice in microdata, the lowest of the offers of both',
      ['25', '19.90']
        .map(
          (price) =>
            `<p itemscope itemtype="http://schema.org/Product"><b itemprop="name">Hammer</b><b itemprop="offers" itemscope><i itemprop="price" content="${price}"></i></b></p>`,
        )
        .join(''),
      { Price_number: ['19.90'] },
    ],
    ['in a list, none', jsonLd({ '@type': 'ItemList', itemListElement: [{ item: PRODUCT }] }), {}],
    [
      'with one offer for all',
      jsonLd({ '@type': 'Product', offers: { '@type': 'AggregateOffer', lowPrice: 5, priceCurrency: 'USD' } }),
      { Price_number: ['5'], Price_currency: ['USD'] },
    ],
    [
      'with variants',
      jsonLd({
        '@type': 'ProductGroup',
        hasVariant: [
          { '@type': 'Product', offers: OFFER },
          { '@type': 'Product', offers: { ...OFFER, price: 30 } },
        ],
      }),
      { Price_number: ['19.90'], Price_currency: ['EUR'], Availability: ['InStock'] },
    ],
    [
      'of which one variant is in stock',
      jsonLd({
        '@type': 'ProductGroup',
        hasVariant: [
          { '@type': 'Product', offers: { ...OFFER, availability: 'OutOfStock' } },
          { '@type': 'Product', offers: { ...OFFER, price: 30, availability: 'https://schema.org/BackOrder' } },
        ],
      }),
      { Price_number: ['19.90'], Price_currency: ['EUR'], Availability: ['BackOrder'] },
    ],
    [
      'of a seller within one offer for all',
      jsonLd({
        '@type': 'Product',
        offers: { '@type': 'AggregateOffer', lowPrice: 5, offers: [{ ...OFFER, price: 5 }] },
      }),
      { Price_number: ['5'], Availability: ['InStock'] },
    ],
    [
      'with former, member and unit prices beside its own',
      jsonLd({
        '@type': 'Product',
        offers: {
          priceSpecification: [
            { price: 25, priceCurrency: 'EUR', priceType: 'https://schema.org/ListPrice' },
            { price: 8, priceCurrency: 'EUR', validForMemberTier: { name: 'Gold' } },
            { price: 2, priceCurrency: 'EUR', referenceQuantity: { value: 1, unitCode: 'KGM' } },
            { price: '19.90', priceCurrency: 'EUR' },
          ],
        },
      }),
      { Price_number: ['19.90'], Price_currency: ['EUR'] },
    ],
    [
      'with a capital at its members',
      jsonLd({ '@type': 'Product', Offers: { Price: '9.5', priceCurrency: 'USD', Availability: 'OutOfStock' } }),
      { Price_number: ['9.5'], Price_currency: ['USD'], Availability: ['OutOfStock'] },
    ],
    [
      'of RDFa with metas',
      `<div vocab="https://schema.org/" typeof="Product"><div property="offers" typeof="Offer"><meta property="price" content="9.5">
       <meta property="priceCurrency" content="SEK"></div><meta property="og:brand" content="No"></div>`,
      { Price_number: ['9.5'], Price_currency: ['SEK'] },
    ],
    [
      'of microdata, in thousandths',
      `<div itemscope itemtype="http://schema.org/Product"><b itemprop="offers" itemscope><i itemprop="price">KWD 12.500</i></b></div>`,
      { Price_number: ['12.5'] },
    ],
    [
      'of microdata',
      `<div itemscope itemtype="http://schema.org/Product"><div itemprop="offers" itemscope itemtype="http://schema.org/Offer">
       <span itemprop="price">1.299,00 €</span><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/OutOfStock"></div></div>`,
      { Price_number: ['1299.00'], Price_currency: ['EUR'], Availability: ['OutOfStock'] },
    ],
    [
      'of meta tags',
      '<meta property="og:type" content="product"><meta property="product:price:amount" content="9.5"><meta property="product:price:currency" content="SEK"><meta property="product:availability" content="in stock">',
      { Price_number: ['9.5'], Price_currency: ['SEK'], Availability: ['InStock'] },
    ],
    ['by its price alone, none', '<meta property="product:price:amount" content="9.5">', {}],
    [
      'with the decimals of a database, texts',
      jsonLd({
        ...PRODUCT,
        offers: { '@type': 'Offer', price: '129.0000', priceCurrency: 'EUR' },
        aggregateRating: { ratingValue: 4.8571, reviewCount: 7 },
        brand: '',
        sku: '',
      }),
      { Price_number: ['129'], Price_currency: ['EUR'], Rating_number: ['4.8571'], Rating_count_number: ['7'] },
    ],
    ['with three decimals', jsonLd({ '@type': 'Product', offers: { price: '1299.000' } }), { Price_number: ['1299'] }],
    [
      'of meta tags with three decimals',
      '<meta property="og:type" content="product"><meta property="product:price:amount" content="129.000">',
      { Price_number: ['129'] },
    ],
    [
      'of JSON-LD with a price as people write it',
      jsonLd({ '@type': 'Product', offers: { price: '1.299,00 €' } }),
      { Price_number: ['1299.00'] },
    ],
    [
      'of microdata, in attributes',
      `<div itemscope itemtype="http://schema.org/Product">${'<b itemprop="offers" itemscope><i itemprop="price" content="129.000">129,00 €</i></b>'}
       <b itemprop="aggregateRating" itemscope><i itemprop="ratingValue" content="4.857">4,9</i><data itemprop="reviewCount" value="1299">1.299</data></b></div>`,
      { Price_number: ['129'], Rating_number: ['4.857'], Rating_count_number: ['1299'] },
    ],
    [
      'of microdata, in texts',
      `<div itemscope itemtype="http://schema.org/Product"><b itemprop="offers" itemscope><i itemprop="price">1.299 kr.</i></b>
       <b itemprop="aggregateRating" itemscope><i itemprop="ratingValue">4,857 of 5</i><i itemprop="reviewCount">1.299</i></b></div>`,
      { Price_number: ['1299'], Rating_number: ['4.857'], Rating_count_number: ['1299'] },
    ],
  ])('%s', async (_, html, fields) => {
    expect(await productFieldsOf(html)).toEqual(fields);
  });
});

const PLACE = {
  '@type': 'Place',
  name: 'Town hall',
  address: { streetAddress: 'Main street 1', postalCode: '1000', addressLocality: 'Odense' },
  geo: { latitude: '55.40', longitude: '10.39' },
};
const LOCATION = { Location: ['Town hall, Main street 1, 1000, Odense'], Location_geo_point: ['55.4,10.39'] };

test.each<[string, object, object]>([
  [
    'an event',
    { '@type': 'MusicEvent', startDate: '2027-05-01T19:00+02:00', endDate: '2027-05-01', location: PLACE },
    { Start_date: ['2027-05-01T19:00:00+02:00'], End_date: ['2027-05-01'], ...LOCATION },
  ],
  ['a place', PLACE, LOCATION],
  ['a place nowhere', { ...PLACE, geo: { latitude: 91, longitude: 0 } }, { Location: LOCATION.Location }],
  ['an event in words', { '@type': 'Event', location: 'Odense' }, { Location: ['Odense'] }],
])('%s', async (_, item, wanted) => {
  const { fields } = await extractHtml(`<h1>Summer</h1>${jsonLd(item)}`);
  const names = ['Start_date', 'End_date', 'Location', 'Location_geo_point'];
  expect(Object.fromEntries(names.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])))).toEqual(
    wanted,
  );
});

test.each([
  [
    'what a page is about comes before who made it',
    [{ '@type': 'Organization' }, { '@type': 'NewsArticle' }],
    'NewsArticle',
  ],
  ['a publisher is not what a page is about', [{ '@type': 'Organization', name: 'Press' }], undefined],
  ['an author is not what a page is about', [{ '@type': 'WebPage', author: { '@type': 'Person' } }], undefined],
  ['the main entity of a page is', [{ '@type': 'ProfilePage', mainEntity: { '@type': 'Person' } }], 'Person'],
  [
    'the main entity of a page is, also by its id',
    [
      { '@type': 'WebPage', mainEntity: { '@id': '#a' } },
      { '@type': 'LocalBusiness', '@id': '#a' },
    ],
    'LocalBusiness',
  ],
  ['what says so is', [{ '@type': 'Place', mainEntityOfPage: true }], 'Place'],
  ['what has the address of the page is', [{ '@type': 'Person', url: '/offers/a-page' }], 'Person'],
  ['variants of a product are one', [{ '@type': 'ProductGroup', name: 'Hammer' }], 'Product'],
  ['a product comes before its reviews and articles', [{ '@type': 'Article' }, PRODUCT], 'Product'],
  ['parts of the page have no say', [{ '@type': 'WebPage' }, { '@type': 'ImageObject' }], undefined],
])('%s', async (_, items, type) => {
  const { fields } = await extractHtml(jsonLd(...items));
  expect(fields.get('Item_type')?.[0]).toBe(type);
});
