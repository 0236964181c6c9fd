import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { addCrawler, type CrawlerDeps, changeCrawler, removeCrawler } from '../../accounts/manage-crawlers.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { AppError } from '../../core/errors.ts';
import { refuseManaged } from '../../core/managed-record.ts';
import type { Crawler } from '../../core/records.ts';
import { crawlerStatus } from '../../crawl/crawler-status.ts';
import type { HostsDeps } from '../../crawl/host-control.ts';
import { networksOfName, type PrivateNameDeps, unmarkedNames } from '../../crawl/private-names.ts';
import type { Actor } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { actorOf, sentBy, tellAudit } from './access.ts';
import { crawlerBody, crawlerStatusBody, runBody, type SAVED_CRAWLER_BODY, visitBody } from './crawl-responses.ts';
import { isMatched, sendTagged } from './record-tag.ts';
import { idOf, LIST_QUERY, queryOf } from './requests.ts';

/** What an operator tells a crawler to do; each is durable when it resolves. */
export type CrawlControl = {
  readonly activate: (crawler: Crawler, actor: Actor) => Promise<void>;
  readonly deactivate: (crawler: Crawler, actor: Actor) => Promise<void>;
  /** The new run, which may wait for the end of another; undefined when the crawler is not active. */
  readonly startRun: (
    crawler: Crawler,
    start: { readonly kind: 'full' | 'incremental'; readonly actor: Actor },
  ) => Promise<{ readonly runId: number; readonly waits: boolean } | undefined>;
  /** Each resolves with the runs that it changed. @throws AppError `record.conflict` when there is none */
  readonly pause: (crawler: Crawler) => Promise<readonly number[]>;
  readonly resume: (crawler: Crawler) => Promise<readonly number[]>;
  readonly stop: (crawler: Crawler) => Promise<readonly number[]>;
  readonly queueUrls: (crawler: Crawler, urls: readonly unknown[]) => Promise<Shown<typeof QUEUED_URLS_BODY>['urls']>;
};

export type CrawlerRouteDeps = CrawlerDeps &
  HostsDeps &
  PrivateNameDeps & {
    readonly crawlControl: CrawlControl;
  };

const MAX_URLS = 1_000;

/** `preview`: the token of a preview of these very settings. */
export const CRAWLER_CHANGE = z.strictObject({
  preview: z.string().optional(),
  allowDelete: z.enum(['true', 'false']).optional(),
});
export const NEWEST = z.strictObject({ limit: LIST_QUERY.limit });
export const PRIVATE_NAME = z.strictObject({
  name: z.string().min(1),
  networks: z.array(z.string()).min(1).optional(),
});
export const RUN_START = z.strictObject({ kind: z.enum(['full', 'incremental']).default('full') });
export const URLS = z.strictObject({ urls: z.array(z.string()).min(1).max(MAX_URLS) });

export const STARTED_RUN_BODY = z
  .object({
    crawler: z.int(),
    run: z.int(),
    kind: z.enum(['full', 'incremental']),
    waits: z.boolean().describe('For the end of another run.'),
  })
  .meta({ id: 'StartedRun' });
export const CHANGED_RUNS_BODY = z.object({ crawler: z.int(), runs: z.array(z.int()) }).meta({ id: 'ChangedRuns' });
export const QUEUED_URLS_BODY = z
  .object({
    active: z.boolean().describe('False: they are acknowledged and never visited.'),
    urls: z.array(z.object({ url: z.string(), status: z.enum(['Ok', 'Invalid']) })),
  })
  .meta({ id: 'QueuedUrls' });

/** Crawlers: settings, state, runs and crawl log. */
export function crawlerRoutes(deps: CrawlerRouteDeps): FastifyPluginAsync {
  const found = async (request: FastifyRequest) => {
    const id = idOf(request, 'crawlerId');
    return requireRecord('crawler', id, await deps.store.findCrawler(id));
  };
  return async (app) => {
    app.post('/crawlers', async (request, reply) => {
      reply.code(201);
      return savedBody(deps, await addCrawler(deps, sentBy(request)));
    });

    app.get('/crawlers/:crawlerId', { config: { access: 'editor' } }, async (request, reply) => {
      const crawler = await found(request);
      return sendTagged(reply, crawlerStatusBody(crawler, await crawlerStatus(deps, crawler)), editableOf(crawler));
    });

    app.patch('/crawlers/:crawlerId', async (request) => {
      const crawler = await found(request);
      const matched = isMatched(request, editableOf(crawler)) ? crawler : undefined;
      const { preview: token, allowDelete } = queryOf(CRAWLER_CHANGE, request);
      const confirmation = { token, allowDelete: allowDelete === 'true' };
      const change = { ...sentBy(request), id: crawler.id, confirmation, matched };
      return savedBody(deps, await changeCrawler(deps, change));
    });

    app.post('/crawlers/:crawlerId/private-names', async (request) => {
      const crawler = await found(request);
      const { name, networks: named } = parseStrictly(PRIVATE_NAME, request.body);
      const networks = named ?? (await networksOfName(deps, crawler, name));
      refuseManaged('crawler', crawler, `write privateNames: ${JSON.stringify({ [name]: networks })}`);
      const sent = { privateNames: { [name]: networks } };
      const change = { actor: actorOf(request), id: crawler.id, sent, confirmation: UNCONFIRMED };
      return savedBody(deps, await changeCrawler(deps, change));
    });

    app.delete('/crawlers/:crawlerId', async (request, reply) => {
      await removeCrawler(deps, { actor: actorOf(request), id: idOf(request, 'crawlerId') });
      return reply.code(204).send();
    });
    await app.register(controlRoutes(deps, found));
    await app.register(historyRoutes(deps, found));
  };
}

/** What an operator may change of it by hand. */
function editableOf({ name, config }: Crawler) {
  return { name, config };
}

/** A mark of a name removes no documents. */
const UNCONFIRMED = { token: undefined, allowDelete: false };

/** With what the operator should know of it now. */
async function savedBody(deps: PrivateNameDeps, crawler: Crawler): Promise<Shown<typeof SAVED_CRAWLER_BODY>> {
  return { ...crawlerBody(crawler), warnings: await unmarkedNames(deps, [crawler]) };
}

type FindCrawler = (request: FastifyRequest) => Promise<Crawler>;

function controlRoutes(deps: CrawlerRouteDeps, found: FindCrawler): FastifyPluginAsync {
  const { crawlControl, store, accounts } = deps;
  return async (app) => {
    for (const action of ['activate', 'deactivate'] as const) {
      app.post(`/crawlers/:crawlerId/${action}`, async (request) => {
        const crawler = await found(request);
        // In an emergency a crawler has to stop at once; the next apply of its file says what holds from then on.
        if (action === 'activate') refuseManaged('crawler', crawler);
        await crawlControl[action](crawler, actorOf(request));
        accounts.drop();
        return crawlerBody(requireRecord('crawler', crawler.id, await store.findCrawler(crawler.id)));
      });
    }

    app.post('/crawlers/:crawlerId/run', async (request, reply) => {
      const crawler = await found(request);
      const { kind } = parseStrictly(RUN_START, request.body ?? {});
      await tellAudit(deps, request, { action: 'start-run', target: `crawler:${crawler.id}`, after: { kind } });
      const run = await crawlControl.startRun(crawler, { kind, actor: actorOf(request) });
      if (run === undefined) throw conflict(`Crawler ${crawler.id} is not active: activate it first`);
      reply.code(202);
      return { crawler: crawler.id, run: run.runId, kind, waits: run.waits } satisfies Shown<typeof STARTED_RUN_BODY>;
    });

    for (const action of ['pause', 'resume', 'stop'] as const) {
      app.post(`/crawlers/:crawlerId/${action}`, async (request) => {
        const crawler = await found(request);
        await tellAudit(deps, request, { action: `${action}-runs`, target: `crawler:${crawler.id}` });
        return { crawler: crawler.id, runs: await crawlControl[action](crawler) } satisfies Shown<
          typeof CHANGED_RUNS_BODY
        >;
      });
    }

    app.post('/crawlers/:crawlerId/urls', async (request) => {
      const crawler = await found(request);
      const { urls } = parseStrictly(URLS, request.body);
      const after = { urls: urls.length };
      await tellAudit(deps, request, { action: 'queue-urls', target: `crawler:${crawler.id}`, after });
      return { active: crawler.active, urls: await crawlControl.queueUrls(crawler, urls) } satisfies Shown<
        typeof QUEUED_URLS_BODY
      >;
    });
  };
}

function historyRoutes({ engineStores }: CrawlerRouteDeps, found: FindCrawler): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/runs', { config: { access: 'editor' } }, async (request) => {
      const crawler = await found(request);
      const { limit } = queryOf(NEWEST, request);
      const store = await engineStores.of(crawler.engineId);
      return { items: (await store.listRuns(crawler.id, limit)).map(runBody) };
    });

    app.get('/crawlers/:crawlerId/runs/:runId', { config: { access: 'editor' } }, async (request) => {
      const crawler = await found(request);
      const id = idOf(request, 'runId');
      const run = await (await engineStores.of(crawler.engineId)).findRun(id);
      return runBody(requireRecord('run', id, run?.crawlerId === crawler.id ? run : undefined));
    });

    app.get('/crawlers/:crawlerId/visits', { config: { access: 'editor' } }, async (request) => {
      const crawler = await found(request);
      const { limit } = queryOf(NEWEST, request);
      const store = await engineStores.of(crawler.engineId);
      return { items: (await store.listVisits({ crawlerId: crawler.id, limit })).map(visitBody) };
    });
  };
}

function conflict(message: string): AppError {
  return new AppError('record.conflict', message);
}
