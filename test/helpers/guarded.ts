import {
  type GuardCounters,
  type GuardedSegment,
  type GuardOptions,
  guardAnswer,
} from '../../src/ai/citation-guard.ts';

export type Guarded = {
  readonly segments: readonly GuardedSegment[];
  readonly counters: GuardCounters;
  readonly text: string;
};

/** Passes a text through the guard in the pieces that `cuts` make of it. */
export async function guardText(text: string, options: GuardOptions, cuts: readonly number[] = []): Promise<Guarded> {
  const edges = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  return guardPieces(
    edges.slice(1).map((end, i) => text.slice(edges[i], end)),
    options,
  );
}

/** Passes deltas through the guard; `text` is what was sent, each unit with the numbers of its sources. */
export async function guardPieces(pieces: Iterable<string>, options: GuardOptions): Promise<Guarded> {
  async function* deltas() {
    yield* pieces;
  }
  const segments: GuardedSegment[] = [];
  const guarded = guardAnswer(deltas(), options);
  let next = await guarded.next();
  for (; !next.done; next = await guarded.next()) segments.push(next.value);
  const print = ({ text: unit, supports }: GuardedSegment) =>
    `${unit}⟨${supports.map(({ reference }) => reference).join()}⟩`;
  return { segments, counters: next.value, text: segments.map(print).join('') };
}
