import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import type { Clock } from '../../core/clock.ts';
import { REASONS } from '../../core/crawl-words.ts';
import type { Wake } from '../../core/wake.ts';
import { type CrawlerQueue, readQueues, retryFailed } from '../../crawl/retry-failed.ts';
import { type LogLine, type LogQuery, SHOWN_LEVELS } from '../../observability/log-files.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { tellAudit } from './access.ts';
import { digits, idOf, LIST_QUERY, pageOf, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

/** What is known of one process; members that nobody has told are absent. */
export type ProcessUsage = {
  readonly name: string;
  /** Undefined: it runs alone. */
  readonly isReady: boolean | undefined;
  readonly restarts: number;
  readonly lastCause: string | undefined;
  readonly memoryBytes: number | undefined;
  readonly cpuSeconds: number | undefined;
  readonly startedAt: number | undefined;
};

export type SystemRouteDeps = {
  readonly store: Pick<AccountStore, 'listCrawlers' | 'findCrawler' | 'recordAction'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly readLog: (query: LogQuery) => Promise<readonly LogLine[]>;
  readonly readProcesses: () => Promise<readonly ProcessUsage[]>;
  readonly readDataUsage: () => Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  readonly diskSpace: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
};

const DEADLINE_MS = 30_000;
const DEFAULT_LINES = 200;
const MOST_LINES = 1_000;
const TEXT = z.string().min(1).optional();

export const LOG_LIST = z.strictObject({
  level: z
    .enum(SHOWN_LEVELS, `must be one of ${SHOWN_LEVELS.join(', ')}`)
    .default('debug')
    .describe('The least serious.'),
  role: TEXT.describe('Beginning of the name of a process: `crawl`.'),
  text: TEXT.describe('Part of the line.'),
  after: TEXT.describe('The `next` of the answer before: what has come since.'),
  limit: digits(1, MOST_LINES).default(DEFAULT_LINES),
});
export const QUEUE_LIST = z.strictObject({ ...LIST_QUERY, customer: digits(1, Number.MAX_SAFE_INTEGER).optional() });
export const RETRY = z.strictObject({
  reason: z.enum(REASONS).optional(),
  host: TEXT.describe('Origin, or host with or without port.'),
});

/** How the installation gets on: log, processes, disk, and what waits or failed. */
export function systemRoutes(deps: SystemRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/logs', async (request) => {
      const { role: process, ...query } = queryOf(LOG_LIST, request);
      const lines = await deps.readLog({ ...query, process, text: query.text, after: query.after });
      return { items: lines.map(lineBody), next: lines.at(-1)?.id ?? query.after ?? null } satisfies Shown<
        typeof LOG_BODY
      >;
    });

    app.get('/processes', async () => {
      const [processes, disk, parts] = [await deps.readProcesses(), await deps.diskSpace(), await deps.readDataUsage()];
      return { items: processes.map(processBody), disk: { ...disk, parts } } satisfies Shown<typeof PROCESSES_BODY>;
    });

    app.get('/queues', async (request) => {
      const { customer, ...page } = queryOf(QUEUE_LIST, request);
      const crawlers = await deps.store.listCrawlers(customer === undefined ? {} : { customerId: customer });
      const { items, next } = pageOf(crawlers, page, (crawler) => crawler);
      return { items: (await readQueues(deps, items)).map(queueBody), next };
    });

    app.post('/crawlers/:crawlerId/retry', async (request, reply) => {
      const id = idOf(request, 'crawlerId');
      const crawler = requireRecord('crawler', id, await deps.store.findCrawler(id));
      const { reason, host } = parseStrictly(RETRY, request.body ?? {});
      const after = { ...(reason !== undefined && { reason }), ...(host !== undefined && { host }) };
      await tellAudit(deps, request, { action: 'retry-failed', target: `crawler:${id}`, after });
      const urls = await retryFailed(deps, { crawler, filter: { reason, host } }, requestSignal(reply, DEADLINE_MS));
      reply.code(202);
      return { crawler: id, urls } satisfies Shown<typeof RETRIED_BODY>;
    });
  };
}

export const LOG_BODY = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        at: TIME,
        level: z.enum(SHOWN_LEVELS),
        process: z.string(),
        message: z.string(),
        detail: z.record(z.string(), z.unknown()).describe('Its other members; secrets are redacted.'),
      }),
    ),
    next: z.string().nullable().describe('Ask with it as `after` for what comes.'),
  })
  .meta({ id: 'LogTail', description: 'Oldest first.' });

function lineBody({ at, ...line }: LogLine): Shown<typeof LOG_BODY>['items'][number] {
  return { ...line, at: timeText(at) };
}

const PROCESS = z.object({
  name: z.string(),
  ready: z.boolean().nullable().describe('null: nobody watches it.'),
  restarts: z.int(),
  lastCause: z.string().nullable().describe('Why it ended last.'),
  memoryBytes: z.number().nullable(),
  cpuSeconds: z.number().nullable().describe('Since its start.'),
  startedAt: TIME.nullable(),
});
const SPACE = z.object({ name: z.string().describe('`system.db`, `engines/6`, `redis`.'), bytes: z.number() });
export const PROCESSES_BODY = z
  .object({
    items: z.array(PROCESS),
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number(), parts: z.array(SPACE) }),
  })
  .meta({ id: 'Processes' });

function processBody(usage: ProcessUsage): Shown<typeof PROCESS> {
  const { name, isReady, restarts, lastCause, memoryBytes, cpuSeconds, startedAt } = usage;
  return {
    name,
    ready: isReady ?? null,
    restarts,
    lastCause: lastCause ?? null,
    memoryBytes: memoryBytes ?? null,
    cpuSeconds: cpuSeconds ?? null,
    startedAt: timeText(startedAt),
  };
}

export const QUEUE_BODY = z
  .object({
    crawler: z.int(),
    engine: z.int(),
    name: z.string(),
    active: z.boolean(),
    waiting: z.int().describe('URLs that wait or are under way.'),
    failed: z.int().describe('URLs whose last visit failed; counted up to 10,000.'),
    heldHosts: z.int(),
    heldRemovals: z.int(),
  })
  .meta({ id: 'CrawlerQueue' });

function queueBody({ crawler, ...counts }: CrawlerQueue): Shown<typeof QUEUE_BODY> {
  const { id, engineId, name, active } = crawler;
  return { crawler: id, engine: engineId, name, active, ...counts };
}

export const RETRIED_BODY = z
  .object({ crawler: z.int(), urls: z.int().describe('Those that are visited again; 10,000 at most.') })
  .meta({ id: 'RetriedUrls' });
