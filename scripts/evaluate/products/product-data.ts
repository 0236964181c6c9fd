import type { Shop, Thing } from './catalogue.ts';
import { statedAmount } from './money.ts';

/** What a page may state of its product, each by the name of its field. */
export const FACTS = [
  'Price_number',
  'Price_currency',
  'Availability',
  'Brand',
  'Sku',
  'Rating_number',
  'Rating_count_number',
  'Item_type',
  'Image',
] as const;
export type Fact = (typeof FACTS)[number];

/** A piece of a page, and what it says for machines. */
export type Stated = { readonly html: string; readonly facts: readonly Fact[] };

export const NOTHING: Stated = { html: '', facts: [] };

export const urlOf = (shop: Shop, thing: Thing) => `https://${shop.host}/products/${thing.slug}`;
export const imageOf = (shop: Shop, thing: Thing) => `https://cdn.${shop.host}/media/${thing.slug}.jpg`;

const scriptOf = (data: unknown, attributes = '') =>
  `<script type="application/ld+json"${attributes}>${JSON.stringify(data)}</script>`;

const OFFERED: readonly Fact[] = ['Price_number', 'Price_currency', 'Availability'];
const RATED: readonly Fact[] = ['Rating_number', 'Rating_count_number'];
const DESCRIBED: readonly Fact[] = ['Item_type', 'Brand', 'Sku', 'Image'];

/** Offers in the form of the shop; a dearer variant and the former price may stand beside the price. */
function offersOf(shop: Shop, thing: Thing): unknown {
  const offer = offerOf(shop, thing);
  const dearer = offerOf(shop, { ...thing, price: Number((thing.price * 1.1).toFixed(shop.money.decimals)) });
  switch (shop.offers) {
    case 'one':
    case 'variants':
      return offer;
    case 'list':
      return [dearer, { ...offer, sku: `${thing.sku}-2` }];
    case 'specification':
      return {
        ...offer,
        price: undefined,
        priceCurrency: undefined,
        priceSpecification: specificationsOf(shop, thing),
      };
    case 'aggregate': {
      const { price, priceCurrency, availability } = offer;
      return {
        '@type': 'AggregateOffer',
        lowPrice: price,
        highPrice: dearer.price,
        offerCount: 2,
        priceCurrency,
        availability,
      };
    }
  }
}

function offerOf(shop: Shop, thing: Thing) {
  return {
    '@type': 'Offer',
    url: urlOf(shop, thing),
    price: statedAmount(thing.price, shop.amounts, shop.money.decimals),
    priceCurrency: shop.money.currency,
    priceValidUntil: '2027-12-31',
    itemCondition: 'https://schema.org/NewCondition',
    availability: `${shop.ratingIsText ? 'http' : 'https'}://schema.org/${thing.availability}`,
    seller: { '@type': 'Organization', name: shop.name },
  };
}

/** The present price, and on sale the former one before it. */
function specificationsOf(shop: Shop, { price, oldPrice }: Thing): readonly unknown[] {
  const one = (amount: number) => ({
    '@type': 'UnitPriceSpecification',
    price: statedAmount(amount, shop.amounts, shop.money.decimals),
    priceCurrency: shop.money.currency,
    valueAddedTaxIncluded: true,
  });
  const former = oldPrice === undefined ? [] : [{ ...one(oldPrice), priceType: 'https://schema.org/ListPrice' }];
  return [...former, one(price)];
}

function ratingOf(shop: Shop, { rating, ratingCount }: Thing, count = 'reviewCount'): unknown {
  if (rating === undefined) return undefined;
  const text = rating.toFixed(shop.ratingPlaces);
  return {
    '@type': 'AggregateRating',
    ratingValue: shop.ratingIsText ? text : Number(text),
    bestRating: 5,
    [count]: shop.ratingIsText ? String(ratingCount) : ratingCount,
  };
}

function brandOf(shop: Shop, { brand }: Thing): unknown {
  if (shop.brandForm === 'text') return brand;
  return { '@type': shop.brandForm === 'object' ? 'Brand' : 'Organization', name: brand };
}

/** The product as an object of JSON-LD: one, or a group of variants. */
export function productObject(shop: Shop, thing: Thing): Record<string, unknown> {
  const common = {
    name: thing.name,
    url: urlOf(shop, thing),
    image: shop.ratingIsText ? imageOf(shop, thing) : [imageOf(shop, thing)],
    description: thing.description.join(' '),
    brand: brandOf(shop, thing),
  };
  if (shop.offers !== 'variants') {
    const own = { ...common, '@type': 'Product', sku: thing.sku, gtin13: thing.gtin, offers: offersOf(shop, thing) };
    return { '@context': 'https://schema.org/', ...own, aggregateRating: ratingOf(shop, thing) };
  }
  const inStock = shop.ratingIsText ? 1 : 2;
  const variants = ['S', 'M', 'L'].map((size, at) => ({
    '@type': 'Product',
    '@id': `${urlOf(shop, thing)}?variant=${at}#variant`,
    name: `${thing.name} - ${size}`,
    sku: `${thing.sku}-${size}`,
    // The cheapest comes last, and only one may be in stock.
    offers: offerOf(shop, {
      ...thing,
      price: thing.price + (2 - at),
      availability: at === inStock ? thing.availability : 'OutOfStock',
    }),
  }));
  return {
    '@context': 'https://schema.org/',
    '@type': 'ProductGroup',
    ...common,
    productGroupID: thing.sku,
    variesBy: ['https://schema.org/size'],
    hasVariant: variants,
    aggregateRating: ratingOf(shop, thing),
  };
}

const factsOf = (shop: Shop, { rating }: Thing): readonly Fact[] => [
  ...OFFERED,
  ...DESCRIBED.filter((fact) => fact !== 'Sku' || shop.offers !== 'variants'),
  ...(rating === undefined ? [] : RATED),
];

export function jsonLd(shop: Shop, thing: Thing): Stated {
  return { html: scriptOf(productObject(shop, thing)), facts: factsOf(shop, thing) };
}

/** One script with all that the page is made of. */
export function jsonLdGraph(shop: Shop, thing: Thing): Stated {
  const home = `https://${shop.host}/`;
  const page = urlOf(shop, thing);
  const { '@context': context, ...product } = productObject(shop, thing);
  const graph = [
    { '@type': 'Organization', '@id': `${home}#organization`, name: shop.name, url: home, logo: `${home}logo.png` },
    { '@type': 'WebSite', '@id': `${home}#website`, name: shop.name, url: home },
    {
      '@type': ['WebPage', 'ItemPage'],
      '@id': page,
      url: page,
      name: `${thing.name} - ${shop.name}`,
      isPartOf: { '@id': `${home}#website` },
    },
    crumbsOf(shop, thing),
    { ...product, '@id': `${page}#product`, mainEntityOfPage: { '@id': page } },
  ];
  return { html: scriptOf({ '@context': context, '@graph': graph }), facts: factsOf(shop, thing) };
}

/** Several roots in one script. */
export function jsonLdArray(shop: Shop, thing: Thing): Stated {
  const roots = [{ '@context': 'http://schema.org', ...crumbsOf(shop, thing) }, productObject(shop, thing)];
  return { html: scriptOf(roots), facts: factsOf(shop, thing) };
}

function crumbsOf(shop: Shop, thing: Thing): Record<string, unknown> {
  const home = `https://${shop.host}/`;
  const crumbs = [
    [shop.locale.home, home],
    [thing.category, `${home}collections/all`],
    [thing.name, urlOf(shop, thing)],
  ];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(([name, item], at) => ({ '@type': 'ListItem', position: at + 1, name, item })),
  };
}

/** What plug-ins add behind the data of the theme. */
export function pluginData(shop: Shop, thing: Thing): Stated {
  switch (shop.plugin) {
    case 'none':
      return NOTHING;
    case 'copy':
      return { html: scriptOf(productObject(shop, thing), ' data-app="seo-booster"'), facts: factsOf(shop, thing) };
    case 'reviews': {
      if (thing.rating === undefined) return NOTHING;
      const aggregateRating = ratingOf(shop, thing, 'ratingCount');
      const data = { '@context': 'http://schema.org', '@type': 'Product', name: thing.name, aggregateRating };
      return { html: scriptOf(data), facts: [...RATED, 'Item_type'] };
    }
    case 'search engines': {
      const data = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: thing.name.toUpperCase(),
        sku: thing.sku,
      };
      const html = scriptOf({ ...data, brand: brandOf(shop, thing), offers: offerOf(shop, thing) });
      return { html, facts: [...OFFERED, 'Brand', 'Sku', 'Item_type'] };
    }
  }
}

/** Metas of Open Graph as shops write them. */
export function openGraph(shop: Shop, thing: Thing): Stated {
  const metas = [
    ['og:type', 'product'],
    ['og:site_name', shop.name],
    ['og:title', thing.name],
    ['og:url', urlOf(shop, thing)],
    ['og:image', imageOf(shop, thing)],
    ['product:price:amount', String(statedAmount(thing.price, shop.amounts, shop.money.decimals))],
    ['product:price:currency', shop.money.currency],
    [
      'product:availability',
      { InStock: 'in stock', OutOfStock: 'out of stock', PreOrder: 'preorder', BackOrder: 'backorder' }[
        thing.availability
      ],
    ],
    ['product:brand', thing.brand],
  ];
  const html = metas.map(([name, content]) => `<meta property="${name}" content="${content}">`).join('\n');
  return { html, facts: [...OFFERED, 'Brand', 'Image'] };
}

/** Only what links to the page show elsewhere. */
export function socialMetas(shop: Shop, thing: Thing): Stated {
  const html = `<meta property="og:type" content="website"><meta property="og:title" content="${thing.name}"><meta property="og:image" content="${imageOf(shop, thing)}">`;
  return { html, facts: ['Image'] };
}

/** Attributes of microdata for a theme that has them on its own elements. */
export function ratingMicrodata(shop: Shop, thing: Thing): Stated {
  if (thing.rating === undefined) return NOTHING;
  const text = thing.rating.toFixed(shop.ratingPlaces);
  const shown = shop.money.decimal === ',' ? text.replace('.', ',') : text;
  const html = `<div class="rating-summary" itemprop="aggregateRating" itemscope itemtype="http://schema.org/AggregateRating"><span class="label">${shop.locale.reviews}:</span> <span itemprop="ratingValue">${shown}</span> / <span itemprop="bestRating">5</span> (<span itemprop="reviewCount">${thing.ratingCount}</span>)</div>`;
  return { html, facts: RATED };
}
