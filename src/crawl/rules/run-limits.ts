import type { Run, RunLimit } from '../../storage/run-store.ts';
import { openMs, parseWindow, type WindowOf } from './schedule.ts';
import type { CrawlSettings } from './settings.ts';

const MINUTE = 60_000;

/**
 * The limit that a running run has reached. Time counts while the run may fetch: not while it is paused, nor outside of
 * its window. Runs of queued URLs have none.
 */
export function limitReached(
  run: Pick<Run, 'kind' | 'state' | 'bytes' | 'startedAt' | 'createdAt' | 'pausedMs'>,
  settings: Pick<CrawlSettings, 'limits' | 'window'>,
  { now, timezone }: { readonly now: number; readonly timezone: string | undefined },
): RunLimit | undefined {
  if (run.kind === 'urls' || run.state !== 'running') return undefined;
  const { limits } = settings;
  if (run.bytes >= limits.runBytes) return 'runBytes';
  const open = openMs(windowOf(settings, timezone), run.startedAt ?? run.createdAt, now) - run.pausedMs;
  return open >= limits.runMinutes * MINUTE ? 'runMinutes' : undefined;
}

/** The window of a crawler, in its time zone. */
export function windowOf({ window }: Pick<CrawlSettings, 'window'>, timezone: string | undefined): WindowOf {
  return { window: window === undefined ? undefined : parseWindow(window), timezone };
}
