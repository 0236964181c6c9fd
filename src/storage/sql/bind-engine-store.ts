import type { StoredDocument } from '../../core/document.ts';
import { runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import { documentStore } from '../engine/documents.ts';
import type { EngineStore } from '../engine-store.ts';
import { bindStore, type StoreRunner } from './bind-store.ts';
import { ENGINE_STORES } from './stores.ts';

/** Damaged rows that one process logs of an engine. */
const MAX_REPORTED = 100;

/** What needs the connection itself; the rest is made of operations, unless an adapter has its own. */
type OwnMethods = Pick<EngineStore, (typeof OWN)[number]> & Partial<EngineStore>;
const OWN = ['engineId', 'changeToken', 'startProjection', 'claimGeneration'] as const;
type BoundStore = Omit<EngineStore, (typeof OWN)[number]>;

/** The store of an engine, of the operations behind its port. */
export function bindEngineStore(own: OwnMethods, runner: StoreRunner, log: Log | undefined): EngineStore {
  const onDamaged = damageNotes(own.engineId, (rid) => runner.write('noteDamaged', [{ rid }]), log);
  const bound = bindStore<BoundStore>([...ENGINE_STORES, documentStore(onDamaged)], runner);
  const countByCrawler = heldUntilChange(own.changeToken, bound.countDocumentsByCrawler);
  return {
    ...bound,
    ...own,
    countDocumentsByCrawler: countByCrawler,
    countDocuments: async (crawlerId) => {
      if (crawlerId !== undefined) return bound.countDocuments(crawlerId);
      return (await countByCrawler()).values().reduce((sum, count) => sum + count, 0);
    },
  };
}

/** The answer of a read that takes 20 ms for half a million rows, until something else is committed. */
function heldUntilChange<Answer>(changeToken: () => number, read: () => Promise<Answer>): () => Promise<Answer> {
  let held: { readonly token: number; readonly answer: Promise<Answer> } | undefined;
  return async () => {
    const token = changeToken();
    if (held?.token !== token) {
      held = { token, answer: read() };
      // An error is asked for again.
      held.answer.catch(() => {
        held = undefined;
      });
    }
    return held.answer;
  };
}

/** Logs and stores each damaged row once. */
function damageNotes(
  engineId: number,
  note: (rid: number) => Promise<unknown>,
  log: Log | undefined,
): (document: StoredDocument) => void {
  const told = new Set<number>();
  return ({ rid, crawlerId, id }) => {
    if (told.has(rid) || told.size >= MAX_REPORTED || log === undefined) return;
    told.add(rid);
    log.error({ engineId, rid, crawlerId, id }, 'stored document is damaged');
    runInBackground(log, 'note damaged document', async () => {
      await note(rid);
    });
  };
}
