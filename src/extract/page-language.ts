import { detectLanguage } from '../text/language.ts';
import { languageCode } from '../text/language-code.ts';
import type { ExtractedLanguage } from './extraction.ts';

/** Letters from which a text tells its language better than the page's own statement. */
const MIN_LETTERS = 60;
const SAMPLE_CHARS = 5_000;
const ENOUGH_LETTERS = new RegExp(`(?:\\p{L}\\P{L}*){${MIN_LETTERS}}`, 'u');

/** The operator's setting, else the text, else, for short texts, what the page declares (first valid one). */
export function languageOf(
  text: string,
  { fixed, declared }: { readonly fixed: string | undefined; readonly declared: readonly (string | undefined)[] },
): ExtractedLanguage | undefined {
  if (fixed !== undefined) return { code: fixed, from: 'settings' };
  const sample = text.slice(0, SAMPLE_CHARS);
  const detected = ENOUGH_LETTERS.test(sample) ? languageCode(detectLanguage(sample) ?? '') : undefined;
  if (detected !== undefined) return { code: detected, from: 'text' };
  for (const tag of declared) {
    const code = languageCode(tag?.split(',')[0] ?? '');
    if (code !== undefined) return { code, from: 'declared' };
  }
  return undefined;
}
