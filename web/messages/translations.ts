import type { InterfaceLanguage } from '../../src/core/interface-languages.ts';
import type { Catalogue } from './catalogues.ts';

type Translated = Exclude<InterfaceLanguage, 'en'>;

/** Each a file of its own. The list is one, too: its thirty names weigh a kilobyte, and English needs none. */
export const TRANSLATIONS: Readonly<Record<Translated, () => Promise<Catalogue>>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  da: async () => (await import('./da.ts')).da,
  sv: async () => (await import('./sv.ts')).sv,
  nb: async () => (await import('./nb.ts')).nb,
  fi: async () => (await import('./fi.ts')).fi,
  pl: async () => (await import('./pl.ts')).pl,
  cs: async () => (await import('./cs.ts')).cs,
  tr: async () => (await import('./tr.ts')).tr,
  uk: async () => (await import('./uk.ts')).uk,
  ar: async () => (await import('./ar.ts')).ar,
  fa: async () => (await import('./fa.ts')).fa,
  he: async () => (await import('./he.ts')).he,
  ja: async () => (await import('./ja.ts')).ja,
  zh: async () => (await import('./zh.ts')).zh,
  'zh-Hant': async () => (await import('./zh-hant.ts')).zhHant,
  ru: async () => (await import('./ru.ts')).ru,
  hu: async () => (await import('./hu.ts')).hu,
  ro: async () => (await import('./ro.ts')).ro,
  el: async () => (await import('./el.ts')).el,
  ko: async () => (await import('./ko.ts')).ko,
  hi: async () => (await import('./hi.ts')).hi,
  id: async () => (await import('./id.ts')).id,
  vi: async () => (await import('./vi.ts')).vi,
  ca: async () => (await import('./ca.ts')).ca,
  eu: async () => (await import('./eu.ts')).eu,
};
