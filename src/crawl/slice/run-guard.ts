import type { Clock } from '../../core/clock.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { isOpen, limitReached, windowOf } from '../rules/schedule.ts';
import type { CrawlSettings } from '../rules/settings.ts';
import type { RecentRuns } from './recent-runs.ts';

/**
 * Says whether a slice must end for the sake of its crawler's runs: one is paused, was stopped or cut, has reached a
 * limit (which cuts it), or its window has closed. Queued URLs know no window.
 */
export function openRunGuard(
  deps: {
    readonly store: Pick<EngineStore, 'findRun' | 'cutRun'>;
    readonly runs: Pick<RecentRuns, 'find'>;
    readonly clock: Clock;
  },
  input: { readonly hasWindow: boolean },
): (settings: CrawlSettings) => Promise<boolean> {
  const { store, runs, clock } = deps;
  let before: readonly number[] = [];
  return async (settings) => {
    const at = { now: clock.now(), timezone: settings.timezone };
    const living = await runs.find();
    let ends = input.hasWindow && !isOpen(windowOf(settings, at.timezone), at.now);
    for (const run of living) {
      const limit = limitReached(run, settings, at);
      if (limit !== undefined) await store.cutRun(run.id, limit, at.now);
      ends ||= limit !== undefined || run.state === 'paused' || (run.state === 'finishing' && run.open > 0);
    }
    const now = living.map(({ id }) => id);
    for (const id of before) {
      if (!now.includes(id)) ends ||= (await store.findRun(id))?.state === 'stopped';
    }
    before = now;
    return ends;
  };
}
