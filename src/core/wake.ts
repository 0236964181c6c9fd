/** Which work may be waiting: URLs of a crawler (lane 0), a run to plan or finish. */
export type WakeHint =
  | { readonly kind: 'queued-urls'; readonly engineId: number; readonly crawlerId: number }
  | {
      readonly kind: 'start-run';
      readonly engineId: number;
      readonly crawlerId: number;
      readonly run: 'full' | 'incremental';
      readonly startedBy: string;
    }
  | { readonly kind: 'crawler-changed'; readonly engineId: number; readonly crawlerId: number };

/**
 * Contract that the job edge implements: "there may be work". A hint may be lost (the sweep finds the work
 * within 5 s). Never throws, never waits, and no answer depends on it.
 */
export type Wake = (hint: WakeHint) => void;
