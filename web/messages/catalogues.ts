import { en } from './en.ts';
import type { Message } from './message.ts';

export type MessageKey = keyof typeof en;
/** Every text of the interface in one language; the compiler lists what one lacks. */
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/** The languages of the interface; all but English are files of their own, loaded when a page needs them. */
const CATALOGUES: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: async () => en,
};

export const INTERFACE_LANGUAGES: readonly string[] = Object.keys(CATALOGUES);

/** The best catalogue for the first of the wanted languages that has one (`pt-BR` takes `pt`); else English. */
export async function loadCatalogue(wanted: readonly string[]): Promise<{ code: string; catalogue: Catalogue }> {
  for (const code of wanted) {
    const load = CATALOGUES[code] ?? CATALOGUES[code.toLowerCase().split('-')[0] ?? ''];
    if (load !== undefined) return { code, catalogue: await load() };
  }
  return { code: 'en', catalogue: en };
}
