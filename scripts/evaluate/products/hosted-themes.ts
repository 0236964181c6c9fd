import { statedAmount } from './money.ts';
import { imageOf, jsonLd, NOTHING, openGraph, pluginData, type Stated, socialMetas, urlOf } from './product-data.ts';
import {
  amountOf,
  crumbs,
  factsOf,
  htmlOf,
  paragraphs,
  pictureOf,
  relatedThings,
  SHOWN,
  shownRating,
  type Theme,
} from './shop-page.ts';

/** Sections with long class names, both prices always in the page, the title a second time as a link. */
export const dawn: Theme = (shop, thing, others) => {
  const { locale } = shop;
  const sale = thing.oldPrice !== undefined;
  const metas: Stated = {
    html: `<meta property="og:type" content="product"><meta property="og:site_name" content="${shop.name}"><meta property="og:title" content="${thing.name}"><meta property="og:image" content="${imageOf(shop, thing)}">
<meta property="og:price:amount" content="${statedAmount(thing.price, shop.amounts === 'comma' ? 'comma' : 'places', shop.money.decimals)}"><meta property="og:price:currency" content="${shop.money.currency}">`,
    facts: ['Price_number', 'Price_currency', 'Image'],
  };
  const data = jsonLd(shop, thing);
  const plugin = pluginData(shop, thing);
  const label = (text: string) => `<span class="visually-hidden visually-hidden--inline">${text}</span>`;
  const item = (kind: string, amount: number, name = 'span') =>
    `<${name} class="price-item price-item--${kind}">${amountOf(shop, amount)}</${name}>`;
  const prices = `<div class="price price--large${sale ? ' price--on-sale price--show-badge' : ''}"><div class="price__container"><div class="price__regular">${label(locale.was)}${item('regular', thing.price)}</div>
<div class="price__sale">${label(locale.was)}<span>${item('regular', thing.oldPrice ?? thing.price, 's')}</span>${label(locale.now)}${item('sale price-item--last', thing.price)}</div>
<small class="unit-price caption hidden">${label(locale.now)}<span class="price-item price-item--last"><span></span><span aria-hidden="true">/</span></span></small></div>${sale ? '<span class="badge price__badge-sale">%</span>' : ''}</div>`;
  const main = `<main id="MainContent" class="content-for-layout focus-none"><section id="shopify-section-main" class="shopify-section section"><div class="product product--medium product--left grid grid--1-col">
<div class="grid__item product__media-wrapper"><ul class="product__media-list contains-media" role="list"><li class="product__media-item">${pictureOf(shop, thing)}</li></ul></div>
<div class="product__info-wrapper grid__item"><product-info><p class="product__text inline-richtext caption-with-letter-spacing">${thing.brand}</p>
<div class="product__title"><h1>${thing.name}</h1><a href="${urlOf(shop, thing)}" class="product__title"><h2 class="h1">${thing.name}</h2></a></div>${shownRating(shop, thing)}
<div class="no-js-hidden" id="price-main" role="status">${prices}</div><div class="product__tax caption rte">${locale.tax}</div>
<variant-radios><fieldset><legend>Size</legend><input type="radio" name="Size" value="S" checked><label>S</label><input type="radio" name="Size" value="M"><label>M</label></fieldset></variant-radios>
<div class="product-form__input"><label>Quantity</label><input type="number" name="quantity" value="1"></div>
<product-form><form method="post" action="/cart/add"><button type="submit" name="add" class="product-form__submit button"><span>${thing.availability === 'OutOfStock' ? locale.soldOut : locale.buy}</span></button></form></product-form>
<div class="product__description rte">${paragraphs(thing.description)}</div><details><summary><h2 class="h4 accordion__title">${locale.shopWords[7]}</h2></summary><div class="accordion__content rte"><p>${thing.description[0]}</p></div></details></product-info></div></div></section>
${data.html}</main>${relatedThings(shop, others, { heading: 'related-products__heading', list: 'ul', entry: 'li' }, false)}${plugin.html}
<script>var meta = {"product":{"id":8123,"vendor":"${thing.brand}","variants":[{"id":41,"price":${Math.round(thing.price * 100)},"sku":"${thing.sku}"}]}};</script>`;
  return { body: 'class="gradient template-product"', head: metas.html, main, facts: factsOf(metas, data, plugin) };
};

/** Former price and price below each other with words before them, all prices with and without tax prepared. */
export const cornerstone: Theme = (shop, thing, others) => {
  const { locale } = shop;
  const data = shop.plugin === 'none' && !shop.hasOpenGraph ? NOTHING : jsonLd(shop, thing);
  const graph = shop.hasOpenGraph ? openGraph(shop, thing) : NOTHING;
  const former = thing.oldPrice === undefined ? '' : amountOf(shop, thing.oldPrice);
  const hidden = former === '' ? ' style="display: none;"' : '';
  const main = `<div class="body" id="main-content"><div class="container">${crumbs(shop, thing, '›')}<div class="productView" data-event-type="product">
<section class="productView-images"><figure class="productView-image">${pictureOf(shop, thing)}</figure></section>
<section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">${thing.name}</h1><h2 class="productView-brand"><a href="/brands/${thing.slug}"><span>${thing.brand}</span></a></h2>
<div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;"><span>${locale.was}:</span> <span data-product-rrp-price-without-tax class="price price--rrp"></span></div>
<div class="price-section price-section--withoutTax non-sale-price--withoutTax"${hidden}><span>${locale.was}:</span> <span data-product-non-sale-price-without-tax class="price price--non-sale">${former}</span></div>
<div class="price-section price-section--withoutTax"><span class="price-label"></span><span class="price-now-label"${hidden}>${locale.now}:</span> <span data-product-price-without-tax class="price price--withoutTax">${amountOf(shop, thing.price)}</span></div></div>
<div class="productView-rating">${shownRating(shop, thing)}</div><dl class="productView-info"><dt class="productView-info-name sku-label">SKU:</dt><dd class="productView-info-value">${thing.sku}</dd><dt class="productView-info-name">Weight:</dt><dd class="productView-info-value">1.20 KGS</dd></dl></div></section>
<section class="productView-details product-options"><form class="form" method="post" action="/cart.php"><div class="form-field"><label class="form-label form-label--alternate">Quantity:</label><input type="tel" name="qty[]" value="1"></div><input id="form-action-addToCart" class="button button--primary" type="submit" value="${locale.buy}"></form></section>
<article class="productView-description"><ul class="tabs"><li class="tab is-active"><a class="tab-title" href="#tab-description">${locale.details}</a></li></ul><div class="tab-content is-active" id="tab-description">${paragraphs(thing.description)}</div></article></div>
${relatedThings(shop, others, { heading: 'section-heading', list: 'ul', entry: 'li' })}</div></div>${data.html}`;
  const facts = [...factsOf(data, graph), ...SHOWN];
  return { body: 'class="csscolumns papaSupports-style--light"', head: graph.html, main, facts };
};

/** Price above the title's own column, product metas and one item with few members. */
export const squares: Theme = (shop, thing, others) => {
  const metas = openGraph(shop, thing);
  const data = jsonLd({ ...shop, offers: 'one' }, thing);
  const former =
    thing.oldPrice === undefined ? '' : ` <span class="original-price">${amountOf(shop, thing.oldPrice)}</span>`;
  const main = `<main id="page" role="main"><article class="ProductItem hentry" data-item-id="6f"><nav class="ProductItem-nav"><a href="/store">${thing.category}</a></nav><section class="ProductItem-summary">
<section class="ProductItem-gallery"><div class="ProductItem-gallery-slides-item">${pictureOf(shop, thing)}</div></section>
<section class="ProductItem-details"><h1 class="ProductItem-details-title" data-content-field="title">${thing.name}</h1>
<div class="ProductItem-details-checkout"><div class="ProductItem-product-price"><div class="product-price">${amountOf(shop, thing.price)}${former}</div></div>
<div class="ProductItem-details-excerpt">${paragraphs(thing.description)}</div>
<div class="sqs-add-to-cart-button-wrapper"><div class="sqs-add-to-cart-button sqs-button-element--primary" role="button" tabindex="0"><div class="sqs-add-to-cart-button-inner">${shop.locale.buy}</div></div></div></div></section></section></article>
${relatedThings(shop, others, { heading: 'ProductItem-relatedProducts', list: 'div', entry: 'div' }, false)}</main>`;
  return {
    body: 'id="item-6f" class="native-currency-code-usd view-item"',
    head: htmlOf(metas, data),
    main,
    facts: factsOf(metas, data),
  };
};

/** Names of members capitalised as one builder of pages does; classes that say nothing. */
export const hooks: Theme = (shop, thing, others) => {
  const { price, currency } = {
    price: statedAmount(thing.price, shop.amounts, shop.money.decimals),
    currency: shop.money.currency,
  };
  const data = {
    '@context': 'https://schema.org/',
    '@type': 'Product',
    name: thing.name,
    description: thing.description.join(' '),
    sku: thing.sku,
    image: [{ '@type': 'ImageObject', contentUrl: imageOf(shop, thing), width: '1000' }],
    brand: { '@type': 'Brand', name: thing.brand },
    Offers: {
      '@type': 'Offer',
      url: urlOf(shop, thing),
      priceCurrency: currency,
      price,
      Availability: `https://schema.org/${thing.availability}`,
    },
  };
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<span class="sr0Qm" data-hook="sr-formatted-primary-price">${shop.locale.was}</span><span data-hook="formatted-primary-price" class="TQVlq" data-wix-original-price="${thing.oldPrice}">${amountOf(shop, thing.oldPrice)}</span>`;
  const main = `<div id="SITE_CONTAINER"><main id="PAGES_CONTAINER"><article data-hook="product-page" class="_2vWB-"><div class="_3x7-L" data-hook="breadcrumbs"><a href="/">${shop.locale.home}</a>/<a href="${urlOf(shop, thing)}">${thing.name}</a></div>
<div class="_1xQF9"><div class="media-wrapper-hook">${pictureOf(shop, thing)}</div></div><div class="_2rvx1"><h1 data-hook="product-title" class="_2qrJF">${thing.name}</h1><div data-hook="sku" class="_1rwRc">SKU: ${thing.sku}</div>
<div data-hook="product-price" class="_26qxh">${former}<span data-hook="sr-formatted-secondary-price" class="sr0Qm">${shop.locale.now}</span><span data-hook="formatted-primary-price" class="_2-l9W">${amountOf(shop, thing.price)}</span></div>
<label class="_3UhGh">Quantity*</label><input type="number" value="1"><button data-hook="add-to-cart" class="_3j0qu" type="button"><span class="buttonnext__content">${shop.locale.buy}</span></button>
<section data-hook="info-section" class="_1lV4Q"><div data-hook="description" class="_28cEs">${paragraphs(thing.description)}</div></section></div></article>${relatedThings(shop, others, { heading: '_3pX', list: 'ul', entry: 'li' }, false)}</main></div>`;
  const metas = socialMetas(shop, thing);
  return {
    body: 'class="responsive"',
    head: `${metas.html}<script type="application/ld+json">${JSON.stringify(data)}</script>`,
    main,
    facts: ['Price_number', 'Price_currency', 'Availability', 'Brand', 'Sku', 'Item_type', ...metas.facts],
  };
};

/** Drawn by scripts, whose state is in the page; offers of sellers within an aggregate of a single price. */
export const sellers: Theme = (shop, thing, others) => {
  const price = statedAmount(thing.price, shop.amounts, shop.money.decimals);
  const offer = {
    '@type': 'Offer',
    price,
    priceCurrency: shop.money.currency,
    availability: `http://schema.org/${thing.availability}`,
    sku: '7',
    seller: { '@type': 'Organization', name: shop.name },
  };
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': urlOf(shop, thing),
    name: thing.name,
    brand: { '@type': 'Brand', name: thing.brand },
    image: imageOf(shop, thing),
    description: `<p>${thing.description.join('</p><p>')}</p>`,
    mpn: `M${thing.sku}`,
    sku: thing.sku,
    category: thing.category,
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: price,
      highPrice: price,
      priceCurrency: shop.money.currency,
      offers: [offer],
      offerCount: 1,
    },
  };
  const state = JSON.stringify({
    product: {
      productName: thing.name,
      items: [{ sellers: [{ commertialOffer: { Price: thing.price, ListPrice: thing.oldPrice ?? thing.price } }] }],
    },
  });
  const whole = Math.floor(thing.price);
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<span class="vtex-product-price-1-x-listPrice"><span class="vtex-product-price-1-x-listPriceValue strike">${amountOf(shop, thing.oldPrice)}</span></span>`;
  const main = `<div id="render-root" class="render-container"><div class="vtex-breadcrumb-1-x-container" data-testid="breadcrumb"><a href="/">${shop.locale.home}</a><span><a href="/c">${thing.category}</a></span><span>${thing.name}</span></div>
<h1 class="vtex-store-components-3-x-productNameContainer mv0 t-heading-4"><span class="vtex-store-components-3-x-productBrand">${thing.name}</span></h1>
<div class="vtex-flex-layout-0-x-flexCol">${former}<span class="vtex-product-price-1-x-sellingPrice"><span class="vtex-product-price-1-x-sellingPriceValue"><span class="vtex-product-price-1-x-currencyContainer"><span class="vtex-product-price-1-x-currencyCode">${shop.money.sign}</span><span class="vtex-product-price-1-x-currencyLiteral"> </span><span class="vtex-product-price-1-x-currencyInteger">${whole}</span></span></span></span>
<span class="vtex-product-price-1-x-installments">6 x ${amountOf(shop, Number((thing.price / 6).toFixed(shop.money.decimals)))}</span></div>
<button tabindex="0" class="vtex-button bw1 ba fw5" type="button"><div class="vtex-button__label"><span class="vtex-add-to-cart-button-0-x-buttonText">${shop.locale.buy}</span></div></button>
<div class="vtex-store-components-3-x-productDescriptionText">${paragraphs(thing.description)}</div>${relatedThings(shop, others, { heading: 'vtex-rich-text', list: 'div', entry: 'section' })}</div><script>__STATE__ = ${state}</script>`;
  const metas = socialMetas(shop, thing);
  const html = `${metas.html}<script type="application/ld+json">${JSON.stringify(data)}</script>`;
  return {
    body: 'class="bg-base"',
    head: html,
    main,
    facts: ['Price_number', 'Price_currency', 'Availability', 'Brand', 'Sku', 'Item_type', ...metas.facts],
  };
};
