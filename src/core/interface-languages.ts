/** Languages of the interface of search page and widget, BCP 47; each has a catalogue of texts in `web/messages`. */
export const INTERFACE_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'da',
  'sv',
  'nb',
  'fi',
  'pl',
  'cs',
  'tr',
  'uk',
  'ar',
  'fa',
  'he',
  'ja',
  'zh',
  'zh-Hant',
  'ru',
  'hu',
  'ro',
  'el',
  'ko',
  'hi',
  'id',
  'vi',
  'ca',
  'eu',
] as const;
export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];

/**
 * Codes, in lower case, that take the texts of another: one form of Norwegian stands for both, and Chinese of these
 * places is written in traditional characters (CLDR, likely subtags).
 */
const ALIASES: ReadonlyMap<string, InterfaceLanguage> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
  ['zh-hk', 'zh-Hant'],
  ['zh-mo', 'zh-Hant'],
  ['zh-tw', 'zh-Hant'],
]);

/** Languages that are written from right to left (CLDR, of those that pages are found in). */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set('ar arc ckb dv fa he ks ps sd ug ur yi'.split(' '));

/**
 * The first wanted language that has texts, as it was wanted (`pt-BR` has those of `pt`, and writes its own dates);
 * else English.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.find((code) => catalogueOf(code) !== undefined) ?? 'en';
}

/** Whose texts a language takes, looked up as RFC 4647 (3.4) does; undefined when there are none. */
export function catalogueOf(code: string): InterfaceLanguage | undefined {
  const subtags = code.toLowerCase().split('-');
  const ranges = subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'));
  return ranges.map(catalogueNamed).find((name) => name !== undefined);
}

function catalogueNamed(range: string): InterfaceLanguage | undefined {
  return ALIASES.get(range) ?? INTERFACE_LANGUAGES.find((name) => name.toLowerCase() === range);
}

export function directionOf(code: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(code.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr';
}
