/** Languages of the interface of search page and widget, BCP 47; each has a catalogue of texts in `web/messages`. */
export const INTERFACE_LANGUAGES = ['en'] as const;
export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];

/** Languages that are written from right to left (CLDR, of those that pages are found in). */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set('ar arc ckb dv fa he ks ps sd ug ur yi'.split(' '));

/**
 * The first wanted language that has texts, as it was wanted (`pt-BR` has those of `pt`, and writes its own dates);
 * else English.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.find((code) => catalogueOf(code) !== undefined) ?? 'en';
}

/** Whose texts a language takes; undefined when there are none. */
export function catalogueOf(code: string): InterfaceLanguage | undefined {
  const [base] = code.toLowerCase().split('-');
  return INTERFACE_LANGUAGES.find((name) => name === code) ?? INTERFACE_LANGUAGES.find((name) => name === base);
}

export function directionOf(code: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(code.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr';
}
