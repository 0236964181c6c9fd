import { catalogueOf, chooseLanguage } from '../../src/core/interface-languages.ts';
import { en } from './en.ts';
import type { Message } from './message.ts';

export type MessageKey = keyof typeof en;
/** Every text of the interface in one language; the compiler lists what one lacks. */
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/**
 * The best catalogue for the first of the wanted languages that has one (`pt-BR` takes `pt`); else English,
 * which alone is part of the page.
 */
export async function loadCatalogue(wanted: readonly string[]): Promise<{ code: string; catalogue: Catalogue }> {
  const code = chooseLanguage(wanted);
  const name = catalogueOf(code) ?? 'en';
  if (name === 'en') return { code, catalogue: en };
  const { TRANSLATIONS } = await import('./translations.ts');
  return { code, catalogue: await TRANSLATIONS[name]() };
}
