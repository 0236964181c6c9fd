import type { RemovalStore } from '../removal-store.ts';
import { hasAsked } from './apply-removals.ts';
import type { EngineConnection } from './connection.ts';
import { countRemovals, groupRemovals, listRemovals } from './removal-list.ts';
import { countRemoved, findDocumentHead, findHeldRemoval } from './removals.ts';

const NOTHING_APPLIED = { approved: 0, undone: 0 };

/** Documents that left or wait for an operator: reads on this thread, writes on the write thread. */
export function removalStore({ engineId, read, thread }: EngineConnection): RemovalStore {
  return {
    countRemoved: async (crawlerId, since) => countRemoved(read, crawlerId, since),
    findHeldRemoval: async (crawlerId, documentId) => findHeldRemoval(read, crawlerId, documentId),
    findDocumentHead: async (crawlerId, documentId) => findDocumentHead(read, crawlerId, documentId),
    countRemovals: async (crawlerId) => countRemovals(read, crawlerId),
    listRemovals: async (of) => listRemovals(read, of),
    groupRemovals: async (of) => groupRemovals(read, of),
    askRemovals: (input) => thread.engine(engineId, 'askRemovals', input),
    applyRemovals: async (input) =>
      hasAsked(read, input.crawlerId) ? thread.engine(engineId, 'applyRemovals', input) : NOTHING_APPLIED,
    expireRemovals: (crawlerId, before, limit) =>
      thread.engine(engineId, 'expireRemovals', { crawlerId, before, limit }),
  };
}
