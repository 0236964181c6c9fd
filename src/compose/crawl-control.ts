import type { CrawlControl } from '../api/admin/crawlers/routes.ts';
import { type ActivateDeps, activateCrawler, deactivateCrawler } from '../crawl/activate-crawler.ts';
import { pauseRun, resumeRun, stopRun } from '../crawl/control-run.ts';
import { queueUrls } from '../crawl/queue-urls.ts';
import { startRun } from '../crawl/start-run.ts';
import type { Log } from '../observability/logger.ts';

const ACTOR = 'operator';

/** What the operator tells crawlers, as the admin API calls it. */
export function crawlControl(deps: ActivateDeps & { readonly log: Log }, dropSnapshot: () => void): CrawlControl {
  return {
    activate: async ({ id }) => {
      await activateCrawler(deps, { crawlerId: id, actor: ACTOR });
      dropSnapshot();
    },
    deactivate: async ({ id }) => {
      await deactivateCrawler(deps, { crawlerId: id, actor: ACTOR });
      dropSnapshot();
    },
    startRun: async (crawler, kind) => {
      const run = await startRun(deps, crawler, { kind, startedBy: ACTOR, whenBusy: 'follow' });
      deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId: crawler.id });
      return run;
    },
    pause: (crawler) => pauseRun(deps, crawler),
    resume: (crawler) => resumeRun(deps, crawler),
    stop: (crawler) => stopRun(deps, crawler),
    queueUrls: (crawler, urls) => queueUrls(deps, crawler, urls),
  };
}
