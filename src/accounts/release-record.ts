import type { Releasable } from '../core/managed-record.ts';
import type { Actor, RecordChange } from '../storage/system/accounts.ts';
import { type ChangeDeps, changeRecords, requireRecord } from './account-change.ts';

/**
 * Takes a record out of the hands of its provision file, as it is. A file that still names it takes it back when it is
 * applied next. Nothing changes of one that no file owns.
 * @throws AppError `record.not-found`
 */
export async function releaseRecord(
  deps: ChangeDeps,
  { actor, kind, id }: { readonly actor: Actor; readonly kind: Releasable; readonly id: number },
): Promise<void> {
  await changeRecords(deps, actor, [await RELEASES[kind](deps, id)]);
}

const RELEASES: Readonly<Record<Releasable, (deps: ChangeDeps, id: number) => Promise<RecordChange>>> = {
  customer: async ({ store }, id) => {
    const customer = requireRecord('customer', id, await store.findCustomer(id));
    return { kind: 'put-customer', id, name: customer.name, seen: customer };
  },
  engine: async ({ store }, id) => {
    const engine = requireRecord('engine', id, await store.findEngine(id));
    const { customerId, name, language, settings, publicSettings } = engine;
    return { kind: 'put-engine', id, customerId, name, language, settings, publicSettings, seen: engine };
  },
  crawler: async ({ store }, id) => {
    const crawler = requireRecord('crawler', id, await store.findCrawler(id));
    const { engineId, name, config } = crawler;
    return { kind: 'put-crawler', id, engineId, name, config, seen: crawler };
  },
};
