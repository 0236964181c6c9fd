import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import type { ValueBoost } from '../search-index/query-plan.ts';
import type { VectorQuery } from '../search-index/vector-index.ts';
import type { Passage, PassageCandidate } from './passage.ts';

/** A word of a question that carries content. */
export type QuestionWord = {
  /** As the tokenizer writes it. */
  readonly text: string;
  /** Share of its weight that it keeps, 0 to 1: verbs and nouns of all questions say little. */
  readonly factor: number;
  /** Words that stand for it on pages that answer. */
  readonly also?: readonly string[];
};

/** What of a question its passages are looked for with. */
export type PassageQuery = {
  /** The question; one that is not understood alone, as it is meant. */
  readonly text: string;
  readonly language: string;
  /** Distinct, in order of the question; empty when it holds no word at all. */
  readonly words: readonly QuestionWord[];
  /** All words of the question in its order: synonyms and words written apart are found among them. */
  readonly written: readonly string[];
  /** Words of what the question wants defined; empty = it wants no definition. */
  readonly subject: readonly string[];
};

export type RetrievalInput = {
  readonly engine: Engine;
  readonly question: PassageQuery;
  /** Vector of the question; undefined, or given rows = words alone find passages. */
  readonly query?: VectorQuery | undefined;
  readonly filter: FilterNode;
  readonly boosts: readonly ValueBoost[];
  /** Fields that passages are cut from. */
  readonly sourceFields: readonly string[];
  /** Rows to take all passages from, whatever their words; undefined = the best documents of the search. */
  readonly restrictTo?: readonly number[] | undefined;
  readonly signal: AbortSignal;
};

/** What satisfies a word of a question too: one word, or several of which all are needed. */
export type WordAlternative = {
  readonly words: readonly string[];
  /** 0 to 1. */
  readonly weight: number;
  /** Means the same; others are spellings, guesses and degrees of the word. */
  readonly isSynonym: boolean;
};

/** A word of the question as passages are judged by it. */
export type QuestionTerm = {
  readonly text: string;
  /** Inverse document frequency, at least 0.3, times the factor of the word. */
  readonly weight: number;
  /** No document has it. */
  readonly isUnseen: boolean;
  readonly alternatives: readonly WordAlternative[];
};

/** Stems as 32-bit hashes in the language of the document, in order of the text, repeated as there. */
export type Terms = Uint32Array;

/** A passage with the stems of its texts in its language, made once per version of its document. */
export type AnalysedPassage = {
  readonly passage: Passage;
  /** Of each sentence, in order. */
  readonly sentences: readonly Terms[];
  readonly headings: Terms;
  /** Each once, without stop words. */
  readonly lastHeading: Terms;
  readonly title: Terms;
};

export type AnalysedCandidate = PassageCandidate & {
  readonly analysed: AnalysedPassage;
  /** Of its vector and that of the question; undefined = not known. */
  readonly cosine?: number | undefined;
  /** Found by its vector alone. */
  readonly isVectorCandidate?: true;
};

export type RetrievedPassages = {
  /** In order of the question. */
  readonly terms: readonly QuestionTerm[];
  /** Best first; at most 40 and 12 more that define the subject; then at most 40 that were found by their vectors. */
  readonly candidates: readonly AnalysedCandidate[];
  /** Documents that passages were looked for in. */
  readonly documents: number;
};
