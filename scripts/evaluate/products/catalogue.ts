import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '../../../test/helpers/random.ts';
import { LOCALES, type Locale, type Money } from './locales.ts';
import { AMOUNT_FORMS, type AmountForm } from './money.ts';

/** An invented shop: how it looks, what it says in which form. All its pages are made alike. */
export type Shop = {
  readonly host: string;
  readonly name: string;
  /** Of a theme of `THEMES`. */
  readonly theme: number;
  readonly locale: Locale;
  readonly money: Money;
  readonly amounts: AmountForm;
  /** Decimals of its ratings, and whether JSON has them as text. */
  readonly ratingPlaces: number;
  readonly ratingIsText: boolean;
  readonly offers: 'one' | 'list' | 'aggregate' | 'variants' | 'specification';
  readonly brandForm: 'text' | 'object' | 'organization';
  /** A plug-in that describes the product once more. */
  readonly plugin: 'none' | 'reviews' | 'search engines' | 'copy';
  readonly hasOpenGraph: boolean;
  /** Only counted: nobody looks at what is wrong on its pages. */
  readonly isUnseen: boolean;
};

export const AVAILABILITIES = ['InStock', 'InStock', 'InStock', 'OutOfStock', 'PreOrder', 'BackOrder'] as const;

/** Something that a shop sells. */
export type Thing = {
  readonly name: string;
  readonly slug: string;
  readonly brand: string;
  readonly price: number;
  readonly oldPrice: number | undefined;
  readonly availability: (typeof AVAILABILITIES)[number];
  readonly sku: string;
  readonly gtin: string;
  readonly rating: number | undefined;
  readonly ratingCount: number;
  readonly category: string;
  readonly description: readonly string[];
};

const SYLLABLES = 'bra cor del fen gar hul jor kel lum mar nor ost pel quin ros sol tar ul ven wes yar zim'.split(' ');
const SHOP_KINDS = ['Store', 'House', '& Sons', 'Market', 'Goods', 'Supply', 'Atelier', 'Depot'];

export function madeShops(themes: number, perTheme: number): readonly Shop[] {
  const shops = Array.from({ length: themes * perTheme }, (_, at) => madeShop(at, at % themes));
  const byDigest = shops.toSorted((one, other) => digestOf(one.host).compare(digestOf(other.host)));
  const unseen = new Set(byDigest.slice(shops.length / 2));
  return shops.map((shop) => ({ ...shop, isUnseen: unseen.has(shop) }));
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function madeShop(at: number, theme: number): Shop {
  const random = seededRandom(at * 7_919 + 17);
  const word = inventedName(random);
  const locale = LOCALES[(at * 5 + Math.floor(at / LOCALES.length)) % LOCALES.length] as Locale;
  const host = `${random.pick(['www.', 'shop.', ''])}${word.toLowerCase()}-${at}.example`;
  // Most write what their programs give them; one in eight writes amounts as people do.
  const form =
    random.whole(0, 7) === 0 ? random.pick(['comma', 'grouped'] as const) : random.pick(AMOUNT_FORMS.slice(0, 5));
  const money = random.pick(locale.money);
  return {
    host,
    name: `${word} ${random.pick(SHOP_KINDS)}`,
    theme,
    locale,
    money,
    amounts: money.decimals === 3 && /comma|grouped|places$/.test(form) ? 'places' : form,
    ratingPlaces: random.whole(0, 4),
    ratingIsText: random.chance(0.5),
    offers: random.pick(['one', 'one', 'list', 'aggregate', 'variants', 'specification']),
    brandForm: random.pick(['text', 'object', 'object', 'organization']),
    plugin: random.pick(['none', 'none', 'reviews', 'search engines', 'copy']),
    hasOpenGraph: random.chance(0.6),
    isUnseen: false,
  };
}

function inventedName(random: Random): string {
  const word = random.list(2, 3, () => random.pick(SYLLABLES)).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function madeThings(shop: Shop, count: number): readonly Thing[] {
  return Array.from({ length: count }, (_, at) => madeThing(shop, at));
}

function madeThing({ host, locale, money, ratingPlaces }: Shop, at: number): Thing {
  const random = seededRandom(digestOf(`${host} ${at}`).readUInt32LE());
  const brand = random.chance(0.3) ? `${inventedName(random)} ${inventedName(random)}` : inventedName(random);
  const kind = locale.things[at % locale.things.length] ?? '';
  const model = `${inventedName(random)}${random.pick(['', ' 2', ' 1.5 L', ' No. 7', ' XL'])}`;
  const price = madePrice(random, money);
  const isReduced = random.chance(0.4);
  const shuffled = [...locale.sentences].sort(() => random.whole(0, 1) - 0.5);
  return {
    name: `${kind} ${model}`,
    slug: `${model.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${at}`,
    brand,
    price,
    oldPrice: isReduced ? rounded(price * random.pick([1.2, 1.25, 1.5]), money.decimals) : undefined,
    availability: random.pick(AVAILABILITIES),
    sku: random.pick([
      `${brand.slice(0, 2).toUpperCase()}-${random.whole(100, 9_999)}`,
      String(random.whole(10_000, 999_999)),
    ]),
    gtin: `40${random.whole(10_000_000_000, 99_999_999_999)}`,
    rating: random.chance(0.75) ? rounded(random.whole(25_000, 50_000) / 10_000, ratingPlaces) : undefined,
    ratingCount: random.pick([1, random.whole(2, 40), random.whole(1_000, 4_000)]),
    category: locale.shopWords[random.whole(1, 2)] ?? '',
    description: shuffled.slice(0, random.whole(3, 5)),
  };
}

/** Usual prices of the currency: whole, with the favourite cents, or with any. */
function madePrice(random: Random, { currency, decimals }: Money): number {
  const scale = { JPY: 150, HUF: 350, RUB: 90, CZK: 25, SEK: 10, INR: 80, KWD: 0.3 }[currency] ?? 1;
  const whole = Math.max(
    1,
    Math.round(random.pick([random.whole(2, 60), random.whole(60, 999), random.whole(1_000, 4_999)]) * scale),
  );
  if (decimals === 0) return whole;
  const cents = random.pick([0, 0.9, 0.95, 0.99, random.whole(1, 99) / 100]);
  return rounded(whole + (decimals === 3 ? random.pick([0, 0.25, 0.5, 0.75]) : cents), decimals);
}

function rounded(amount: number, decimals: number): number {
  return Number(amount.toFixed(decimals));
}
