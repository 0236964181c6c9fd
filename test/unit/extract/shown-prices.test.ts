import { describe, expect, test } from 'vitest';
import { readPrices } from '../../../src/extract/html/fields/price-texts.ts';
import { extractHtml, jsonLd } from '../../helpers/extract-html.ts';

/** Price, currency and where the price comes from, as far as the page has them. */
async function priceOf(html: string, language = 'en') {
  const { fields, trace } = await extractHtml(`<html lang="${language}"><body>${html}</body></html>`);
  const values = [fields.get('Price_number')?.[0], fields.get('Price_currency')?.[0], trace.sources['Price_number']];
  return values.filter((value) => value !== undefined);
}

const H1 = '<h1>Steel kettle</h1>';
const BUY = '<button>Add to cart</button>';
const TEXT = '<p>A kettle of brushed steel that boils a litre of water in three minutes and turns itself off.</p>';

describe('a price is read beside the heading and the button that buys', () => {
  test.each<[string, string, readonly string[], string?]>([
    ['in a line of its own', `${H1}<p class=price>€129.00</p>${BUY}${TEXT}`, ['129.00', 'EUR']],
    ['with its label', `${H1}<p>Price: <b>$1,299</b></p>${BUY}`, ['1299']],
    ['with the code of its currency', `${H1}<p>$129.00 USD</p>${BUY}`, ['129.00', 'USD']],
    [
      'with taxes and a link to shipping costs',
      `${H1}<div>1.299,00 € <small>inkl. MwSt. zzgl. <a href="/versand">Versandkosten</a></small></div><button>In den Warenkorb</button>`,
      ['1299.00', 'EUR'],
      'de',
    ],
    ['in crowns of the language', `${H1}<p>1.299 kr.</p><button>Læg i kurv</button>`, ['1299', 'DKK'], 'da'],
    ['in crowns, whole', `${H1}<p>kr 249,-</p><button>Legg i handlekurv</button>`, ['249', 'NOK'], 'nb'],
    ['behind a description', `${H1}${TEXT}<p>129 zł</p><button>Dodaj do koszyka</button>`, ['129', 'PLN'], 'pl'],
    [
      'in a form',
      `${H1}<form><p>£12.50</p><input type=number><input type=submit value="Add to basket"></form>`,
      ['12.50', 'GBP'],
    ],
    [
      'behind a link that looks like a button',
      `${H1}<p>€ 49</p><a href="/cart?add=7" class=button>Acheter</a>`,
      ['49', 'EUR'],
      'fr',
    ],
    ['in Japanese', `${H1}<p>12,800円（税込）</p><button>カートに入れる</button>`, ['12800', 'JPY'], 'ja'],
    ['in Chinese', `${H1}<p>¥299.00</p><button>加入购物车</button>`, ['299.00', 'CNY'], 'zh-CN'],
    ['in Arabic', `${H1}<p>AED 250</p><button>أضف إلى السلة</button>`, ['250', 'AED'], 'ar'],
    ['in elements of its parts', `${H1}<p><span><bdi><span>€</span>129.00</bdi></span></p>${BUY}`, ['129.00', 'EUR']],
    ['with cents set high', `${H1}<p>€<span>129</span><sup>50</sup></p>${BUY}`, ['129.50', 'EUR']],
    ['said twice', `${H1}<p>€129</p><p>Now: €129</p>${BUY}`, ['129', 'EUR']],
    ['in a heading', `${H1}<h2>€129</h2>${BUY}`, ['129', 'EUR']],
    ['beside the price of a kilogram', `${H1}<p>€12.90 (€25.80 / kg)</p>${BUY}`, ['12.90', 'EUR']],
    ['beside shipping costs', `${H1}<p>€129</p><p>Shipping: €4.90</p>${BUY}`, ['129', 'EUR']],
    ['beside what is saved', `${H1}<p>€129</p><p>You save €30 (19%)</p>${BUY}`, ['129', 'EUR']],
    [
      'and not of products behind it',
      `${H1}<p>€129</p>${BUY}<ul><li><a href="/p/2">Cup</a> €9 ${BUY}</li></ul>`,
      ['129', 'EUR'],
    ],
    ['in thousandths', `${H1}<p>KWD 12.500</p>${BUY}`, ['12.5', 'KWD']],
    ['in dollars of the country', `${H1}<p>$129</p>${BUY}`, ['129', 'USD'], 'en-US'],
    ['in dollars of another one', `${H1}<p>$129</p>${BUY}`, ['129', 'CAD'], 'fr-CA'],
    ['below a heading with the brand', `${H1}<h2><a href="/b">Nordlys</a></h2><p>€129</p>${BUY}`, ['129', 'EUR']],
    ['in a list beside the button', `${H1}<ul><li>Code: 7</li><li>€129</li></ul>${BUY}`, ['129', 'EUR']],
    ['beside that without taxes', `${H1}<ul><li>€129</li><li>Ex Tax: €107.50</li></ul>${BUY}`, ['129', 'EUR']],
    ['without taxes, alone', `${H1}<p>€129 excl. VAT</p>${BUY}`, ['129', 'EUR']],
    ['behind a sign of two words', `${H1}<p>R$ 36,95 <small>à vista</small></p>${BUY}`, ['36.95', 'BRL'], 'pt-BR'],
    [
      'behind a sentence that only some hear',
      `${H1}<p><del>1 410 Kč</del><span>Původní cena: 1 410 Kč.</span><ins>1 175 Kč</ins><span>Cena: 1 175 Kč.</span></p><button>Do košíku</button>`,
      ['1175', 'CZK'],
      'cs',
    ],
    ['on a page with two ways to buy', `${H1}<p>€129</p>${BUY}<button>Buy now</button>`, ['129', 'EUR']],
  ])('%s', async (_, html, [number, ...currency], language) => {
    expect(await priceOf(html, language)).toEqual([number, ...currency, 'shown']);
  });

  test.each([
    ['deleted', '<del>€159</del> <ins>€129</ins>'],
    ['struck', '<span><s>€159</s></span><span>€129</span>'],
    ['of the past by its class', '<span class="old-price">€159</span> <span>€129</span>'],
    ['crossed out by its style', '<span style="text-decoration: line-through">€159</span> €129'],
    ['of the past by its label', 'Was €159, now €129'],
    ['recommended', 'RRP: €159 <b>Our price: €129</b>'],
    [
      'for screen readers',
      '<del aria-hidden=true>€159</del><span>Original price was: €159.</span><ins aria-hidden=true>€129</ins><span>Current price is: €129.</span>',
    ],
  ])('of a present price and one %s, the present one', async (_, price) => {
    expect(await priceOf(`${H1}<p>${price}</p>${BUY}`)).toEqual(['129', 'EUR', 'shown']);
  });
});

const CARDS = (card: string) => `<h1>Kettles</h1><div>${card.repeat(3)}</div>`;

describe('no price is read', () => {
  test.each([
    ['without a button', `${H1}<p>€129</p>${TEXT}`],
    ['without a heading', `<p>€129</p>${BUY}`],
    ['with two headings', `${H1}<p>€129</p>${BUY}<h1>Cup</h1><p>€9</p>${BUY}`],
    ['without a currency', `${H1}<p>129.00</p>${BUY}`],
    ['of two currencies', `${H1}<p>€129 / $149</p>${BUY}`],
    ['of two currencies in two lines', `${H1}<p>€129</p><p>(about $149)</p>${BUY}`],
    ['of two prices', `${H1}<p>€129</p><p>€149</p>${BUY}`],
    ['of a range', `${H1}<p>€129 – €149</p>${BUY}`],
    ['of shipping alone', `${H1}<p>Shipping: €4.90</p><p>Free delivery over €50</p>${BUY}`],
    ['of a month', `${H1}<p>€9 per month</p>${BUY}`],
    ['of a rate', `${H1}<p>or 4 payments of €9</p>${BUY}`],
    ['of what is saved', `${H1}<p>Save €30</p>${BUY}`],
    ['crossed out alone', `${H1}<p><s>€129</s></p>${BUY}`],
    ['that nobody sees', `${H1}<p hidden>€129</p>${BUY}`],
    ['of an option', `${H1}<select><option>Large €149</select>${BUY}`],
    ['in prose', `${H1}<p>The kettle costs €129 and comes with a cup.</p>${BUY}`],
    ['of digits in two elements', `${H1}<p>€<b>12</b><i>90</i></p>${BUY}`],
    ['far from the button', `${H1}<p>€129</p>${TEXT.repeat(12)}${BUY}`],
    ['of a list with headings', CARDS(`<div><h3><a href="/p">Kettle</a></h3><p>€9</p>${BUY}</div>`)],
    ['of a list without headings', CARDS(`<div><a href="/p">Kettle</a><p>€9</p>${BUY}</div>`)],
    ['of a list without links', CARDS(`<div>Kettle<p>€9</p>${BUY}</div>`)],
    ['of a list of one', `<h1>Kettles</h1><div><div><a href="/p">Steel kettle</a> <b>€9</b>${BUY}</div></div>`],
    ['of a list of items', `<h1>Kettles</h1><ul><li>Kettle <b>€9</b>${BUY}</li></ul>`],
    ['of rows', `<h1>Kettles</h1><table><tr><td>Steel<td>€9<td>${BUY}<tr><td>Iron<td>€8<td>${BUY}</table>`],
    ['of a flat list', `<h1>Kettles</h1><p>€9</p>${BUY}<p>€8</p>${BUY}`],
    ['of plans', `<h1>Plans</h1><section><h2>Small</h2><p>€9</p>${BUY}</section>`],
    ['of a product beside the text', `${H1}<aside><p>€9</p>${BUY}</aside>`],
    ['of an article', `<meta property=og:type content=article>${H1}<p>€129</p>${BUY}`],
    ['of an article by its date', `<meta property=article:published_time content=2026-01-01>${H1}<p>€129</p>${BUY}`],
    ['of an article by its data', `${jsonLd({ '@type': 'NewsArticle' })}${H1}<p>€129</p>${BUY}`],
    [
      'of several products by their data',
      `${jsonLd({ '@type': 'Product', name: 'A' }, { '@type': 'Product', name: 'B' })}${H1}<p>€129</p>${BUY}`,
    ],
    ['of a ticket', `${jsonLd({ '@type': 'MusicEvent' })}${H1}<p>€129</p>${BUY}`],
    ['of a list by its data', `${jsonLd({ '@type': 'ItemList' })}${H1}<p>€129</p>${BUY}`],
  ])('%s', async (_, html) => {
    expect(await priceOf(html)).toEqual([]);
  });
});

describe('a property of a price that stands in no item', () => {
  test.each<[string, string, readonly string[]]>([
    ['is the price', `${H1}<span itemprop=price content="129.00">129,00 €</span>`, ['129.00', 'itemprop']],
    ['with zeros of a database', `${H1}<span itemprop=price content="129.0000">129</span>`, ['129', 'itemprop']],
    [
      'with its currency',
      `${H1}<meta itemprop=priceCurrency content=eur><meta itemprop=price content=129>`,
      ['129', 'EUR', 'itemprop'],
    ],
    ['as text', `${H1}<span itemprop=price>1.299,00 €</span>`, ['1299.00', 'itemprop']],
    [
      'comes behind what an item says',
      `${H1}${jsonLd({ '@type': 'Product', offers: { price: 5 } })}<b itemprop=price content=9></b>`,
      ['5', 'item'],
    ],
    [
      'says nothing when there are several',
      `${H1}<b itemprop=price content=9></b><b itemprop=price content=8></b>`,
      [],
    ],
    ['says nothing without a heading', '<b itemprop=price content=9></b>', []],
    ['says nothing in an article', `<meta property=og:type content=article>${H1}<b itemprop=price content=9></b>`, []],
    [
      'is not that of an item',
      `${H1}<p itemscope itemtype="https://schema.org/Service"><b itemprop=price content=9></b></p>`,
      [],
    ],
  ])('%s', async (_, html, wanted) => {
    expect(await priceOf(html)).toEqual(wanted);
  });
});

test('prices of a long hostile text are read in linear time', () => {
  expect(readPrices('€1 '.repeat(100_000), 'en')).toEqual([]);
});
