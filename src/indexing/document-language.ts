import { type Fields, firstValue } from '../core/document.ts';
import { detectLanguage } from '../text/language.ts';
import { languageCode } from '../text/language-code.ts';

/** Characters of the content that detection looks at; with the title they are enough for 96 % (search-engine 5). */
const SAMPLE_CHARS = 400;

/**
 * Language that a document is analysed in: its `Language` field when that is a known code, else what title and beginning
 * look like, else the engine's. It is stored, so a rebuild of the index gives the same words.
 */
export function documentLanguage(fields: Fields, engineLanguage: string): string {
  const stated = statedLanguage(fields);
  if (stated !== undefined) return stated;
  const sample = `${firstValue(fields, 'Title')} ${firstValue(fields, 'Content').slice(0, SAMPLE_CHARS)}`;
  const detected = detectLanguage(sample);
  return (detected === undefined ? undefined : languageCode(detected)) ?? engineLanguage;
}

/** The language that a `Language` field names; undefined when it names none. */
export function statedLanguage(fields: Fields): string | undefined {
  return languageCode(firstValue(fields, 'Language'));
}
