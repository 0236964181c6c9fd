import type { Explanation } from '../explanation.ts';
import type { QueryPlan } from '../query-plan.ts';
import type { FuzzyOptions, FuzzyTerm, Hits } from '../search-index.ts';
import type { ExplainedDocument } from './explain.ts';
import type { SharedTexts } from './read/long-values.ts';
import type { SnapshotFacts } from './read/snapshot.ts';

/** A segment as it is handed to a thread; the buffers are shared, not copied. */
export type SentSegment = {
  readonly uid: string;
  readonly head: SharedArrayBuffer;
  readonly fileBytes: number;
  readonly live: Uint32Array | undefined;
  readonly liveCount: number;
};

/** One Int32 in shared memory; other than 0 = nobody waits for the answer any more. */
export type StopFlag = SharedArrayBuffer;

export type ToSearchThread =
  | { readonly kind: 'snapshot'; readonly facts: SnapshotFacts; readonly segments: readonly SentSegment[] }
  | {
      readonly kind: 'extent';
      readonly engineId: number;
      readonly uid: string;
      readonly extent: number;
      readonly buffer: SharedArrayBuffer;
    }
  | {
      readonly kind: 'texts';
      readonly engineId: number;
      readonly uid: string;
      readonly field: number;
      readonly texts: SharedTexts;
    }
  | { readonly kind: 'drop'; readonly engineId: number; readonly uid: string; readonly extent: number }
  | { readonly kind: 'forget'; readonly engineId: number }
  | {
      readonly kind: 'search';
      readonly request: number;
      readonly engineId: number;
      readonly plan: QueryPlan;
      readonly stop: StopFlag;
    }
  | {
      readonly kind: 'explain';
      readonly request: number;
      readonly engineId: number;
      readonly plan: QueryPlan;
      readonly documents: readonly ExplainedDocument[];
      readonly stop: StopFlag;
    }
  | {
      readonly kind: 'near-words';
      readonly request: number;
      readonly engineId: number;
      readonly word: string;
      readonly options: FuzzyOptions;
      readonly stop: StopFlag;
    };

export type FromSearchThread =
  | { readonly request: number; readonly hits: Hits }
  | { readonly request: number; readonly words: readonly FuzzyTerm[] }
  | { readonly request: number; readonly explanations: readonly Explanation[] }
  | { readonly request: number; readonly failure: string };
