import { statedAmount } from './money.ts';
import {
  type Fact,
  imageOf,
  jsonLd,
  jsonLdGraph,
  NOTHING,
  openGraph,
  pluginData,
  ratingMicrodata,
  type Stated,
  socialMetas,
  urlOf,
} from './product-data.ts';
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

const MARKED: readonly Fact[] = ['Price_number', 'Price_currency', 'Availability', 'Item_type'];

/** Former and present price in `del` and `ins`, said once more for screen readers; one graph at the end of the page. */
export const storefront: Theme = (shop, thing, others) => {
  const { locale, money } = shop;
  const amount = (value: number) =>
    `<span class="woocommerce-Price-amount amount"><bdi>${amountOf(shop, value).replace(money.sign, `<span class="woocommerce-Price-currencySymbol">${money.sign}</span>`)}</bdi></span>`;
  const price =
    thing.oldPrice === undefined
      ? amount(thing.price)
      : `<del aria-hidden="true">${amount(thing.oldPrice)}</del> <span class="screen-reader-text">${locale.was}: ${amountOf(shop, thing.oldPrice)}.</span><ins aria-hidden="true">${amount(thing.price)}</ins><span class="screen-reader-text">${locale.now}: ${amountOf(shop, thing.price)}.</span>`;
  const graph = shop.plugin === 'none' && shop.ratingPlaces === 0 ? NOTHING : jsonLdGraph(shop, thing);
  const plugin = pluginData(shop, thing);
  const main = `<div id="content" class="site-content"><nav class="woocommerce-breadcrumb"><a href="/">${locale.home}</a>&nbsp;&#47;&nbsp;<a href="/c/1">${thing.category}</a>&nbsp;&#47;&nbsp;${thing.name}</nav>
<main id="main" class="site-main"><div id="product-${thing.slug}" class="product type-product status-publish first instock product-type-simple${thing.oldPrice === undefined ? '' : ' sale'}">
<div class="woocommerce-product-gallery"><figure class="woocommerce-product-gallery__wrapper"><div class="woocommerce-product-gallery__image"><a href="${imageOf(shop, thing)}">${pictureOf(shop, thing)}</a></div></figure></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">${thing.name}</h1><div class="woocommerce-product-rating">${shownRating(shop, thing)}</div><p class="price">${price}</p>
<div class="woocommerce-product-details__short-description"><p>${thing.description[0]}</p></div><p class="stock in-stock">${locale.inStock}</p>
<form class="cart" action="${urlOf(shop, thing)}" method="post"><div class="quantity"><label class="screen-reader-text">${thing.name} quantity</label><input type="number" name="quantity" value="1"></div><button type="submit" name="add-to-cart" value="123" class="single_add_to_cart_button button alt">${locale.buy}</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">${thing.sku}</span></span> <span class="posted_in"><a href="/c/1" rel="tag">${thing.category}</a></span></div></div>
<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist"><li class="description_tab active"><a href="#tab-description">${locale.details}</a></li></ul><div class="woocommerce-Tabs-panel" id="tab-description" role="tabpanel"><h2>${locale.details}</h2>${paragraphs(thing.description)}</div></div>
${relatedThings(shop, others, { heading: '', list: 'ul', entry: 'li' })}</div></main></div>${graph.html}${plugin.html}`;
  const head = socialMetas(shop, thing);
  return {
    body: 'class="product-template-default single single-product woocommerce woocommerce-page"',
    head: head.html,
    main,
    facts: [...factsOf(head, graph, plugin), ...SHOWN],
  };
};

/** Microdata in metas beside the shown amounts; the related things are marked as nothing. */
export const luma: Theme = (shop, thing, others) => {
  const { locale, money } = shop;
  const rating = ratingMicrodata(shop, thing);
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<span class="old-price"><span class="price-container price-final_price tax weee"><span class="price-label">${locale.was}</span> <span id="old-price-7" data-price-amount="${thing.oldPrice}" data-price-type="oldPrice" class="price-wrapper"><span class="price">${amountOf(shop, thing.oldPrice)}</span></span></span></span>`;
  const main = `<main id="maincontent" class="page-main"><a id="contentarea" tabindex="-1"></a>${crumbs(shop, thing)}<div class="columns"><div class="column main" itemscope itemtype="http://schema.org/Product"><meta itemprop="image" content="${imageOf(shop, thing)}">
<div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">${thing.name}</span></h1></div><div class="product-reviews-summary">${rating.html}</div>
<div class="product-info-price"><div class="price-box price-final_price" data-role="priceBox"><span class="special-price"><span class="price-container price-final_price tax weee" itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span class="price-label">${locale.now}</span> <span id="product-price-7" data-price-amount="${thing.price}" data-price-type="finalPrice" class="price-wrapper"><span class="price">${amountOf(shop, thing.price)}</span></span><meta itemprop="price" content="${statedAmount(thing.price, shop.amounts, money.decimals)}"><meta itemprop="priceCurrency" content="${money.currency}"><link itemprop="availability" href="http://schema.org/${thing.availability}"></span></span>${former}</div>
<div class="product-info-stock-sku"><div class="stock available"><span>${locale.inStock}</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">${thing.sku}</div></div></div></div>
<div class="product-add-form"><form data-product-sku="${thing.sku}" method="post" id="product_addtocart_form"><div class="field qty"><label><span>Qty</span></label><input type="number" name="qty" value="1"></div><button type="submit" title="${locale.buy}" class="action primary tocart" id="product-addtocart-button"><span>${locale.buy}</span></button></form></div>
<div class="product attribute overview"><div class="value" itemprop="description">${paragraphs(thing.description.slice(0, 1))}</div></div></div>
<div class="product media">${pictureOf(shop, thing)}</div><div class="product info detailed"><div class="data item title active" role="tab"><a class="data switch" href="#description">${locale.details}</a></div><div class="data item content" id="description" role="tabpanel">${paragraphs(thing.description)}</div>
<table class="data table additional-attributes"><tr><th class="col label">Manufacturer</th><td class="col data" itemprop="brand">${thing.brand}</td></tr></table></div>
${relatedThings(shop, others, { heading: 'block-title', list: 'ol', entry: 'li' })}</div></div></main>`;
  return {
    body: 'data-container="body" class="catalog-product-view page-layout-1column"',
    head: `<meta property="og:type" content="product"><script type="text/x-magento-init">{"*":{"mage/cookies":{"expires":null}}}</script>`,
    main,
    facts: [...MARKED, 'Brand', 'Sku', 'Image', ...rating.facts],
  };
};

/** Microdata of the older kind, or JSON-LD of the newer one; icons as letters within the button. */
export const classic: Theme = (shop, thing, others) => {
  const { locale, money } = shop;
  const isNew = shop.ratingIsText;
  const data = isNew ? jsonLd({ ...shop, offers: 'one' }, thing) : NOTHING;
  const scope = (attributes: string) => (isNew ? '' : ` ${attributes}`);
  const metas: Stated = {
    html: `<meta property="og:type" content="product"><meta property="og:url" content="${urlOf(shop, thing)}"><meta property="og:title" content="${thing.name}"><meta property="og:image" content="${imageOf(shop, thing)}"><meta property="product:pretax_price:amount" content="${(thing.price / 1.2).toFixed(6)}"><meta property="product:pretax_price:currency" content="${money.currency}"><meta property="product:price:amount" content="${statedAmount(thing.price, 'shortest', 2)}"><meta property="product:price:currency" content="${money.currency}">`,
    facts: [...SHOWN, 'Image'],
  };
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<div class="product-discount"><span class="regular-price">${amountOf(shop, thing.oldPrice)}</span></div>`;
  const value = isNew
    ? `<span class="current-price-value" content="${thing.price}">${amountOf(shop, thing.price)}</span>`
    : `<span itemprop="price" content="${thing.price}">${amountOf(shop, thing.price)}</span>`;
  const main = `<section id="wrapper"><div class="container"><nav data-depth="3" class="breadcrumb hidden-sm-down"><ol><li><a href="/"><span>${locale.home}</span></a></li><li><a href="/c/1"><span>${thing.category}</span></a></li><li><span>${thing.name}</span></li></ol></nav>
<div id="content-wrapper"><section id="main"${scope('itemscope itemtype="https://schema.org/Product"')}>${isNew ? '' : `<meta itemprop="url" content="${urlOf(shop, thing)}">`}<div class="row product-container"><div class="col-md-6"><div class="images-container">${pictureOf(shop, thing)}</div></div>
<div class="col-md-6"><h1 class="h1"${scope('itemprop="name"')}>${thing.name}</h1><div class="product-prices">${former}<div class="product-price h5${former === '' ? '' : ' has-discount'}"${scope('itemprop="offers" itemscope itemtype="https://schema.org/Offer"')}>${isNew ? '' : `<link itemprop="availability" href="https://schema.org/${thing.availability}"><meta itemprop="priceCurrency" content="${money.currency}">`}<div class="current-price">${value}${former === '' ? '' : '<span class="discount discount-percentage">-20%</span>'}</div></div><div class="tax-shipping-delivery-label">${locale.tax}</div></div>
<div class="product-information"><div class="product-description"${scope('itemprop="description"')}><p>${thing.description[0]}</p></div><form action="/cart" method="post" id="add-to-cart-or-refresh"><div class="product-add-to-cart"><span class="control-label">Quantity</span><input type="number" name="qty" value="1"><button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit"><i class="material-icons shopping-cart">&#xE547;</i> ${locale.buy}</button><span id="product-availability"><i class="material-icons">&#xE5CA;</i> ${locale.inStock}</span></div></form>
<div class="tabs"><ul class="nav nav-tabs"><li class="nav-item"><a class="nav-link active" href="#description">${locale.details}</a></li></ul><div class="tab-pane" id="description">${paragraphs(thing.description)}</div><div class="product-reference"><label class="label">Ref</label> <span${scope('itemprop="sku"')}>${thing.sku}</span></div></div></div></div></div></section>
${relatedThings(shop, others, { heading: 'h5 text-uppercase', list: 'div', entry: 'article' }, false)}</div></div></section>${data.html}`;
  const own = isNew ? data.facts : [...MARKED, 'Sku' as const];
  return {
    body: 'id="product" class="layout-full-width page-product"',
    head: metas.html,
    main,
    facts: [...metas.facts, ...own],
  };
};

/** No data at all: lists without bullets beside the picture, the price in a heading, another without tax below. */
export const opencart: Theme = (shop, thing, others) => {
  const { locale } = shop;
  const former =
    thing.oldPrice === undefined
      ? ''
      : `<li><span style="text-decoration: line-through;">${amountOf(shop, thing.oldPrice)}</span></li>`;
  const withoutTax = shop.ratingIsText
    ? `<li>Ex Tax: ${amountOf(shop, Number((thing.price / 1.2).toFixed(shop.money.decimals)))}</li>`
    : '';
  const main = `<div id="product-product" class="container"><ul class="breadcrumb"><li><a href="/"><i class="fa fa-home"></i></a></li><li><a href="/c/1">${thing.category}</a></li><li><a href="${urlOf(shop, thing)}">${thing.name}</a></li></ul><div class="row"><div id="content" class="col-sm-12"><div class="row"><div class="col-sm-8"><ul class="thumbnails"><li><a class="thumbnail" href="${imageOf(shop, thing)}">${pictureOf(shop, thing)}</a></li></ul><ul class="nav nav-tabs"><li class="active"><a href="#tab-description">${locale.details}</a></li></ul><div class="tab-content"><div class="tab-pane active" id="tab-description">${paragraphs(thing.description)}</div></div></div>
<div class="col-sm-4"><div class="btn-group"><button type="button" class="btn btn-default" title="Wish list"><i class="fa fa-heart"></i></button></div><h1>${thing.name}</h1><ul class="list-unstyled"><li>Brand: <a href="/b/1">${thing.brand}</a></li><li>Product Code: ${thing.sku}</li><li>Reward Points: 600</li><li>Availability: ${locale.inStock}</li></ul>
<ul class="list-unstyled">${former}<li><h2>${amountOf(shop, thing.price)}</h2></li>${withoutTax}</ul><div id="product"><div class="form-group"><label class="control-label" for="input-quantity">Qty</label><input type="text" name="quantity" value="1" id="input-quantity" class="form-control"><button type="button" id="button-cart" class="btn btn-primary btn-lg btn-block">${locale.buy}</button></div></div></div></div>
${relatedThings(shop, others, { heading: '', list: 'div', entry: 'div' })}</div></div></div>`;
  return { body: 'class="common-product"', head: '', main, facts: SHOWN };
};

/** Microdata in metas with a day of release, prices with a star for the note on tax. */
export const shopware: Theme = (shop, thing, others) => {
  const { locale, money } = shop;
  const dearer = Number((thing.price * 1.1).toFixed(money.decimals));
  const rating = ratingMicrodata(shop, thing);
  const stated = (amount: number) => statedAmount(amount, shop.amounts, money.decimals);
  const isAggregate = shop.offers === 'aggregate';
  const price = isAggregate
    ? `<meta itemprop="lowPrice" content="${stated(thing.price)}"><meta itemprop="highPrice" content="${stated(dearer)}"><meta itemprop="offerCount" content="2">`
    : `<meta itemprop="price" content="${stated(thing.price)}">`;
  const former =
    thing.oldPrice === undefined ? '' : `<span class="list-price-price">${amountOf(shop, thing.oldPrice)}*</span>`;
  const main = `<main class="content-main"><div class="container"><nav aria-label="breadcrumb"><ol class="breadcrumb" itemscope itemtype="https://schema.org/BreadcrumbList"><li class="breadcrumb-item" itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a href="/c/1" itemprop="item"><link itemprop="url" href="/c/1"><span class="breadcrumb-title" itemprop="name">${thing.category}</span></a><meta itemprop="position" content="1"></li></ol></nav>
<div class="product-detail" itemscope itemtype="https://schema.org/Product"><div class="row product-detail-headline"><h1 class="product-detail-name" itemprop="name">${thing.name}</h1></div>
<div class="row product-detail-main"><div class="col-lg-7 product-detail-media">${pictureOf(shop, thing).replace('<img', '<img itemprop="image"')}</div><div class="col-lg-5 product-detail-buy"><div itemprop="brand" itemtype="https://schema.org/Brand" itemscope><meta itemprop="name" content="${thing.brand}"></div><meta itemprop="gtin13" content="${thing.gtin}"><meta itemprop="releaseDate" content="2023-08-12">
<div itemprop="offers" itemscope itemtype="http${isAggregate ? 's' : ''}://schema.org/${isAggregate ? 'AggregateOffer' : 'Offer'}"><meta itemprop="url" content="${urlOf(shop, thing)}"><meta itemprop="priceCurrency" content="${money.currency}">${price}
<div class="product-detail-price-container"><p class="product-detail-price${former === '' ? '' : ' with-list-price'}">${amountOf(shop, thing.price)}*</p>${former}</div><div class="product-detail-tax-container"><p class="product-detail-tax">${locale.tax}</p></div>
<div class="product-detail-delivery-information"><link itemprop="availability" href="http://schema.org/${thing.availability}"><p class="delivery-information"><span class="delivery-status-indicator"></span>${locale.inStock}</p></div>
<form id="productDetailPageBuyProductForm" action="/checkout" method="post"><div class="row g-2 buy-widget-container"><select name="quantity"><option value="1">1</option></select><button class="btn btn-primary btn-buy" title="${locale.buy}">${locale.buy}</button></div></form></div>${rating.html}<div class="product-detail-ordernumber-container"><span class="product-detail-ordernumber-label">SKU:</span> <span class="product-detail-ordernumber" itemprop="sku">${thing.sku}</span></div></div></div>
<div class="product-detail-tabs"><h2 class="product-detail-description-title">${locale.details}</h2><div class="product-detail-description-text" itemprop="description">${paragraphs(thing.description)}</div></div></div>
${relatedThings(shop, others, { heading: 'cms-element-title', list: 'div', entry: 'div' })}</div></main>`;
  const metas = shop.hasOpenGraph ? openGraph(shop, thing) : NOTHING;
  return {
    body: 'class="is-ctl-product is-act-index"',
    head: htmlOf(metas),
    main,
    facts: [...MARKED, 'Brand', 'Sku', 'Image', ...factsOf(rating, metas)],
  };
};
