import type { AlignedSpan } from './aligned-spans.ts';
import type { ReadText } from './read-text.ts';
import type { SentenceWindow } from './sentence-window.ts';

/** What a check compares: a claim, the window that may support it, and which sentences bear which part. */
export type Comparison = {
  readonly claim: ReadText;
  readonly window: SentenceWindow;
  readonly spans: readonly AlignedSpan[];
  /** Language of the source. */
  readonly language: string;
};

/** Whether the claim stands this comparison. Pure; linear in the claim and the window. */
export type Check = (comparison: Comparison) => boolean;
