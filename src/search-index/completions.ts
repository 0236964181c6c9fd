import { foldWord } from '../text/folding.ts';
import { withoutSectionNumber } from '../text/title-name.ts';
import { tokenizeSpans } from '../text/tokenizer.ts';

export type CompletionOptions = {
  /** Items wanted. */
  readonly limit: number;
  /** Texts that the caller has already: neither counted nor returned, however they are written. */
  readonly except: readonly string[];
};

export type Completion = {
  /** As a title or heading has it. */
  readonly text: string;
  /** Live documents that have it as a title or heading; of a single word, those that have it in one. */
  readonly documents: number;
};

/**
 * A word that the last typed one is or begins: behind the words before it with the documents of the completions, added
 * up, elsewhere with the documents that have it in a title or heading and whose language it is no stop word of.
 */
export type Continuation = { readonly word: string; readonly documents: number };

/** A typed word and, most frequent first, the words of titles and headings that it may have been meant for. */
export type FuzzyForms = { readonly word: string; readonly forms: readonly string[] };

/**
 * What a typed text may become. Completions are whole titles and headings, without the number of a section before
 * them, and single words that at least two documents have in one and that are no stop word of the document's language.
 * They are the same when their folded words are. One matches when the typed words stand in it side by side, the last
 * one as the beginning of a word. Only when none does, one typo is let in (`MIN_TYPO_CHARS`).
 * Most documents come first, then what begins with the typed words, then fewest words, then text by code point.
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
  /**
   * What the last of several words may become where they stand side by side, or else anywhere: folded, most documents
   * first, then by code point, `MAX_CONTINUATIONS` at most. Completions that the caller has already count, too, words
   * that are stop words wherever they stand do not.
   */
  readonly continuations: readonly Continuation[];
  /** The first ones of a large engine are being made: there are none until then. */
  readonly isPending?: true | undefined;
};

export const NO_COMPLETIONS: Completions = {
  total: 0,
  items: [],
  correctedTotal: 0,
  corrected: [],
  fuzzy: undefined,
  continuations: [],
};

export const PENDING_COMPLETIONS: Completions = { ...NO_COMPLETIONS, isPending: true };

/** Fields whose values complete. */
export const COMPLETED_FIELDS = ['Title', 'Headings'] as const;
/** Documents that must have a word that is no whole title or heading. */
export const MIN_WORD_DOCUMENTS = 2;
/** UTF-8 bytes above which a value is no title or heading that anybody would type. */
export const MAX_PHRASE_BYTES = 200;
/**
 * A typo is looked for in words from this length on: in the only written-out word that no title or heading has, or,
 * when all are known, in the last one, whose beginning may then be one edit (optimal string alignment) away.
 */
export const MIN_TYPO_CHARS = 4;
/** Forms that `near` lists, and words of a typed text that are looked at. */
export const MAX_FUZZY_FORMS = 8;
export const MAX_CONTINUATIONS = 4;
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

/** What of a title or heading completes: without the number of its section, unless it has no other word. */
export function completedText(value: string): string {
  const text = withoutSectionNumber(value);
  return text === value || phraseWords(text).length > 0 ? text : value;
}

/** A word of a phrase as it is written there, or the whole phrase with all that is around its words. */
export function displayOf(phrase: string, part: { readonly word: number } | 'whole'): string {
  if (part === 'whole') return phrase.trim().replace(/\s+/g, ' ');
  const { start, end } = phraseWords(phrase)[part.word] ?? {};
  return phrase.slice(start, end);
}
