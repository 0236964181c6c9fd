import type { SectionBlock } from '../core/document.ts';
import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import type { ValueBoost } from '../search-index/query-plan.ts';
import type { VectorQuery } from '../search-index/vector-index.ts';

/** A sentence of a passage, a line of code, an item of a list or a row of a table. */
export type PassageSentence = {
  /** As the page has it, each run of blanks one blank; code keeps its blanks. */
  readonly text: string;
  /** Of the block that it stands in. */
  readonly kind: SectionBlock['kind'];
  /** Number of its block in the passage, from 0. */
  readonly block: number;
  /** First of its line: of a paragraph, an item or a row. */
  readonly startsLine: boolean;
  /** Addresses an assistant instead of a reader: neither quoted nor put into a prompt. */
  readonly isSuspicious: boolean;
};

/** What answers are made of: up to 180 words of one field of a document, under one heading. */
export type Passage = {
  readonly rid: number;
  readonly crawlerId: number;
  /** Id of the document. */
  readonly documentId: string;
  /** Last change of the document: another version has other passages. */
  readonly seq: number;
  /** Place in the document, from 0. */
  readonly ordinal: number;
  /** The field that it was cut from. */
  readonly field: string;
  /** `Url` and `Title` of the index record; `''` = it has none. */
  readonly url: string;
  readonly title: string;
  /** Of the document, or of the engine when the document tells none. */
  readonly language: string;
  /** Open headings from the outermost on. */
  readonly headings: readonly string[];
  /** Of the nearest heading that has one. */
  readonly anchor: string | undefined;
  /** Of a file with pages, from 1. */
  readonly page: number | undefined;
  /** The sentences with what stands between them: line feeds between items, rows, lines and paragraphs. */
  readonly text: string;
  readonly sentences: readonly PassageSentence[];
  /** SHA-256 of text and headings, 16 bytes as hex: the same passage in another version has the same. */
  readonly hash: string;
};

/** A passage that may bear on a question, with what the search for its document said. */
type PassageCandidate = {
  readonly passage: Passage;
  /** BM25 of the passage for the question's words, with `valueBoost`; 0 when it was found otherwise. */
  readonly score: number;
  /** Score of its document in the search that found it, divided by the best one: 0 to 1. */
  readonly documentScore: number;
};

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
