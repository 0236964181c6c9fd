import { statedAmount } from './money.ts';
import { imageOf, jsonLdArray, NOTHING, openGraph, pluginData, socialMetas, urlOf } from './product-data.ts';
import {
  amountOf,
  crumbs,
  factsOf,
  htmlOf,
  paragraphs,
  pictureOf,
  relatedThings,
  SHOWN,
  type Theme,
} from './shop-page.ts';

/** The present price in an attribute beside the shown one; members that are empty objects. */
export const storefrontReference: Theme = (shop, thing, others) => {
  const price = statedAmount(thing.price, shop.amounts, shop.money.decimals);
  const data = {
    '@context': 'http://schema.org/',
    '@type': 'Product',
    name: thing.name,
    description: null,
    mpn: thing.sku,
    sku: thing.sku,
    brand: { '@type': 'Thing', name: thing.brand },
    image: [imageOf(shop, thing)],
    offers: {
      url: {},
      '@type': 'Offer',
      priceCurrency: shop.money.currency,
      price,
      availability: `http://schema.org/${thing.availability}`,
    },
  };
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<del><span class="strike-through list"><span class="value" content="${thing.oldPrice}"><span class="sr-only">${shop.locale.was}</span>${amountOf(shop, thing.oldPrice)}<span class="sr-only">to</span></span></span></del>`;
  const main = `<div class="container product-detail product-wrapper" data-pid="${thing.sku}">${crumbs(shop, thing)}<div class="row"><div class="primary-images col-12">${pictureOf(shop, thing)}</div><div class="col-12"><h1 class="product-name">${thing.name}</h1><div class="product-number">Item No. <span class="product-id">${thing.sku}</span></div>
<div class="attributes"><div class="attribute quantity"><label for="quantity-1">Quantity</label><select class="quantity-select"><option>1</option><option>2</option></select></div><div class="availability product-availability"><label class="availability non-input-label">Availability:</label><ul class="list-unstyled availability-msg"><li><div>${shop.locale.inStock}</div></li></ul></div>
<div class="prices-add-to-cart-actions"><div class="prices"><div class="price"><span>${former}<span class="sales"><span class="value" content="${thing.price.toFixed(2)}">${amountOf(shop, thing.price)}</span></span></span></div></div><div class="cart-and-ipay"><button class="add-to-cart btn btn-primary" data-pid="${thing.sku}"><i class="fa fa-shopping-bag"></i> ${shop.locale.buy}</button></div></div></div>
<div class="description-and-detail"><h2 class="title">${shop.locale.details}</h2><div class="value content">${paragraphs(thing.description)}</div></div></div></div>${relatedThings(shop, others, { heading: 'title', list: 'div', entry: 'div' }, false)}</div>
<script type="application/ld+json">
    ${JSON.stringify(data)}
</script>`;
  return {
    body: 'class="product-page"',
    head: socialMetas(shop, thing).html,
    main,
    facts: ['Price_number', 'Price_currency', 'Availability', 'Brand', 'Sku', 'Item_type', 'Image'],
  };
};

/** Microdata outside of any item, or nothing but texts: shops that somebody wrote by hand. */
export const byHand: Theme = (shop, thing, others) => {
  const { locale } = shop;
  const former = thing.oldPrice === undefined ? '' : `<s>${amountOf(shop, thing.oldPrice)}</s> `;
  const price = shop.hasOpenGraph
    ? `<span itemprop="price" content="${statedAmount(thing.price, shop.amounts, shop.money.decimals)}">${amountOf(shop, thing.price)}</span><meta itemprop="priceCurrency" content="${shop.money.currency}">`
    : `<strong>${amountOf(shop, thing.price)}</strong>`;
  const rows = [
    ['Art. no.', thing.sku],
    ['Brand', thing.brand],
  ];
  const main = `<div id="wrap"><div id="left"><b>${locale.shopWords[1]}</b><br><a href="/c/1">${thing.category}</a></div><div id="center"><h1>${thing.name}</h1><table cellpadding="4"><tr><td rowspan="2">${pictureOf(shop, thing)}</td><td><p class="preis">${former}${price} <small>${locale.tax}</small></p><form action="/cart.php" method="post"><input type="hidden" name="id" value="7"><input type="text" size="2" name="n" value="1"><input type="submit" value="${locale.buy}"></form></td></tr>
<tr><td>${rows.map(([name, value]) => `${name}: ${value}`).join('<br>')}</td></tr></table>${paragraphs(thing.description)}</div>${relatedThings(shop, others, { heading: '', list: 'div', entry: 'div' }, false)}</div>`;
  return {
    body: 'bgcolor="#ffffff"',
    head: `<meta name="description" content="${thing.description[0]}">`,
    main,
    facts: SHOWN,
  };
};

/** RDFa Lite with properties on elements that are shown. */
export const annotated: Theme = (shop, thing, others) => {
  const { locale } = shop;
  const amount = String(statedAmount(thing.price, shop.amounts, shop.money.decimals));
  const shown = shop.ratingIsText && shop.money.decimals === 2;
  const price = shown
    ? `<span property="price">${amountOf(shop, thing.price)}</span>`
    : `<span property="price" content="${amount}">${amountOf(shop, thing.price)}</span>`;
  const rating =
    thing.rating === undefined
      ? NOTHING
      : {
          html: `<div property="aggregateRating" typeof="AggregateRating"><span property="ratingValue" content="${thing.rating.toFixed(shop.ratingPlaces)}">★★★★</span> <span property="ratingCount">${thing.ratingCount}</span></div>`,
          facts: ['Rating_number', 'Rating_count_number'] as const,
        };
  const main = `<main class="layout-content"><div vocab="https://schema.org/" typeof="Product" resource="${urlOf(shop, thing)}"><h1 class="page-header" property="name">${thing.name}</h1><div class="field field--name-image"><img property="image" src="${imageOf(shop, thing)}" width="600" alt=""></div>${rating.html}
<div class="field field--name-brand" property="brand" typeof="Brand"><span property="name">${thing.brand}</span></div><div property="offers" typeof="Offer"><div class="field field--name-price">${price}<meta property="priceCurrency" content="${shop.money.currency}"></div><link property="availability" href="https://schema.org/${thing.availability}"></div><div class="field field--name-sku">SKU <span property="sku">${thing.sku}</span></div>
<form class="commerce-order-item-add-to-cart-form" method="post"><input type="number" value="1"><input type="submit" class="button--add-to-cart button" value="${locale.buy}"></form><div class="field field--name-body" property="description">${paragraphs(thing.description)}</div></div>${relatedThings(shop, others, { heading: '', list: 'ul', entry: 'li' })}</main>`;
  return {
    body: 'class="path-product"',
    head: '',
    main,
    facts: ['Price_number', 'Price_currency', 'Availability', 'Brand', 'Sku', 'Item_type', 'Image', ...rating.facts],
  };
};

/** Several roots in one script, the price with another one without tax beside it, related things marked as products. */
export const regional: Theme = (shop, thing, others) => {
  const { locale, money } = shop;
  const data = jsonLdArray(shop, thing);
  const plugin = pluginData(shop, thing);
  const metas = shop.hasOpenGraph ? openGraph(shop, thing) : socialMetas(shop, thing);
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<span class="price-standard"><span>${amountOf(shop, thing.oldPrice)}</span></span>`;
  const cards = others
    .map(
      (other) =>
        `<div class="product" itemscope itemtype="https://schema.org/Product"><a href="${urlOf(shop, other)}" itemprop="url"><span data-micro="name" itemprop="name">${other.name}</span></a><meta itemprop="image" content="${imageOf(shop, other)}"><div class="p-bottom" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="${other.price}"><meta itemprop="priceCurrency" content="${money.currency}"><link itemprop="availability" href="https://schema.org/InStock"><strong>${amountOf(shop, other.price)}</strong></div></div>`,
    )
    .join('');
  const main = `<div class="overall-wrapper"><div class="breadcrumbs" itemscope itemtype="https://schema.org/BreadcrumbList"><a href="/" data-testid="breadcrumbs-first">${locale.home}</a><span id="navigation-1" itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a href="/c/1" itemprop="item"><span itemprop="name">${thing.category}</span></a><meta itemprop="position" content="1"></span></div>
<div class="p-detail"><div class="p-detail-inner-header"><h1>${thing.name}</h1><span class="p-code"><span class="p-code-label">Code:</span> <span>${thing.sku}</span></span></div><form action="/action/Cart/addCartItem/" method="post" id="product-detail-form"><div class="p-image">${pictureOf(shop, thing)}</div><div class="p-info-wrapper"><div class="p-final-price-wrapper">${former}<strong class="price-final"><span class="price-final-holder">${amountOf(shop, thing.price)}</span></strong> <span class="price-additional">${amountOf(shop, Number((thing.price / 1.21).toFixed(money.decimals)))} net</span></div><div class="availability-value">${locale.inStock}</div><div class="add-to-cart"><input type="number" name="amount" value="1"><button type="submit" class="btn btn-lg btn-conversion add-to-cart-button">${locale.buy}</button></div></div></form>
<div id="description"><h2>${locale.details}</h2>${paragraphs(thing.description)}</div></div><h2 class="products-related-header">${locale.related}</h2><div class="products-related">${cards}</div></div>${htmlOf(data, plugin)}`;
  return { body: 'class="desktop type-detail"', head: metas.html, main, facts: factsOf(data, plugin, metas) };
};
