import { madeShops, madeThings, type Shop, type Thing } from './catalogue.ts';
import { cornerstone, dawn, hooks, sellers, squares } from './hosted-themes.ts';
import { classic, luma, opencart, shopware, storefront } from './open-themes.ts';
import { annotated, byHand, regional, storefrontReference } from './other-themes.ts';
import { type Fact, imageOf, urlOf } from './product-data.ts';
import { amountOf, paragraphs, relatedThings, shopPage, type Theme } from './shop-page.ts';

const THEMES: Readonly<Record<string, Theme>> = {
  dawn,
  storefront,
  luma,
  classic,
  opencart,
  shopware,
  cornerstone,
  squares,
  hooks,
  sellers,
  storefrontReference,
  regional,
  byHand,
  annotated,
};

/** A page with what it says for certain. */
export type ProductPage = {
  readonly url: string;
  readonly html: string;
  readonly theme: string;
  readonly isUnseen: boolean;
  readonly title: string;
  /** Values of the stated facts; the page has no others. */
  readonly facts: ReadonlyMap<Fact, string>;
};

const SHOPS_PER_THEME = 5;
const THINGS_PER_SHOP = 4;
const RELATED_THINGS = 3;

/** 70 shops with four pages of one product each, a list of products and an article: 420 pages. */
export function productPages(): readonly ProductPage[] {
  const names = Object.keys(THEMES);
  return madeShops(names.length, SHOPS_PER_THEME).flatMap((shop) => {
    const things = madeThings(shop, THINGS_PER_SHOP + RELATED_THINGS);
    const theme = names[shop.theme] ?? '';
    const others = things.slice(THINGS_PER_SHOP);
    const own = things.slice(0, THINGS_PER_SHOP).map((thing) => productPage(shop, thing, { theme, others }));
    return [...own, listPage(shop, things), articlePage(shop, others)];
  });
}

type PageContext = { readonly theme: string; readonly others: readonly Thing[] };

function productPage(shop: Shop, thing: Thing, { theme, others }: PageContext): ProductPage {
  const page = THEMES[theme]?.(shop, thing, others);
  if (page === undefined) throw new Error(`no theme ${theme}`);
  const known = new Map<Fact, string>([
    ['Price_number', String(thing.price)],
    ['Price_currency', shop.money.currency],
    ['Availability', thing.availability],
    ['Brand', thing.brand],
    ['Sku', thing.sku],
    ['Rating_number', String(thing.rating)],
    ['Rating_count_number', String(thing.ratingCount)],
    ['Item_type', 'Product'],
    ['Image', imageOf(shop, thing)],
  ]);
  const facts = new Map([...known].filter(([fact]) => page.facts.includes(fact)));
  const html = shopPage(shop, thing.name, page);
  return { url: urlOf(shop, thing), html, theme, isUnseen: shop.isUnseen, title: thing.name, facts };
}

function listPage(shop: Shop, things: readonly Thing[]): ProductPage {
  const title = things[0]?.category ?? '';
  const url = `https://${shop.host}/collections/all`;
  const items = things.map((thing, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    url: urlOf(shop, thing),
    name: thing.name,
  }));
  const data = { '@context': 'https://schema.org', '@type': 'ItemList', itemListElement: items };
  const marked = shop.hasOpenGraph ? `<script type="application/ld+json">${JSON.stringify(data)}</script>` : '';
  const main = `<main id="content"><h1 class="collection-hero__title">${title}</h1><p>${things.length}</p>${relatedThings(shop, things, { heading: 'visually-hidden', list: 'ul', entry: 'li' })}${marked}</main>`;
  const html = shopPage(shop, title, { body: 'class="template-collection"', head: '', main, facts: [] });
  return { url, html, theme: 'list', isUnseen: shop.isUnseen, title, facts: new Map() };
}

function articlePage(shop: Shop, others: readonly Thing[]): ProductPage {
  const [thing, ...more] = others;
  const title = `${shop.locale.shopWords[0]}: ${thing?.name ?? ''}`;
  const texts = [...shop.locale.sentences, `${thing?.name ?? ''} – ${amountOf(shop, thing?.price ?? 1)}.`];
  const main = `<main id="content"><article class="article-template"><h1>${title}</h1><time datetime="2026-03-0${1 + (shop.theme % 9)}T10:00:00Z">2026</time><div class="article-template__content rte">${paragraphs(texts)}</div></article>${relatedThings(shop, more, { heading: '', list: 'ul', entry: 'li' })}</main>`;
  const html = shopPage(shop, title, {
    body: 'class="template-article"',
    head: '<meta property="og:type" content="article">',
    main,
    facts: [],
  });
  return {
    url: `https://${shop.host}/blogs/news/1`,
    html,
    theme: 'article',
    isUnseen: shop.isUnseen,
    title,
    facts: new Map(),
  };
}
