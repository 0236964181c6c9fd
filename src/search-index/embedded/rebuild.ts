import { buildSegments } from './build-segments.ts';
import { killRows } from './kill-rows.ts';
import type { WriterDeps } from './publish.ts';
import { emptyState, type IndexState, mapRows } from './writer-state.ts';

/** What one step of a rebuild reads of the source: bounds its memory. */
const STEP = { rows: 5_000, bytes: 32 * 1024 * 1024 } as const;

/**
 * A state made anew from `seq` 0 of the source, published by nobody. Segment files are written as it goes. Resolves
 * when the source had nothing more; call `catchUp` again for what has come since.
 */
export async function startRebuild(deps: WriterDeps, language: string, nextNumber: () => number) {
  let draft = emptyState(language);
  const catchUp = async (): Promise<IndexState> => {
    for (;;) {
      const changes = await deps.source.changesAfter(draft.seq, STEP);
      const last = changes.at(-1);
      if (last === undefined) return draft;
      const added = await buildSegments(deps, draft.numbering, { changes, nextNumber });
      const kills = killRows(
        draft,
        changes.map(({ rid }) => rid),
      );
      for (const rid of kills.rids) draft.rows.delete(rid);
      for (const segment of added) mapRows(draft.rows, segment);
      draft = { ...draft, seq: last.seq, segments: [...kills.segments, ...added] };
      deps.at('rebuild-step');
    }
  };
  await catchUp();
  return { catchUp };
}
