/** What supports a segment of an answer. URL and title are those of the index record, never generated text. */
export type Citation = {
  /** From 1, by first appearance; of a summary, the 1-based position in its sources. */
  readonly reference: number;
  readonly url: string;
  readonly pageTitle: string;
  /** The supporting sentences, plain text, at most 300 characters. */
  readonly snippet: string;
  readonly crawlerId: number;
  readonly documentId: string;
  readonly ordinal: number;
  readonly hash: string;
};

export const REFUSAL_REASONS = [
  'no-passages',
  'below-gate',
  'type-missing',
  'no-sentence',
  'model-refused',
  'no-valid-citation',
  'filtered',
  'language',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export type ComposerName = 'extractive' | 'model' | 'cache';

export type AnswerOutcome = {
  /** Undefined = at least one verified claim was sent. */
  readonly refusal: RefusalReason | undefined;
  /** The answer ends before what it had to say. */
  readonly isIncomplete: boolean;
  /** Half of its claims or more were dropped. */
  readonly isDegraded: boolean;
};

/** A piece of an answer that stands by itself: a sentence, an item of a list, a block of code. */
export type AnswerSegment = {
  /** Verified Markdown without markers; begins with the blank or line feeds before it. */
  readonly text: string;
  /** What it stands on, in order of their markers; empty for what claims nothing. */
  readonly citations: readonly Citation[];
};

/** What an answer service yields, in this order: one `start`, segments, one `end`. */
export type AnswerEvent =
  | { readonly type: 'start'; readonly composer: ComposerName; readonly isFallback: boolean }
  | ({ readonly type: 'segment' } & AnswerSegment)
  | { readonly type: 'end'; readonly outcome: AnswerOutcome };
