import type { EvidenceWindow } from './evidence-window.ts';
import type { ReadText } from './read-text.ts';
import type { Segment } from './segments.ts';

/** What a check compares: a unit, the window that may support it, and which sentences bear which part. */
export type Comparison = {
  readonly unit: ReadText;
  readonly window: EvidenceWindow;
  readonly segments: readonly Segment[];
  /** Language of the source. */
  readonly language: string;
};

/** Whether the unit stands this comparison. Pure; linear in the unit and the window. */
export type Check = (comparison: Comparison) => boolean;
