import type { Shop, Thing } from './catalogue.ts';
import { shownAmount } from './money.ts';
import { type Fact, imageOf, type Stated, urlOf } from './product-data.ts';

/** What a theme makes of a thing: the head beside the title, the middle of the page, and what both state. */
export type ThemePage = {
  /** Attributes of `body`. */
  readonly body: string;
  readonly head: string;
  readonly main: string;
  readonly facts: readonly Fact[];
};

export type Theme = (shop: Shop, thing: Thing, others: readonly Thing[]) => ThemePage;

/** Of a page with its price as text alone. */
export const SHOWN: readonly Fact[] = ['Price_number', 'Price_currency'];

export const amountOf = (shop: Shop, amount: number) => shownAmount(amount, shop.money);
export const paragraphs = (texts: readonly string[]) => texts.map((text) => `<p>${text}</p>`).join('\n');
export const factsOf = (...parts: readonly Stated[]) => parts.flatMap(({ facts }) => facts);
export const htmlOf = (...parts: readonly Stated[]) => parts.map(({ html }) => html).join('\n');
export const pictureOf = (shop: Shop, thing: Thing) =>
  `<img src="${imageOf(shop, thing)}" alt="${thing.name}" width="600" height="600" loading="lazy">`;

/** Stars as themes show them, with a number of the same decimals. */
export function shownRating(shop: Shop, { rating, ratingCount }: Thing): string {
  if (rating === undefined) return '';
  const text = rating.toFixed(Math.min(2, shop.ratingPlaces));
  return `<div class="star-rating" role="img" aria-label="${text} / 5"><span style="width:${rating * 20}%">${text}</span></div><a href="#reviews">(${ratingCount} ${shop.locale.reviews})</a>`;
}

/** A whole page of a shop around the middle of its theme. */
export function shopPage(shop: Shop, title: string, { body, head, main }: ThemePage): string {
  const { locale, name, host } = shop;
  const menu = locale.shopWords
    .slice(0, 6)
    .map((word, at) => `<li class="menu-item level0"><a href="/c/${at}">${word}</a></li>`)
    .join('');
  const service = locale.shopWords
    .slice(5)
    .map((word, at) => `<li><a href="/pages/${at}">${word}</a></li>`)
    .join('');
  return `<!doctype html>
<html lang="${locale.code}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} ${shop.ratingIsText ? '–' : '|'} ${name}</title>
${head}
<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="https://cdn.${host}/theme.css">
<script>window.dataLayer = window.dataLayer || []; dataLayer.push({"event": "page", "currency": "${shop.money.currency}", "cart": {"total_price": 0}});</script>
</head>
<body ${body}>
<div class="announcement-bar" role="region"><p>${locale.tax} · ${amountOf(shop, 50)}+</p></div>
<header class="site-header header"><a class="logo" href="/"><img src="https://cdn.${host}/logo.png" alt="${name}" width="160" height="40"></a>
<form action="/search" role="search"><input name="q" type="search"><button type="submit">&#128269;</button></form>
<nav class="site-nav navigation"><ul>${menu}</ul></nav><a href="/cart" class="header-cart">${amountOf(shop, 0)} <span class="count">0</span></a></header>
${main}
<footer class="site-footer footer"><div class="newsletter"><h4>Newsletter</h4><form><input type="email" name="email"><button>OK</button></form></div>
<ul>${service}</ul><p class="copyright">© 2026 ${name}</p></footer>
<div id="cookie-notice" role="dialog" aria-label="Cookies"><p>Cookies?</p><button>OK</button></div>
</body></html>`;
}

export type Card = { readonly heading: string; readonly list: string; readonly entry: string };

/** Related things with prices and, as most themes have them, buttons. */
export function relatedThings(shop: Shop, others: readonly Thing[], card: Card, hasButtons = true): string {
  const entries = others.map((other) => {
    const former = other.oldPrice === undefined ? '' : `<del>${amountOf(shop, other.oldPrice)}</del> `;
    const button = hasButtons ? `<button class="button add-to-cart" type="button">${shop.locale.buy}</button>` : '';
    return `<${card.entry} class="product-item card"><a href="${urlOf(shop, other)}">${pictureOf(shop, other)}<h3 class="product-item-link">${other.name}</h3></a><span class="price">${former}${amountOf(shop, other.price)}</span>${button}</${card.entry}>`;
  });
  return `<section class="related"><h2 class="${card.heading}">${shop.locale.related}</h2><${card.list} class="products grid">${entries.join('\n')}</${card.list}></section>`;
}

export function crumbs(shop: Shop, thing: Thing, separator = '/'): string {
  return `<nav class="breadcrumb breadcrumbs" aria-label="breadcrumb"><a href="/">${shop.locale.home}</a> ${separator} <a href="/c/1">${thing.category}</a> ${separator} <span>${thing.name}</span></nav>`;
}
