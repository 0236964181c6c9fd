import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { HostHolds } from './host-holds.ts';
import { resolveDuplicates } from './resolve-duplicates.ts';
import { type CrawlSettings, parseCrawlSettings } from './rules/settings.ts';
import { summarizeRun } from './summarize-run.ts';

/**
 * Turns a run from finishing to finished: judges duplicates once more and writes its summary; what was said when it was cut
 * stays in it. Repeatable until it is finished. False: somebody else did, or it has not ended.
 */
export async function finishRun(
  deps: { readonly store: EngineStore; readonly hostHolds: Pick<HostHolds, 'ofHosts'>; readonly clock: Clock },
  crawler: Pick<Crawler, 'config'>,
  runId: number,
): Promise<boolean> {
  const { store, hostHolds, clock } = deps;
  const run = await store.findRun(runId);
  if (run?.state !== 'finishing') return false;
  const at = clock.now();
  const settings = run.kind === 'urls' ? undefined : settingsOf(crawler);
  const duplicates = settings && (await resolveDuplicates({ store, now: at }, run, settings.duplicates));
  const pageLimit = settings?.limits.pages ?? Number.POSITIVE_INFINITY;
  const summary = await summarizeRun({ store, hostHolds }, run, { at, duplicates, pageLimit });
  const cut: unknown = JSON.parse(run.summary ?? '{}');
  return store.finishRun(runId, JSON.stringify({ ...summary, ...(cut as object) }), at);
}

/** A run ends also when the settings of its crawler have become invalid. */
function settingsOf({ config }: Pick<Crawler, 'config'>): CrawlSettings | undefined {
  try {
    return parseCrawlSettings(config);
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.invalid') return undefined;
    throw error;
  }
}
