import { answerTableOf } from './languages/packs.ts';

/**
 * What a sentence opens with that goes on with the one before it, or points back to it: separated by `|`, in lower case.
 * Words that are also articles, or stand for nobody (`es gibt`), are no sign.
 */
const TABLES = answerTableOf('dependentOpeners');

const patterns = new Map<string, RegExp>();

/** Whether a sentence is understood only behind the one before it; never in languages without a table. */
export function hasDependentOpener(sentence: string, language: string): boolean {
  const table = TABLES[language];
  if (table === undefined) return false;
  const pattern = patterns.get(language) ?? compile(table);
  patterns.set(language, pattern);
  return pattern.test(sentence.toLowerCase().replaceAll('’', "'"));
}

function compile(table: string): RegExp {
  const phrases = table.split('|').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
  return new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${phrases.join('|')})(?![\p{L}\p{N}'-])`, 'u');
}
