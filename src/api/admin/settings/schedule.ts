import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { mergePatch } from '../../../accounts/manage-engines.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import type { ParseCrawlerSettings } from '../../../accounts/provision-file.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Crawler } from '../../../core/records.ts';
import { plannedRuns } from '../../../crawl/next-runs.ts';
import { parseCrawlSettings } from '../../../crawl/rules/settings.ts';
import type { EngineStores } from '../../../storage/engine-store.ts';
import type { AccountStore } from '../../../storage/system/accounts.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { crawlerOf, digits, queryOf } from '../requests.ts';
import { TIME, timeText } from '../responses.ts';

export type ScheduleRouteDeps = {
  readonly store: Pick<AccountStore, 'findCrawler'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly parseCrawlerSettings: ParseCrawlerSettings;
  readonly clock: Clock;
};

const DEFAULT_RUNS = 5;
const MOST_RUNS = 50;
/** Among them is the last of each kind. */
const LAST_RUNS = 5;

export const SCHEDULE_QUERY = z.strictObject({ count: digits(1, MOST_RUNS).default(DEFAULT_RUNS) });
export const SCHEDULE = z.strictObject({
  count: z.int().min(1).max(MOST_RUNS).default(DEFAULT_RUNS),
  schedule: z.record(z.string(), z.unknown()).optional(),
  timezone: z.string().optional(),
});
export const SCHEDULE_BODY = z
  .object({
    active: z.boolean().describe('False: nothing of it begins before the crawler is activated.'),
    timezone: z.string().nullable().describe('null: that of the machine.'),
    runs: z.array(z.object({ kind: z.enum(['full', 'incremental']), at: TIME })),
  })
  .meta({ id: 'PlannedRuns' });

/** When runs begin by themselves, by the settings of the crawler or by others that are not saved. */
export function scheduleRoutes(deps: ScheduleRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/schedule', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      return scheduleBody(deps, crawler, queryOf(SCHEDULE_QUERY, request).count);
    });

    app.post('/crawlers/:crawlerId/schedule', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      const { count, ...sent } = parseStrictly(SCHEDULE, request.body ?? {});
      const config = deps.parseCrawlerSettings(mergePatch(crawler.config, sent), [], crawler.config);
      return scheduleBody(deps, { ...crawler, config }, count);
    });
  };
}

async function scheduleBody(
  { engineStores, clock }: ScheduleRouteDeps,
  crawler: Crawler,
  count: number,
): Promise<Shown<typeof SCHEDULE_BODY>> {
  const settings = parseCrawlSettings(crawler.config);
  const runs = await (await engineStores.of(crawler.engineId)).scheduledRuns(crawler.id, LAST_RUNS);
  const { id, activeSince, active } = crawler;
  const planned = plannedRuns(settings, { id, activeSince, runs }, { now: clock.now(), count });
  return {
    active,
    timezone: settings.timezone ?? null,
    runs: planned.map(({ kind, at }) => ({ kind, at: timeText(at) })),
  };
}
