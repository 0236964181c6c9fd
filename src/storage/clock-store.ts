/**
 * Part of the port `SystemStore`: what the wall clock of the installation did. Promises:
 * - `noteTime` keeps the time, and records a jump of more than 30 s against the time that was noted before, together;
 * - what has passed is `elapsedMs` by a clock that only grows. Without it, at the first note of a process, only a clock
 *   that was set back is a jump: forward, nobody can tell it from a pause;
 * - jumps are numbered upwards, and the last 100 are kept.
 */
export interface ClockStore {
  noteTime(input: NoteTime): Promise<ClockJump | undefined>;
  /** Newest first. */
  clockJumps(): Promise<readonly ClockJump[]>;
}

export type NoteTime = { readonly at: number; readonly elapsedMs: number | undefined };

export type ClockJump = {
  readonly id: number;
  /** Wall time when it was seen, by the clock as it is since. */
  readonly seenAt: number;
  /** Below 0: the clock was set back. */
  readonly byMs: number;
};
