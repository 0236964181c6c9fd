import { foldWord } from '../text/folding.ts';
import { tokenizeSpans } from '../text/tokenizer.ts';

export type CompletionOptions = {
  /** Items wanted; fewer matches than this let those with one typo in. */
  readonly limit: number;
  /** Texts that the caller has already: neither counted nor returned, however they are written. */
  readonly except: readonly string[];
};

export type Completion = {
  /** As a title or heading has it. */
  readonly text: string;
  /** Live documents that have it in a title or heading. */
  readonly documents: number;
};

/** A typed word and, most frequent first, the words of titles and headings that it may have been meant for. */
export type FuzzyForms = { readonly word: string; readonly forms: readonly string[] };

/**
 * What a typed text may become. Completions are whole titles, and runs of one to four words that at least two
 * documents have in a title or heading and that neither begin nor end with a stop word of the document's language.
 * They are the same when their folded words are. One matches when the typed words stand in it side by side, the last
 * one as the beginning of a word. With fewer such matches than wanted, one typo is let in (`MIN_TYPO_CHARS`).
 * Most documents come first, then fewest words, then text by code point.
 */
export type Completions = {
  /** All matches without a typo, whatever the limit. */
  readonly total: number;
  readonly items: readonly Completion[];
  /** The same for matches with a typo. */
  readonly correctedTotal: number;
  readonly corrected: readonly Completion[];
  /** The word that a typo was looked for in; undefined when none was, or there is none. */
  readonly fuzzy: FuzzyForms | undefined;
};

export const NO_COMPLETIONS: Completions = { total: 0, items: [], correctedTotal: 0, corrected: [], fuzzy: undefined };

/** Fields whose values complete. */
export const COMPLETED_FIELDS = ['Title', 'Headings'] as const;
/** Words of the longest run that is not a whole title, and documents that must have it. */
export const MAX_RUN_WORDS = 4;
export const MIN_RUN_DOCUMENTS = 2;
/** UTF-8 bytes above which a value is no title or heading that anybody would type. */
export const MAX_PHRASE_BYTES = 200;
/**
 * A typo is looked for in words from this length on: in the only written-out word that no title or heading has, or,
 * when all are known, in the last one, whose beginning may then be one edit (optimal string alignment) away.
 */
export const MIN_TYPO_CHARS = 4;
/** Forms that `near` lists, and words of a typed text that are looked at. */
export const MAX_FUZZY_FORMS = 8;
export const MAX_TYPED_WORDS = 16;

export type PhraseWord = {
  readonly surface: string;
  /** The form that is compared. */
  readonly folded: string;
  /** Its place in the text. */
  readonly start: number;
  readonly end: number;
};

/** Words of a title, heading or typed text, joined forms left out. */
export function phraseWords(text: string): readonly PhraseWord[] {
  const words: PhraseWord[] = [];
  tokenizeSpans(text, {
    token(units, length, position, _hash, start, end) {
      // A joined form comes after its parts, at the position of the first.
      if (position < words.length) return;
      const surface = String.fromCharCode(...units.subarray(0, length));
      words.push({ surface, folded: foldWord(surface), start, end });
    },
  });
  return words;
}

/** The folded words of a typed text; the last one is a beginning. */
export function typedWords(text: string): readonly string[] {
  return phraseWords(text)
    .slice(0, MAX_TYPED_WORDS)
    .map(({ folded }) => folded);
}

/** `count` words of a phrase from word `first` on, as written; a whole title with all that is around its words. */
export function displayOf(text: string, run: { first: number; count: number; whole: boolean }): string {
  const folded = (part: string) => part.trim().replace(/\s+/g, ' ');
  if (run.whole) return folded(text);
  const words = phraseWords(text).slice(run.first, run.first + run.count);
  return folded(text.slice(words[0]?.start, words.at(-1)?.end));
}
