import { clearBit, hasBit } from './bytes/bitset.ts';
import type { IndexState, LoadedSegment } from './writer-state.ts';

/** The segments without the rows that changed, and the rows that are gone or moved. */
type PlannedDeletes = { readonly segments: readonly LoadedSegment[]; readonly rids: readonly number[] };

/** Kills the present versions of rows: on copies of the live bits, so that nothing changes until it is published. */
export function deleteRows(state: Pick<IndexState, 'segments' | 'rows'>, rids: Iterable<number>): PlannedDeletes {
  const deleted: number[] = [];
  const documentsByN = new Map<number, number[]>();
  for (const rid of rids) {
    const n = state.rows.segmentOf(rid);
    if (n === 0) continue;
    deleted.push(rid);
    const documents = documentsByN.get(n) ?? [];
    documentsByN.set(n, documents);
    documents.push(state.rows.documentOf(rid));
  }
  const segments = state.segments.map((segment) => {
    const documents = documentsByN.get(segment.n);
    return documents === undefined ? segment : tombstoneDocuments(segment, documents);
  });
  return { segments, rids: deleted };
}

/** The segment without some documents; those that are dead already do not matter. O(bits + documents). */
export function tombstoneDocuments(segment: LoadedSegment, documents: readonly number[]): LoadedSegment {
  const live = new Uint32Array(new SharedArrayBuffer(segment.live.byteLength));
  live.set(segment.live);
  let { liveCount, bodyTokens } = segment;
  for (const document of documents) {
    if (!hasBit(live, document)) continue;
    clearBit(live, document);
    liveCount--;
    bodyTokens -= segment.bodyLengths[document]!;
  }
  return { ...segment, live, liveCount, bodyTokens, changed: true };
}
