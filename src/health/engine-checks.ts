import { AppError } from '../core/errors.ts';
import { type Finding, finding } from './finding.ts';
import type { Check } from './health.ts';
import { inRounds } from './in-rounds.ts';

type Named = { readonly id: number; readonly name: string };
type Engines = () => Promise<readonly Named[]>;

export type IndexDeps = {
  readonly engines: Engines;
  /** Why searches of an engine have no index to answer from; undefined = they have. */
  readonly repairOf: (engineId: number) => Promise<string | undefined>;
};

/** Engines without an index that was made of their store. One whose store cannot be opened is another check's. */
export function checkIndexes({ engines, repairOf }: IndexDeps): Check {
  const look = inRounds<Named>(async ({ id, name }) => {
    const cause = await repairOf(id).catch(() => undefined);
    if (cause === undefined) return [];
    return [
      finding('index-repair', {
        subject: `engine ${id}`,
        sentence: `The index of engine ${id} (${name}) is being made from its store (${cause}): its searches are answered with an error until that is done`,
        command: 'npx fossick status (and wait; the indexer must run)',
      }),
    ];
  });
  return { name: 'indexes', look: async () => look(await engines()) };
}

type Damaged = { readonly count: number; readonly first: readonly { readonly rid: number; readonly id: string }[] };

export type StoreDeps = {
  readonly engines: Engines;
  /** Rejects with what is wrong with a store that cannot be used. */
  readonly engineStores: { of(engineId: number): Promise<{ damagedDocuments(): Promise<Damaged> }> };
};

/** Stores that cannot be used, and documents that are damaged. */
export function checkStores({ engines, engineStores }: StoreDeps): Check {
  const look = inRounds<Named>(async (engine) => {
    try {
      const damaged = await (await engineStores.of(engine.id)).damagedDocuments();
      return damaged.count > 0 ? [damagedDocuments(engine, damaged)] : [];
    } catch (error) {
      return [unusableStore(engine, error)];
    }
  });
  return { name: 'stores of engines', look: async () => look(await engines()) };
}

function unusableStore({ id, name }: Named, error: unknown): Finding {
  const isNewer = error instanceof AppError && error.code === 'storage.version-mismatch';
  const cause = error instanceof Error ? error.message : String(error);
  return finding('store-unusable', {
    subject: `engine ${id}`,
    sentence: `The store of engine ${id} (${name}) cannot be used (${cause}): its searches, pushes and crawls are refused, other engines go on`,
    command: isNewer ? 'start the newer program' : `stop the product, and: npx fossick restore <backup>`,
  });
}

function damagedDocuments({ id, name }: Named, { count, first }: Damaged): Finding {
  const ids = first.map((document) => document.id).join(', ');
  return finding('documents-damaged', {
    subject: `engine ${id}`,
    sentence: `Engine ${id} (${name}) has damaged documents, ${count} in all (${ids}): they are left out of searches until they are written again`,
    command: `npx fossick documents get ${id} ${first[0]?.rid ?? 0} (then push it or crawl it again)`,
  });
}
