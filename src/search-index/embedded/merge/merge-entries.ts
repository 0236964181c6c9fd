import { PART_PREFIX } from '../../../text/term-keys.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import type { FrontCodedWalk } from '../term-dictionary/front-coded-walk.ts';
import type { MergeSource } from './merger.ts';

/**
 * The dictionary entries of several segments by code point, each once. Entry e has the UTF-8 bytes
 * `bytes[textStarts[e]..textStarts[e + 1])`; it is entry `entries[h]` of source `sources[h]`, for h in
 * `starts[e]..starts[e + 1]`, sources ascending.
 */
export type MergedEntries = {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly textStarts: Uint32Array;
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  readonly entries: Uint32Array;
  /** Per source the number of its first term among the entries. */
  readonly firstTerms: readonly number[];
};

const PART_BYTE = PART_PREFIX.charCodeAt(0);

/**
 * Merges by comparing bytes: O(entries · sources), no strings. `withoutParts` leaves out the part terms, which come
 * first in every dictionary.
 */
export function mergeEntries(sources: readonly MergeSource[], withoutParts: boolean): MergedEntries {
  const walks = sources.map(({ segment }) => segment.dictionary.entries.walk());
  const firstTerms = walks.map((walk) => {
    while (walk.next() && withoutParts && walk.item[0] === PART_BYTE);
    return walk.index;
  });
  const bytes = new GrowableU8();
  const [textStarts, starts, holders, entries] = [0, 1, 2, 3].map(() => new GrowableU32()) as Four<GrowableU32>;
  const least = new Uint32Array(walks.length);
  for (let count = findLeast(walks, least); count > 0; count = findLeast(walks, least)) {
    const first = walks[least[0]!]!;
    textStarts.push(bytes.length);
    bytes.append(first.item, 0, first.length);
    starts.push(entries.length);
    for (let i = 0; i < count; i++) {
      const walk = walks[least[i]!]!;
      holders.push(least[i]!);
      entries.push(walk.index);
      walk.next();
    }
  }
  const count = starts.length;
  textStarts.push(bytes.length);
  starts.push(entries.length);
  return {
    count,
    firstTerms,
    bytes: bytes.array,
    textStarts: textStarts.view(),
    starts: starts.view(),
    sources: holders.view(),
    entries: entries.view(),
  };
}

type Four<T> = [T, T, T, T];

/** Writes the walks that stand at the least text into `least`; returns how many, 0 when all have ended. */
function findLeast(walks: readonly FrontCodedWalk[], least: Uint32Array): number {
  let count = 0;
  for (let number = 0; number < walks.length; number++) {
    const walk = walks[number]!;
    if (walk.isAtEnd) continue;
    const order = count === 0 ? -1 : compareItems(walk, walks[least[0]!]!);
    if (order > 0) continue;
    if (order < 0) count = 0;
    least[count++] = number;
  }
  return count;
}

function compareItems(a: FrontCodedWalk, b: FrontCodedWalk): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a.item[i] !== b.item[i]) return a.item[i]! - b.item[i]!;
  return a.length - b.length;
}
