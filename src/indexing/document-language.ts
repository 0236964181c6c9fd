import { type Fields, firstValue } from '../core/document.ts';
import { detectLanguage } from '../text/language.ts';

/** Characters of the content that detection looks at; with the title they are enough for 96 % (search-engine 5). */
const SAMPLE_CHARS = 400;
const LANGUAGE_CODE = /^([a-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})?$/i;

/**
 * Language that a document is analysed in: its `Language` field when that is a code, else what title and beginning
 * look like, else the engine's. It is stored, so a rebuild of the index gives the same words.
 */
export function documentLanguage(fields: Fields, engineLanguage: string): string {
  const stated = statedLanguage(fields);
  if (stated !== undefined) return stated;
  const sample = `${firstValue(fields, 'Title')} ${firstValue(fields, 'Content').slice(0, SAMPLE_CHARS)}`;
  return detectLanguage(sample) ?? engineLanguage;
}

/** The code in a `Language` field without its region, lower case; undefined when there is none. */
export function statedLanguage(fields: Fields): string | undefined {
  return LANGUAGE_CODE.exec(firstValue(fields, 'Language'))?.[1]?.toLowerCase();
}
