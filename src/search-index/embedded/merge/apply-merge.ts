import { hasBit } from '../bytes/bitset.ts';
import { tombstoneDocuments } from '../delete-rows.ts';
import type { LoadedSegment } from '../writer-state.ts';

/**
 * The list with the sources of a merge replaced by its result, in the place of the first. Documents that died while
 * the merge ran die in the result. Undefined when a source is no longer in the list: the result is then of no use.
 */
export function applyMerge(
  present: readonly LoadedSegment[],
  sources: readonly LoadedSegment[],
  result: LoadedSegment,
): { segments: readonly LoadedSegment[]; merged: LoadedSegment } | undefined {
  const deleted: number[] = [];
  let number = 0;
  for (const source of sources) {
    const now = present.find(({ uid }) => uid === source.uid);
    if (now === undefined) return undefined;
    for (let d = 0; d < source.documents; d++) {
      if (!hasBit(source.live, d)) continue;
      if (!hasBit(now.live, d)) deleted.push(number);
      number++;
    }
  }
  const merged = deleted.length === 0 ? result : tombstoneDocuments(result, deleted);
  const gone = new Set(sources.map(({ uid }) => uid));
  const segments = present.flatMap((segment) => {
    if (segment.uid === sources[0]?.uid) return [merged];
    return gone.has(segment.uid) ? [] : [segment];
  });
  return { segments, merged };
}

/** Rows and body lengths of a merge's result: those of the sources' live documents, one source after the other. */
export function mergedColumns(sources: readonly LoadedSegment[]): { rids: Uint32Array; bodyLengths: Uint32Array } {
  const count = sources.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const rids = new Uint32Array(count);
  const bodyLengths = new Uint32Array(count);
  let number = 0;
  for (const source of sources) {
    for (let d = 0; d < source.documents; d++) {
      if (!hasBit(source.live, d)) continue;
      rids[number] = source.rids[d]!;
      bodyLengths[number++] = source.bodyLengths[d]!;
    }
  }
  return { rids, bodyLengths };
}
