import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore, Actor } from '../storage/system/accounts.ts';

export type ActivateDeps = {
  readonly accounts: Pick<AccountStore, 'changeRecords' | 'findCrawler'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  readonly wake: Wake;
};

export type Activate = { readonly crawlerId: number; readonly actor: Actor };

/**
 * Makes a crawler active and plans its first full run; both are durable when it resolves. What was queued while it
 * was inactive stays discarded. Repeatable. Contract: 9.
 * @throws AppError `crawler.not-found`
 */
export async function activateCrawler(deps: ActivateDeps, input: Activate): Promise<Crawler> {
  const crawler = await setActive(deps, input, true);
  // Somebody else has made it inactive since: a run of it would never begin, and never end.
  if (!crawler.active) return crawler;
  const { id: crawlerId, engineId, activation, configVersion } = crawler;
  const store = await deps.engineStores.of(engineId);
  const at = deps.clock.now();
  await store.stopRuns(crawlerId, activation, at);
  const run = { crawlerId, activation, kind: 'full', startedBy: input.actor, configVersion, at } as const;
  await store.createRun({ ...run, whenBusy: 'skip' });
  deps.wake({ kind: 'crawler-changed', engineId, crawlerId });
  return crawler;
}

/**
 * Makes a crawler inactive, stops its runs and voids everything that waits; documents stay. Nothing is fetched later
 * than 2 s after it resolves. Repeatable. Contract: 9.
 * @throws AppError `crawler.not-found`
 */
export async function deactivateCrawler(deps: ActivateDeps, input: Activate): Promise<Crawler> {
  const crawler = await setActive(deps, input, false);
  const store = await deps.engineStores.of(crawler.engineId);
  await store.stopRuns(crawler.id, crawler.activation, deps.clock.now());
  deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId: crawler.id });
  return crawler;
}

async function setActive(deps: ActivateDeps, { crawlerId, actor }: Activate, active: boolean): Promise<Crawler> {
  const known = await deps.accounts.findCrawler(crawlerId);
  if (known === undefined) throw notFound(crawlerId);
  if (known.active === active) return known;
  await deps.accounts.changeRecords(actor, [{ kind: 'set-crawler-active', id: crawlerId, active }], deps.clock.now());
  const changed = await deps.accounts.findCrawler(crawlerId);
  if (changed === undefined) throw notFound(crawlerId);
  return changed;
}

function notFound(crawlerId: number): AppError {
  return new AppError('crawler.not-found', `There is no crawler ${crawlerId}`);
}
