import { z } from 'zod';
import { OUTCOMES, REASONS, RUN_KINDS, RUN_STATES, URL_STATES } from '../../core/crawl-words.ts';
import { hideSecrets } from '../../core/crawler-secrets.ts';
import type { Crawler } from '../../core/records.ts';
import type { CrawlerStatus } from '../../crawl/crawler-status.ts';
import type { ConcerningHost, ListedHost } from '../../crawl/host-control.ts';
import { REASON_TEXTS } from '../../crawl/rules/reasons.ts';
import { type CrawlSettings, crawlSettings } from '../../crawl/rules/settings.ts';
import type { Run } from '../../storage/engine/runs.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { MANAGED_BY, TIME, timeText } from './responses.ts';

/** Bodies of crawlers, their runs and visits. */

export const REASON = z.enum(REASONS).meta({ id: 'Reason' });
const COUNTS = z.record(z.string(), z.int());

/** The members of the settings stand beside the crawler's own; one that was added since they were saved is absent. */
export const CRAWLER_BODY = z
  .object({
    id: z.int(),
    customer: z.int(),
    engine: z.int(),
    name: z.string(),
    active: z.boolean(),
    activeSince: TIME.nullable(),
    managedBy: MANAGED_BY,
    createdAt: TIME,
    ...crawlSettings.partial().shape,
  })
  .meta({ id: 'Crawler', description: 'Secrets of settings are shown as `set`.' });

export function crawlerBody(crawler: Crawler): Shown<typeof CRAWLER_BODY> {
  const { id, customerId, engineId, name, active, activeSince, managedBy, createdAt, config } = crawler;
  return {
    id,
    customer: customerId,
    engine: engineId,
    name,
    active,
    activeSince: timeText(activeSince),
    managedBy: managedBy ?? null,
    createdAt: timeText(createdAt),
    // They were checked when they were saved.
    ...(hideSecrets(config) as Partial<CrawlSettings>),
  };
}

export const SAVED_CRAWLER_BODY = CRAWLER_BODY.extend({
  warnings: z.array(z.string()).describe('What its operator should know of it now.'),
}).meta({ id: 'SavedCrawler' });

const LIMITED_BY = z.enum(['runMinutes', 'runBytes']);
const LEFT_HOST = z.object({ origin: z.string(), rows: z.int(), reason: REASON.nullable() });
const OFFERED_SETTING = { setting: z.string(), value: z.union([z.string(), z.boolean()]) };
const NEAR_DUPLICATES = z.object({
  kept: z.string(),
  size: z.int(),
  urls: z.array(z.string()),
  cause: z.string(),
  setting: z.object(OFFERED_SETTING).nullable().describe('What would make them one URL.'),
});
export const NEAR_DUPLICATES_BODY = z
  .object({ groups: z.int(), shown: z.array(NEAR_DUPLICATES) })
  .meta({ id: 'NearDuplicates' });

/** As `summarizeRun` writes it, with what a run is told that is cut, paused or fails. */
const RUN_SUMMARY = z
  .object({
    millis: z.int().describe('Without pauses.'),
    states: COUNTS.describe('URL records of the crawler by state.'),
    reasons: COUNTS.describe('Visits by reason.'),
    outcomes: COUNTS,
    left: COUNTS.describe('Pages that were found and not visited, by reason.'),
    heldHosts: z.array(
      z.object({
        origin: z.string(),
        heldUntil: z.number().describe('Milliseconds since 1970.'),
        reason: REASON.nullable(),
      }),
    ),
    closedPatterns: z.object({
      count: z.int(),
      shown: z.array(
        z.object({
          pattern: z.string(),
          host: z.string(),
          rule: z.string(),
          known: z.int(),
          visited: z.int(),
          informative: z.int(),
          examples: z.array(z.string()),
        }),
      ),
    }),
    duplicates: z.object({ exact: z.int(), collapsed: z.int(), near: NEAR_DUPLICATES_BODY }).nullable(),
    proposals: z.array(z.object({ ...OFFERED_SETTING, duplicates: z.int() })),
    sharedTitles: z
      .object({ documents: z.int(), titles: z.array(z.object({ title: z.string(), documents: z.int() })) })
      .describe('Documents whose title another one has, and the titles of most of them.'),
    cutShort: z
      .object({ count: z.int(), shown: z.array(z.object({ url: z.string(), cuts: z.array(z.string()) })) })
      .describe('Pages and files of which not all was read, and what stopped their reading.'),
    before: z
      .object({ run: z.int(), more: COUNTS })
      .nullable()
      .describe('The run of the same kind before, and what this one had more of.'),
    limit: LIMITED_BY.describe('What ended the run early.'),
    deferred: z.object({ rows: z.int(), hosts: z.array(LEFT_HOST) }).describe('What it left undone then.'),
    reason: z.string().describe('Of a run that is paused for it or failed.'),
    why: z.string(),
  })
  .partial()
  .meta({ id: 'RunSummary' });

export const RUN_BODY = z
  .object({
    id: z.int(),
    crawler: z.int(),
    kind: z.enum(RUN_KINDS),
    state: z.enum(RUN_STATES),
    startedBy: z.string(),
    createdAt: TIME,
    startedAt: TIME.nullable(),
    endedAt: TIME.nullable(),
    pausedMs: z.int(),
    planDone: z.boolean(),
    open: z.int().describe('URLs that wait or are under way.'),
    found: z.int(),
    visited: z.int(),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    notModified: z.int(),
    skipped: z.int(),
    failed: z.int(),
    rendered: z.int().describe('Pages that were read in a browser.'),
    files: z.int(),
    bytes: z.int(),
    removed: z.int(),
    removalsHeld: z.int(),
    suspected: z.int().describe('Visits of pages that may be gone; their documents stay.'),
    summary: RUN_SUMMARY.nullable().describe('What an ended run did and found; of another one why it is paused.'),
  })
  .meta({ id: 'Run' });

export function runBody(run: Run): Shown<typeof RUN_BODY> {
  const { crawlerId, activation: _, configVersion: __, createdAt, startedAt, endedAt, summary, ...rest } = run;
  return {
    ...rest,
    crawler: crawlerId,
    createdAt: timeText(createdAt),
    startedAt: timeText(startedAt),
    endedAt: timeText(endedAt),
    summary: summary === undefined ? null : (JSON.parse(summary) as Shown<typeof RUN_SUMMARY>),
  };
}

const CONCERN_TEXT = {
  cause: z.string().nullable().describe('What is wrong with the host.'),
  advice: z.string().nullable(),
};
/** What is wrong with a host, as a code and in words. */
export const HOST_CONCERN = { concern: REASON.nullable(), ...CONCERN_TEXT };

const STATUS_BODY = z
  .object({
    documents: z.int(),
    urls: z.partialRecord(z.enum(URL_STATES), z.int()),
    removals: z.object({ held: z.int(), removed: z.int() }),
    hosts: z
      .array(z.object({ origin: z.string(), concern: REASON, ...CONCERN_TEXT, until: TIME.nullable() }))
      .describe('Those that somebody should look at.'),
    waiting: z.int().describe('URLs that wait or are under way.'),
    lastRun: RUN_BODY.nullable(),
    warnings: z.array(z.string()),
    nextRuns: z
      .array(z.object({ kind: z.enum(['full', 'incremental']), at: TIME }))
      .describe('Those that start by themselves, the earliest first.'),
  })
  .meta({ id: 'CrawlerStatus' });

export const CRAWLER_STATUS_BODY = CRAWLER_BODY.extend({ status: STATUS_BODY }).meta({ id: 'CrawlerWithStatus' });

export function crawlerStatusBody(crawler: Crawler, shown: CrawlerStatus): Shown<typeof CRAWLER_STATUS_BODY> {
  const { documents, urls, removals, hosts, run, waiting, nextRuns, warnings } = shown;
  const status = {
    documents,
    urls: Object.fromEntries(urls),
    removals: { held: removals.get('held') ?? 0, removed: removals.get('removed') ?? 0 },
    hosts: hosts.map(concerningHostBody),
    waiting,
    lastRun: run === undefined ? null : runBody(run),
    warnings,
    nextRuns: nextRuns.map(({ kind, at }) => ({ kind, at: timeText(at) })),
  };
  return { ...crawlerBody(crawler), status };
}

/** What is wrong with a host in words: what it waits for, else what its answers look like. */
export function concernBody({ concern, wait }: Pick<ListedHost, 'concern' | 'wait'>) {
  if (concern === undefined) return { cause: null, advice: null };
  const isWait = wait !== undefined && (wait.reason === concern || concern === 'no-slot');
  return isWait ? { cause: wait.sentence, advice: wait.advice } : REASON_TEXTS[concern];
}

function concerningHostBody({ origin, concern, wait }: ConcerningHost) {
  return { origin, concern, ...concernBody({ concern, wait }), until: timeText(wait?.until) };
}

export const VISIT_BODY = z
  .object({
    id: z.int(),
    url: z.string(),
    run: z.int().nullable(),
    at: TIME,
    outcome: z.enum(OUTCOMES),
    reason: REASON,
    httpStatus: z.int().nullable(),
    bytes: z.int().nullable(),
    millis: z.number().nullable(),
    detail: z.unknown().describe('What belongs to the reason: a rule, redirects, a message.'),
  })
  .meta({ id: 'Visit' });

export function visitBody(visit: LoggedVisit): Shown<typeof VISIT_BODY> {
  const { id, url, runId, at, outcome, reason, httpStatus, bytes, millis, detail } = visit;
  return {
    id,
    url,
    run: runId ?? null,
    at: timeText(at),
    outcome,
    reason,
    httpStatus: httpStatus ?? null,
    bytes: bytes ?? null,
    millis: millis ?? null,
    detail: detail === undefined ? null : (JSON.parse(detail) as unknown),
  };
}
