import { EMPTY_VOCABULARY, type Vocabulary } from './compounds.ts';
import { stemWord } from './stemming.ts';
import { bigramTerm, partTerm } from './term-keys.ts';
import { tokenizeSpans } from './tokenizer.ts';

/** A word of a text: `[start, end)` in the text as written, the normalised word and its stem in the text's language. */
export type Token = {
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly surface: string;
  readonly stem: string;
};

export type AnalyzedText = {
  readonly tokens: readonly Token[];
  /** Pairs of characters in scripts without blanks; `stem` is their term, and their positions are their own. */
  readonly bigrams: readonly Token[];
  /** Parts of the compounds, at their positions and places; `stem` is the part's term. */
  readonly parts: readonly Token[];
  /** Positions used, joined forms not counted: the length in words. */
  readonly positions: number;
};

/** The tokens of a text in the order in which `tokenize` emits them. For queries and highlighting; indexing streams. */
export function analyzeText(text: string, language: string, vocabulary: Vocabulary = EMPTY_VOCABULARY): AnalyzedText {
  const tokens: Token[] = [];
  const bigrams: Token[] = [];
  const positions = tokenizeSpans(text, {
    token(units, length, position, _hash, start, end) {
      const surface = String.fromCharCode(...units.subarray(0, length));
      tokens.push({ start, end, position, surface, stem: stemWord(surface, language) });
    },
    bigram(units, length, position, start, end) {
      const surface = String.fromCharCode(...units.subarray(0, length));
      bigrams.push({ start, end, position, surface, stem: bigramTerm(surface) });
    },
  });
  const parts = tokens.flatMap((token) =>
    (vocabulary.split(token.stem, language)?.stems ?? []).map((part) => ({ ...token, stem: partTerm(part, language) })),
  );
  return { tokens, bigrams, parts, positions };
}

/** The normalised words of a text, joined forms included. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  tokenizeSpans(text, {
    token(units, length) {
      words.push(String.fromCharCode(...units.subarray(0, length)));
    },
  });
  return words;
}
