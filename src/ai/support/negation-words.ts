import { answerTableOf } from '../../text/languages/packs.ts';

/**
 * Words that turn a statement around, as the tokenizer writes them, by language. A statement that repeats what one of
 * them governs has to repeat one of them.
 */
const NEGATIONS = answerTableOf('negations');

/** Words that say no in another way. They stand for a negation where one is wanted, and want none themselves. */
const SOFT_NEGATIONS = answerTableOf('softNegations');

export type NegationKind = 'negation' | 'soft';

const KINDS = new Map(Object.keys(NEGATIONS).map((language) => [language, kindsOf(language)]));

function kindsOf(language: string): ReadonlyMap<string, NegationKind> {
  const soft = wordsOf(SOFT_NEGATIONS[language]).map((word) => [word, 'soft'] as const);
  return new Map<string, NegationKind>([
    ...soft,
    ...wordsOf(NEGATIONS[language]).map((word) => [word, 'negation'] as const),
  ]);
}

function wordsOf(list: string | undefined): readonly string[] {
  return list?.split(/\s+/) ?? [];
}

/** What a normalised word does to a statement; undefined = nothing, or no table for the language. */
export function negationOf(word: string, language: string): NegationKind | undefined {
  return KINDS.get(language)?.get(word);
}
