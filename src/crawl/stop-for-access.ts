import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Log } from '../observability/logger.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { CrawlAccess } from './crawl-access.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';

/** `login-failed`: the site refused · `secrets`: a secret cannot be read where the crawler runs. */
export type AccessFault = { readonly reason: 'login-failed' | 'secrets'; readonly why: string };

/** Ends the runs of a crawler that cannot get in; the summary says why. Its documents stay. */
export async function stopForAccess(
  deps: { readonly store: Pick<RunStore, 'livingRuns' | 'failRun'>; readonly clock: Clock; readonly log: Log },
  crawler: Pick<Crawler, 'id'>,
  fault: AccessFault,
): Promise<void> {
  const living = (await deps.store.livingRuns()).filter(({ crawlerId }) => crawlerId === crawler.id);
  for (const { id } of living) await deps.store.failRun(id, JSON.stringify(fault), deps.clock.now());
  deps.log.error({ crawlerId: crawler.id, ...fault }, 'the crawler does not get in');
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
