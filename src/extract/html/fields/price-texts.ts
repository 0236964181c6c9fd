import { shownAmount } from './page-numbers.ts';

/** A price as people read it in a short text. */
export type PriceText = {
  /** As fields have numbers. */
  readonly number: string;
  /** ISO 4217; `''` where the sign is that of several currencies. */
  readonly currency: string;
  /** What the sign was: two signs are two currencies. */
  readonly sign: string;
  /** What stands around it says that it is what the thing costs now. */
  readonly isPresent: boolean;
  /** Taxes come on top of it. */
  readonly isWithoutTax: boolean;
};

const CODES =
  'eur usd gbp chf sek nok dkk isk pln czk huf ron bgn try rub uah ils aed sar inr jpy cny krw thb vnd idr myr sgd ' +
  'hkd twd aud nzd cad mxn brl clp cop ars zar kwd bhd omr jod tnd qar egp mad';

/** Signs and codes of currencies, in lower case; `''` where several have it. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₺': 'TRY', '₪': 'ILS', '₩': 'KRW', '₴': 'UAH' }),
  ...Object.entries({ us$: 'USD', ca$: 'CAD', c$: 'CAD', au$: 'AUD', a$: 'AUD', nz$: 'NZD', hk$: 'HKD' }),
  ...Object.entries({ r$: 'BRL', s$: 'SGD', '฿': 'THB', '₫': 'VND', zł: 'PLN', kč: 'CZK', ft: 'HUF' }),
  ...Object.entries({ руб: 'RUB', грн: 'UAH', лв: 'BGN', lei: 'RON', tl: 'TRY', 円: 'JPY', 원: 'KRW' }),
  ...Object.entries({ $: '', '¥': '', '￥': '', kr: '' }),
  ...CODES.split(' ').map((code) => [code, code.toUpperCase()] as const),
]);

const SIGN = [...CURRENCIES.keys()]
  .sort((one, other) => other.length - one.length)
  .map((sign) => sign.replace('$', '\\$'))
  .join('|');
const NUMBER = String.raw`\d{1,3}(?:[.,'’ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,4})?`;
/** A number with a sign before or behind it, also `$129 USD`, `kr. 129,-`; never the last group of another one. */
const PRICE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,|])(?<!\d[ \u00a0\u2009\u202f](?=\d{3}))(?:(?<before>${SIGN})\.?\s{0,2}(?<first>${NUMBER})(?:\s?(?<code>${CODES.replaceAll(' ', '|')})(?!\p{L}))?|(?<second>${NUMBER})(?:[.,][-–])?\s{0,2}(?<behind>${SIGN}))(?![\p{L}\p{N}|%])(?:[.,][-–])?`,
  'giu',
);

const PRICE_PARTS = new RegExp(String.raw`(?:${SIGN})\.?\s{0,2}\d|\d\s{0,2}(?:${SIGN})`, 'iu');

/** Longer texts are prose, which mentions prices. */
const MAX_CHARS = 300;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** What is said before a price that is asked for now. */
const PRESENT_WORDS = words(`price our your now only just current sale special is today total online
  preis jetzt nur aktueller unser ihr angebotspreis sonderpreis verkaufspreis prix maintenant actuel seulement promo
  precio ahora actual solo oferta prezzo ora adesso attuale preço preco agora por atual prijs nu voor pris nå kun endast
  bare vår vores hinta nyt vain cena teraz tylko aktualna aktuální nyní jen ár ára most csak preț pret acum fiyat fiyatı
  şimdi цена сейчас ціна зараз τιμή τώρα 価格 価格は 现价 現價 价格 售价 가격 판매가 السعر الآن מחיר עכשיו`);
/** What is said before a price of yesterday, or of others. */
const FORMER_WORDS = words(`was were old before original originally former previous rrp msrp srp instead of list
  uvp statt vorher bisher alter früher ehemals streichpreis avant lieu au conseillé ancien antes anterior antigua
  prima anziché invece di listino precedente van adviesprijs oude tidligere før førpris vejl vejledende ordinarie ord
  tidigare veiledende ennen aiemmin ovh poprzednia najniższa regularna katalogowa původní běžná předchozí eredeti
  korábbi vechi eski старая раньше было стара раніше πριν 定価 原价 原價 市场价 정가 قبل السابق במקום`);
/** What is said behind a price: taxes are in it, or not; or that it is paid at once. */
const TAX =
  /^(?:incl|inkl|including|inc|excl|exkl|excluding|ex|net|netto|zzgl|tax|vat|mwst|ust|ttc|ht|tva|taxes|iva|btw|moms|mva|alv|sis|bez|dph|vč|včetně|áfa|bruttó|nettó|z|brutto|kdv|ндс|с ндс|без ндс|пдв|φπα|税込|税抜|含税|à vista|al contado)(?!\p{L})/iu;
const WITHOUT_TAX =
  /^(?:excl|exkl|excluding|ex|net|netto|zzgl\.? (?:der )?(?:mwst|ust)|plus vat|ht|hors taxes?|bez (?:dph|vat)|nettó|без ндс|税抜)(?!\p{L})/iu;

/** Prices in a text of one line or element; none of prose. O(characters). */
export function readPrices(text: string, language: string): readonly PriceText[] {
  if (text.length > MAX_CHARS) return [];
  const found = [...text.matchAll(PRICE)];
  const ends = found.map(({ 0: price, index }) => index + price.length);
  return found.flatMap(({ index, groups = {} }, at) => {
    const before = text.slice(ends[at - 1] ?? 0, index);
    const behind = text.slice(ends[at], found[at + 1]?.index ?? text.length);
    const sign = (groups['code'] ?? groups['before'] ?? groups['behind'] ?? '').toLowerCase();
    const number = shownAmount(groups['first'] ?? groups['second'] ?? '', sign);
    const isLast = at === found.length - 1;
    const isAlone = isTax(behind) || (!isLast && isLabel(behind));
    const label = at === 0 ? before : withoutTax(before);
    const isPresent = isAlone && isPresentLabel(label);
    const isWithoutTax = [label, behind].some((text) => WITHOUT_TAX.test(trimmed(text)));
    return number === '' ? [] : [{ number, currency: currencyOf(sign, language), sign, isPresent, isWithoutTax }];
  });
}

/** Might a text hold a price? Also where what stands beside it is not set apart. */
export function mentionsPrice(text: string): boolean {
  return PRICE_PARTS.test(text);
}

/** No word, or what is said of taxes; of a unit (`/ kg`, `per month`) it is another price. */
function isTax(text: string): boolean {
  const label = trimmed(text);
  return (label === '' && !/\/\s*$/.test(text)) || TAX.test(label);
}

function withoutTax(text: string): string {
  return TAX.test(trimmed(text)) ? '' : text;
}

/** Says of the price behind it whether it is the present one. */
function isLabel(text: string): boolean {
  return !/\d/.test(text) && wordsIn(text).every((word) => PRESENT_WORDS.has(word) || FORMER_WORDS.has(word));
}

function isPresentLabel(text: string): boolean {
  return isLabel(text) && wordsIn(text).every((word) => PRESENT_WORDS.has(word) || TAX.test(word));
}

function trimmed(text: string): string {
  return text.replace(/^[^\p{L}\p{N}/]+/u, '').trim();
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}

/** What the sign of the dollar means by country. */
const DOLLARS: Readonly<Record<string, string>> = {
  us: 'USD',
  ca: 'CAD',
  au: 'AUD',
  nz: 'NZD',
  sg: 'SGD',
  hk: 'HKD',
  tw: 'TWD',
  mx: 'MXN',
  ar: 'ARS',
  cl: 'CLP',
  co: 'COP',
};
const CROWNS: Readonly<Record<string, string>> = { da: 'DKK', sv: 'SEK', nb: 'NOK', nn: 'NOK', no: 'NOK', is: 'ISK' };
const YEN: Readonly<Record<string, string>> = { ja: 'JPY', zh: 'CNY' };

/** `language`: as the page declares it. */
function currencyOf(sign: string, language: string): string {
  const [code = '', ...subtags] = language.toLowerCase().split(/[-_]/);
  if (sign === '$') return DOLLARS[subtags.at(-1) ?? ''] ?? '';
  if (sign === 'kr') return CROWNS[code] ?? '';
  if (sign === '¥' || sign === '￥') return YEN[code] ?? '';
  return CURRENCIES.get(sign) ?? '';
}
