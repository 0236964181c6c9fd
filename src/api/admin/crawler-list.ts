import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { RUN_KINDS, RUN_STATES } from '../../core/crawl-words.ts';
import type { Crawler } from '../../core/records.ts';
import { CRAWLER_STATES, type CrawlerSummary, summarizeCrawlers } from '../../crawl/crawler-summaries.ts';
import { findingTarget } from '../../health/finding-actions.ts';
import type { Finding, Health } from '../../health/health.ts';
import type { Run } from '../../storage/engine/runs.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { isVisible, visibleCustomers } from './access.ts';
import { CRAWLER_BODY, crawlerBody } from './crawl-responses.ts';
import { FINDING } from './installation.ts';
import { digits, LIST_QUERY, pageOf, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type CrawlerListDeps = Parameters<typeof summarizeCrawlers>[0] & {
  readonly store: Pick<AccountStore, 'listCrawlers'>;
  readonly health: Health;
};

const SHOWN_STATES = [...CRAWLER_STATES, 'problem'] as const;

export const CRAWLER_LIST = z.strictObject({
  ...LIST_QUERY,
  customer: digits(1, Number.MAX_SAFE_INTEGER).optional(),
  engine: digits(1, Number.MAX_SAFE_INTEGER).optional(),
  text: z.string().min(1).optional().describe('Part of its name or of a seed, or its id.'),
  state: z
    .enum(SHOWN_STATES, `must be one of ${SHOWN_STATES.join(', ')}`)
    .optional()
    .describe('`problem`: something is wrong with it, whatever it does.'),
});

/** Crawlers with what they are doing, by id. */
export function crawlerListRoutes(deps: CrawlerListDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers', { config: { access: 'editor' } }, async (request) => {
      const customers = visibleCustomers(request);
      const { customer, engine, text, state, ...page } = queryOf(CRAWLER_LIST, request);
      const listed = await deps.store.listCrawlers({
        ...(customer !== undefined && { customerId: customer }),
        ...(engine !== undefined && { engineId: engine }),
      });
      const matching = listed.filter(
        (crawler) => isVisible(customers, crawler.customerId) && (text === undefined || hasText(crawler, text)),
      );
      const findings = findingsByCrawler(await deps.health.findings());
      const wanted = await inState(deps, { crawlers: matching, findings, state });
      const { items, next } = pageOf(wanted, page, (crawler) => crawler);
      const summaries = await summarizeCrawlers(deps, items);
      return { items: summaries.map((summary) => listedBody(summary, findings.get(summary.crawler.id) ?? [])), next };
    });
  };
}

type FindingsByCrawler = ReadonlyMap<number | undefined, readonly Finding[]>;

/** What the health model tells of each crawler. */
export function findingsByCrawler(findings: readonly Finding[]): FindingsByCrawler {
  return Map.groupBy(findings, (finding) => findingTarget(finding).crawlerId);
}

function hasText({ id, name, config }: Crawler, text: string): boolean {
  const { seeds } = config as { readonly seeds?: readonly string[] };
  const sought = text.toLowerCase();
  return String(id) === text || [name, ...(seeds ?? [])].some((known) => known.toLowerCase().includes(sought));
}

type Filtered = {
  readonly crawlers: readonly Crawler[];
  readonly findings: FindingsByCrawler;
  readonly state: (typeof SHOWN_STATES)[number] | undefined;
};

/** Only a filter by state asks what all of them are doing. */
async function inState(deps: CrawlerListDeps, { crawlers, findings, state }: Filtered): Promise<readonly Crawler[]> {
  if (state === undefined) return crawlers;
  const summaries = await summarizeCrawlers(deps, crawlers);
  const isWanted = (summary: CrawlerSummary) =>
    state === 'problem' ? findings.has(summary.crawler.id) || summary.problem !== undefined : summary.state === state;
  return summaries.filter(isWanted).map(({ crawler }) => crawler);
}

const COUNTS = {
  visited: z.int(),
  failed: z.int(),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
};
const LISTED_RUN = z
  .object({
    id: z.int(),
    kind: z.enum(RUN_KINDS),
    state: z.enum(RUN_STATES),
    startedAt: TIME.nullable(),
    endedAt: TIME.nullable(),
    ...COUNTS,
    open: z.int().describe('URLs that wait or are under way.'),
    progress: z.number().describe('Share of the known URLs of the run that were visited, 0 to 1.'),
  })
  .meta({ id: 'ListedRun' });

export const CRAWLER_SUMMARY = z
  .object({
    state: z.enum(CRAWLER_STATES).describe('`waiting`: a run is asked for and has not begun.'),
    run: LISTED_RUN.nullable().describe('The one under way.'),
    lastRun: LISTED_RUN.nullable().describe('The newest that has ended, however.'),
    lastGoodRun: LISTED_RUN.nullable().describe('The newest that came to its end.'),
    nextRun: z.object({ kind: z.enum(['full', 'incremental']), at: TIME }).nullable(),
    documents: z.int(),
    heldRemovals: z.int(),
    findings: z.array(FINDING),
    problem: z.string().nullable().describe('Why its store or its settings cannot be read.'),
  })
  .meta({ id: 'CrawlerState' });

export const LISTED_CRAWLER_BODY = CRAWLER_BODY.extend({ state: CRAWLER_SUMMARY }).meta({ id: 'ListedCrawler' });

function listedBody(
  { crawler, run, lastRun, lastGoodRun, nextRun, problem, ...known }: CrawlerSummary,
  findings: readonly Finding[],
): Shown<typeof LISTED_CRAWLER_BODY> {
  const state = {
    ...known,
    run: listedRunBody(run),
    lastRun: listedRunBody(lastRun),
    lastGoodRun: listedRunBody(lastGoodRun),
    nextRun: nextRun === undefined ? null : { kind: nextRun.kind, at: timeText(nextRun.at) },
    findings,
    problem: problem ?? null,
  };
  return { ...crawlerBody(crawler), state };
}

function listedRunBody(run: Run | undefined): Shown<typeof LISTED_RUN> | null {
  if (run === undefined) return null;
  const { id, kind, state, visited, failed, added, changed, removed, open } = run;
  const known = visited + open;
  return {
    id,
    kind,
    state,
    startedAt: timeText(run.startedAt),
    endedAt: timeText(run.endedAt),
    visited,
    failed,
    added,
    changed,
    removed,
    open,
    progress: known === 0 ? 0 : visited / known,
  };
}
