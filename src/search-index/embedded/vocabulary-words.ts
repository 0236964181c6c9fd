import { compareCodePoints } from '../../core/compare-text.ts';
import { commonParts } from '../../text/common-parts.ts';
import {
  canBePart,
  commonDocuments,
  hasCompounds,
  KNOWN_DOCUMENTS,
  type KnownWord,
  knownWord,
  type LanguageWords,
} from '../../text/compounds.ts';
import { stemWord } from '../../text/stemming.ts';

/** Folded words of documents in one language, and the documents in which the stems of those stand alone. */
export type WordCounts = {
  readonly documentsByStem: ReadonlyMap<string, number>;
  readonly words: Iterable<string>;
};
export type CountedWords = WordCounts & { readonly documents: number };

/** What a segment that is being built holds. */
export type NewWords = {
  /** By language code. */
  readonly documents: ReadonlyMap<string, number>;
  /** Of words that may be parts. O(tokens). */
  count(language: string): WordCounts;
};

/** Words of a language kept, the most frequent ones: a reader takes 2 µs for each on its first split. */
const MAX_WORDS = 20_000;
/** Shares of the documents and of the words of a language that must be new: so few learnings are seen by every reader. */
const NEW_DOCUMENTS_RATIO = 0.1;
const NEW_WORDS_RATIO = 0.005;

/** The counted words that may be parts, and the common ones of the language. Stems each of them three times. */
export function wordsOfLanguage(language: string, { documents, documentsByStem, words }: CountedWords): LanguageWords {
  const common = new Set(commonParts(language));
  const least = commonDocuments(documents);
  const known: KnownWord[] = [];
  for (const word of common.union(new Set(words))) {
    const counted = documentsByStem.get(stemWord(word, language)) ?? 0;
    const count = common.has(word) ? Math.max(counted, least) : counted;
    if (canBePart({ word, documents: count })) known.push(knownWord(word, count, language));
  }
  return { documents, words: mostFrequent(known) };
}

/**
 * The words of all languages with those of new documents: of a language that is not known yet, or when a tenth of its
 * documents are new and a two-hundredth of its words. Undefined = there is nothing to learn.
 */
export function wordsWithNew(
  languages: ReadonlyMap<string, LanguageWords>,
  added: NewWords,
): ReadonlyMap<string, LanguageWords> | undefined {
  const renewed = new Map<string, LanguageWords>();
  for (const [language, documents] of added.documents) {
    if (!hasCompounds(language)) continue;
    const known = languages.get(language);
    const words =
      known === undefined
        ? wordsOfLanguage(language, { documents, ...added.count(language) })
        : documents >= Math.max(KNOWN_DOCUMENTS, NEW_DOCUMENTS_RATIO * known.documents)
          ? withNewWords(language, known, { documents, ...added.count(language) })
          : undefined;
    if (words !== undefined) renewed.set(language, words);
  }
  return renewed.size === 0 ? undefined : new Map([...languages, ...renewed]);
}

function withNewWords(language: string, known: LanguageWords, added: CountedWords): LanguageWords | undefined {
  const old = new Set(known.words.map(({ word }) => word));
  const fresh: KnownWord[] = [];
  for (const word of added.words) {
    if (old.has(word)) continue;
    const documents = added.documentsByStem.get(stemWord(word, language)) ?? 0;
    if (canBePart({ word, documents })) fresh.push(knownWord(word, documents, language));
  }
  if (fresh.length < Math.max(1, NEW_WORDS_RATIO * old.size)) return undefined;
  return {
    documents: Math.max(known.documents, added.documents),
    words: mostFrequent([...known.words, ...fresh]),
  };
}

/** By code point, so that the same documents always give the same file. */
function mostFrequent(words: readonly KnownWord[]): KnownWord[] {
  const ordered = words.toSorted((a, b) => b.documents - a.documents || compareCodePoints(a.word, b.word));
  return ordered.slice(0, MAX_WORDS).sort((a, b) => compareCodePoints(a.word, b.word));
}
