import { catalogueOf, chooseLanguage, type InterfaceLanguage } from '../../src/core/interface-languages.ts';
import { en } from './en.ts';
import type { Message } from './message.ts';

export type MessageKey = keyof typeof en;
/** Every text of the interface in one language; the compiler lists what one lacks. */
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/** All but English are files of their own, loaded when a page needs them. */
const CATALOGUES: Readonly<Record<InterfaceLanguage, () => Promise<Catalogue>>> = {
  en: async () => en,
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

/** The best catalogue for the first of the wanted languages that has one (`pt-BR` takes `pt`); else English. */
export async function loadCatalogue(wanted: readonly string[]): Promise<{ code: string; catalogue: Catalogue }> {
  const code = chooseLanguage(wanted);
  return { code, catalogue: await CATALOGUES[catalogueOf(code) ?? 'en']() };
}
