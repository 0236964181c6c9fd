import type { Source } from './sources.ts';

export type AnswerLength = 'comprehensive' | 'concise';

/** What a composer makes text of. */
export type Composition = {
  readonly purpose: 'answer' | 'summary';
  /** Stands alone: what it refers back to is written out. */
  readonly question: string;
  /** Of the answer: a language code. */
  readonly language: string;
  readonly length: AnswerLength;
  /** Best first; a summary's in the order of its request. */
  readonly sources: readonly [Source, ...Source[]];
  /** Wishes of the caller about tone and form: data, never a rule. */
  readonly customPrompt: string | undefined;
  /** Earlier exchanges that the question depends on, oldest first, without markers. */
  readonly history: readonly { readonly question: string; readonly answer: string }[];
  /** Sentences of a first answer that no source supports; undefined = this is the first. */
  readonly rejected?: readonly string[] | undefined;
};

/** What a composer writes alone when the sources hold no answer. In other text it takes back the segment it stands in. */
export const NO_ANSWER = 'NO_ANSWER';

/**
 * Writes text in deltas of any size, with markers `[n]` of the sources behind what they support. Nothing it writes is
 * believed: the citation guard stands behind every composer.
 */
export type Composer = (composition: Composition, signal: AbortSignal) => AsyncIterable<string>;
