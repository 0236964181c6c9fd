import type { Passage } from '../search/passage.ts';

/** One numbered text of an answer: a passage, or consecutive passages of one document. */
export type Source = {
  /** What markers `[n]` of composers name, from 1. */
  readonly reference: number;
  readonly passages: readonly [Passage, ...Passage[]];
};
