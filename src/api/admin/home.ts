import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { type AnswerUsageDeps, readAnswerUsage } from '../../ai/answer-report.ts';
import type { Clock } from '../../core/clock.ts';
import type { Engine } from '../../core/records.ts';
import { type CrawlerSummary, summarizeCrawlers } from '../../crawl/crawler-summaries.ts';
import { FINDING_ACTIONS, FINDING_PAGES, findingTarget } from '../../health/finding-actions.ts';
import type { Finding, Health } from '../../health/health.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { StatisticsStore } from '../../storage/system/statistics.ts';
import { readStatistics } from '../../tracking/statistics.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { isVisible, roleOf, visibleCustomers } from './access.ts';
import { FINDING } from './installation.ts';
import { TIME, timeText } from './responses.ts';
import { type SearchPageDeps, searchPageAddress } from './search-page-address.ts';

export type HomeRouteDeps = Parameters<typeof summarizeCrawlers>[0] &
  Pick<AnswerUsageDeps, 'tokenPrices'> &
  SearchPageDeps & {
    readonly store: Pick<AccountStore, 'listEngines' | 'listCrawlers'>;
    readonly systemStore: StatisticsStore & AnswerUsageDeps['systemStore'];
    readonly health: Health;
    readonly clock: Clock;
  };

const DAY_MS = 86_400_000;

/** What is wrong, and what visitors did today, of all engines that the caller sees. Days are those of UTC. */
export function homeRoutes(deps: HomeRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/home', { config: { access: 'reader' } }, async (request) => {
      const customers = visibleCustomers(request);
      const isOurs = ({ customerId }: { readonly customerId: number }) => isVisible(customers, customerId);
      const now = deps.clock.now();
      const engines = (await deps.store.listEngines()).filter(isOurs);
      const crawlers = await summarizeCrawlers(deps, (await deps.store.listCrawlers()).filter(isOurs));
      const shown: Shown<typeof HOME_ENGINE>[] = [];
      for (const engine of engines) {
        const members = crawlers.filter(({ crawler }) => crawler.engineId === engine.id);
        const page = searchPageAddress(deps, request, engine);
        shown.push({ ...engineBody(engine, page, members), ...(await activityOf(deps, engine.id, now)) });
      }
      const isAbout = concerns({ customers, engines, crawlers });
      const findings = roleOf(request) === 'reader' ? [] : (await deps.health.findings()).filter(isAbout);
      return {
        at: timeText(now),
        findings: findings.map((finding) => findingBody(finding, crawlers)),
        today: shown.map(({ today }) => today).reduce(sumOf, QUIET),
        engines: shown,
      } satisfies Shown<typeof HOME_BODY>;
    });
  };
}

type Seen = {
  readonly customers: ReturnType<typeof visibleCustomers>;
  readonly engines: readonly Engine[];
  readonly crawlers: readonly CrawlerSummary[];
};

/** Whether a finding is about what the caller sees; those about the installation are for who sees all. */
function concerns({ customers, engines, crawlers }: Seen): (finding: Finding) => boolean {
  const engineIds = new Set(engines.map(({ id }) => id));
  const crawlerIds = new Set(crawlers.map(({ crawler }) => crawler.id));
  return (finding) => {
    if (customers === 'all') return true;
    const { engineId, crawlerId } = findingTarget(finding);
    return (
      (engineId !== undefined && engineIds.has(engineId)) || (crawlerId !== undefined && crawlerIds.has(crawlerId))
    );
  };
}

const RATIO = z.number().nullable();
const ACTIVITY = z
  .object({
    searches: z.int(),
    withoutResults: z.int(),
    withoutResultsRatio: RATIO.describe('In all searches of the day; null without any.'),
    answers: z.int().describe('Questions that were asked, refused ones among them.'),
    refused: z.int(),
  })
  .meta({ id: 'DayActivity' });
const HOME_ENGINE = z
  .object({
    id: z.int(),
    name: z.string(),
    customer: z.int(),
    page: z
      .string()
      .nullable()
      .describe(
        'Where its search page is: a path, or an address where visitors have another port; null: not published.',
      ),
    crawlers: z.int(),
    running: z.int().describe('Crawlers with a run under way.'),
    documents: z.int().describe('Those of its crawlers.'),
    lastGoodCrawl: TIME.nullable().describe('When a run came to its end last.'),
    today: ACTIVITY,
    yesterday: ACTIVITY,
  })
  .meta({ id: 'HomeEngine' });
const HOME_FINDING = FINDING.extend({
  page: z.enum(FINDING_PAGES).describe('The page of the admin web that shows more.'),
  action: z.enum(FINDING_ACTIONS).describe('What is done there.'),
  engine: z.int().nullable().describe('The one that it is about, or that its crawler fills.'),
  crawler: z.int().nullable(),
  url: z.string().nullable().describe('The host or URL that it is about.'),
}).meta({ id: 'HomeFinding' });
export const HOME_BODY = z
  .object({ at: TIME, findings: z.array(HOME_FINDING), today: ACTIVITY, engines: z.array(HOME_ENGINE) })
  .meta({ id: 'Home' });

type Activity = Shown<typeof ACTIVITY>;

const QUIET: Activity = { searches: 0, withoutResults: 0, withoutResultsRatio: null, answers: 0, refused: 0 };

async function activityOf(
  deps: HomeRouteDeps,
  engineId: number,
  now: number,
): Promise<{ readonly today: Activity; readonly yesterday: Activity }> {
  const range = { engineId, from: now - DAY_MS, to: now };
  const { days: searched } = await readStatistics(deps, { ...range, device: undefined });
  const { days: asked } = await readAnswerUsage(deps, range);
  const on = (time: number): Activity => {
    const isThen = ({ at }: { readonly at: number }) => at === time - (time % DAY_MS);
    const { searches = 0, withoutResults = 0 } = searched.find(isThen) ?? {};
    const { answers = 0, refused = 0 } = asked.find(isThen) ?? {};
    return withRatio({ searches, withoutResults, answers, refused });
  };
  return { today: on(now), yesterday: on(now - DAY_MS) };
}

function withRatio(counts: Omit<Activity, 'withoutResultsRatio'>): Activity {
  const { searches, withoutResults } = counts;
  return { ...counts, withoutResultsRatio: searches === 0 ? null : Number((withoutResults / searches).toFixed(4)) };
}

function sumOf(a: Activity, b: Activity): Activity {
  return withRatio({
    searches: a.searches + b.searches,
    withoutResults: a.withoutResults + b.withoutResults,
    answers: a.answers + b.answers,
    refused: a.refused + b.refused,
  });
}

function engineBody(engine: Engine, page: string | null, crawlers: readonly CrawlerSummary[]) {
  const ends = crawlers.flatMap(({ lastGoodRun }) => lastGoodRun?.endedAt ?? []);
  return {
    id: engine.id,
    name: engine.name,
    customer: engine.customerId,
    page,
    crawlers: crawlers.length,
    running: crawlers.filter(({ state }) => state === 'running').length,
    documents: crawlers.reduce((sum, { documents }) => sum + documents, 0),
    lastGoodCrawl: ends.length === 0 ? null : timeText(Math.max(...ends)),
  };
}

function findingBody(finding: Finding, crawlers: readonly CrawlerSummary[]): Shown<typeof HOME_FINDING> {
  const { page, action, engineId, crawlerId, url } = findingTarget(finding);
  const ofCrawler = crawlers.find(({ crawler }) => crawler.id === crawlerId);
  return {
    ...finding,
    page,
    action,
    engine: engineId ?? ofCrawler?.crawler.engineId ?? null,
    crawler: crawlerId ?? null,
    url: url ?? null,
  };
}
