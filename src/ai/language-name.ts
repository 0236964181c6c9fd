import { languageCode } from '../text/language-code.ts';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** `German`, for prompts. */
export function languageName(tag: string): string {
  const code = languageCode(tag);
  return code === undefined ? 'the language of the question' : (NAMES.of(code) ?? code);
}
