import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Log } from '../observability/logger.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { CrawlAccess } from './crawl-access.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';

/** `login-failed`: the site refused · `secrets`: a secret cannot be read where the crawler runs. */
export type AccessFault = { readonly reason: 'login-failed' | 'secrets'; readonly why: string };

/** Pauses the runs of a crawler that cannot get in, until the operator resumes them; their summary says why. */
export async function pauseForAccess(
  deps: { readonly store: Pick<RunStore, 'pauseRuns'>; readonly clock: Clock; readonly log: Log },
  crawler: Pick<Crawler, 'id'>,
  fault: AccessFault,
): Promise<void> {
  const runIds = await deps.store.pauseRuns(crawler.id, deps.clock.now(), JSON.stringify(fault));
  if (runIds.length > 0) deps.log.error({ crawlerId: crawler.id, runIds, ...fault }, 'the crawler does not get in');
}

/** Why the crawler has nothing to get in with; undefined when it has. */
export function accessFault(access: CrawlAccess, crawler: Crawler): AccessFault | undefined {
  const rules = compileCrawlRules(crawler);
  try {
    access.of(crawler.id, rules);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'request.invalid') throw error;
    const messages = (error.options.problems ?? []).map(({ message }) => message);
    return { reason: 'secrets', why: messages.join('; ') };
  }
}
