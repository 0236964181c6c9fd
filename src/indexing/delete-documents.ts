import type { Clock } from '../core/clock.ts';
import type { DocumentKind } from '../core/document.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { WriteTarget } from './put-documents.ts';

export type DeleteDeps = { readonly engineStores: EngineStores; readonly clock: Clock };

/** `kinds` = what each deleted document was, in order of the ids; undefined for unknown ids. */
export type DeleteResult = {
  readonly seq: number;
  readonly deleted: number;
  readonly kinds: readonly (DocumentKind | undefined)[];
};

/** Deletes documents by id, at once and for good; unknown ids are no error. Durable when it resolves. Contract: 8.2. */
export async function deleteDocuments(
  deps: DeleteDeps,
  { engine, crawler }: WriteTarget,
  ids: readonly string[],
): Promise<DeleteResult> {
  const store = await deps.engineStores.of(engine.id);
  const { seq, rows, kinds } = await store.deleteDocuments(crawler.id, ids, deps.clock.now());
  return { seq, kinds, deleted: rows.filter((outcome) => outcome === 'deleted').length };
}
