import type { RunStore } from '../storage/run-store.ts';
import type { WorkFacts } from './why-not-now.ts';

/** Who could work on a crawler now. */
export type WorkOn = (store: Pick<RunStore, 'listLanes'>, crawlerId: number) => Promise<WorkFacts>;

/** `hasSlots`: whether host slots can be asked for, which needs Redis. */
export function createWorkOn(deps: { readonly hasSlots: () => boolean }): WorkOn {
  return async (store, crawlerId) => {
    const lanes = await store.listLanes(crawlerId);
    return { hasSlots: deps.hasSlots(), hasWorker: lanes.some(({ isHeld }) => isHeld) };
  };
}
