import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSegments } from './build-segments.ts';
import { deleteRows } from './delete-rows.ts';
import { NEXT_FILE } from './manifest.ts';
import { saveManifest, type WriterDeps } from './publish.ts';
import { type IndexState, mapRows } from './writer-state.ts';

/** What one step of a rebuild reads of the source: bounds its memory, and the wait of a refresh beside it. */
const STEP = { rows: 5_000, bytes: 32 * 1024 * 1024 } as const;
/** Changes after which a rebuild saves where it is, so that its successor goes on from there. */
const SAVE_CHANGES = 50_000;

type Rebuild = {
  readonly from: IndexState;
  readonly nextNumber: () => number;
  readonly saveChanges?: number | undefined;
  readonly signal: AbortSignal;
};

/**
 * A draft brought up to where the source has nothing more; published by nobody, its progress kept in `MANIFEST.next`.
 * Segment files are written as it goes. Rows that were deleted and forgotten meanwhile are in it: reconcile it.
 * @throws the signal's reason between two steps
 */
export async function buildDraft(deps: WriterDeps, rebuild: Rebuild): Promise<IndexState> {
  const { from, nextNumber, signal, saveChanges = SAVE_CHANGES } = rebuild;
  let draft = from;
  let unsaved = 0;
  for (;;) {
    signal.throwIfAborted();
    const step = await applyNext(deps, draft, nextNumber);
    if (step.changes === 0) return draft;
    draft = step.draft;
    unsaved += step.changes;
    if (unsaved >= saveChanges) {
      draft = await saveManifest(deps, NEXT_FILE, draft);
      unsaved = 0;
    }
    deps.at('rebuild-step');
  }
}

/** A draft with all changes of the source after its `seq`. */
export async function catchUp(deps: WriterDeps, from: IndexState, nextNumber: () => number): Promise<IndexState> {
  let draft = from;
  for (;;) {
    const step = await applyNext(deps, draft, nextNumber);
    if (step.changes === 0) return draft;
    draft = step.draft;
    deps.at('rebuild-step');
  }
}

/** Forgets the progress of a rebuild; the files of its segments stay. */
export async function dropProgress({ directory }: Pick<WriterDeps, 'directory'>): Promise<void> {
  await rm(join(directory, NEXT_FILE), { force: true });
}

async function applyNext(deps: WriterDeps, draft: IndexState, nextNumber: () => number) {
  const changes = await deps.source.changesAfter(draft.seq, STEP);
  const last = changes.at(-1);
  if (last === undefined) return { draft, changes: 0 };
  const added = await buildSegments(deps, draft, { changes, nextNumber });
  const deletes = deleteRows(
    draft,
    changes.map(({ rid }) => rid),
  );
  for (const rid of deletes.rids) draft.rows.delete(rid);
  for (const segment of added) mapRows(draft.rows, segment);
  return { draft: { ...draft, seq: last.seq, segments: [...deletes.segments, ...added] }, changes: changes.length };
}
