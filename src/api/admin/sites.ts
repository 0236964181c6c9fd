import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AddSiteDeps, addSite } from '../../accounts/add-site.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import { DOCUMENT_KINDS } from '../../core/document.ts';
import { AppError, toAppError } from '../../core/errors.ts';
import type { Crawler, Engine } from '../../core/records.ts';
import type { PrivateNameDeps } from '../../crawl/private-names.ts';
import { type ProbeDeps, probeSite, type SiteProbe } from '../../crawl/probe/probe-site.ts';
import type { TestUrlDeps } from '../../crawl/test-url.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import { errorBody } from '../error-body.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { actorOf, sentBy } from './access.ts';
import { CRAWLER_BODY, crawlerBody, REASON } from './crawl-responses.ts';
import type { CrawlControl } from './crawlers.ts';
import { openEventStreams, type StreamEvent } from './event-streams.ts';
import { ENGINE_BODY, engineBody } from './responses.ts';
import { type SearchPageDeps, searchPageAddress } from './search-page-address.ts';

export type SiteRouteDeps = Omit<AddSiteDeps, 'probe'> &
  PrivateNameDeps &
  SearchPageDeps & {
    /** Undefined where nothing keeps the pace of hosts. */
    readonly openDryRun: (() => Promise<TestUrlDeps>) | undefined;
    readonly engineStores: Pick<EngineStores, 'of'>;
    readonly crawlControl: Pick<CrawlControl, 'activate'>;
  };

/** Longer than a probe takes. */
const DEADLINE_MS = 60_000;

export const PROBE = z.strictObject({
  url: z.string().trim().min(1).max(8_000),
  settings: z.record(z.string(), z.unknown()).default({}).describe('Settings that the crawler would have.'),
});

/** What is at an address, and an engine and a crawler for it in one step. */
export function siteRoutes(deps: SiteRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const streams = openEventStreams(app);

    app.post('/probe', async (request, reply) => {
      const asked = parseStrictly(PROBE, request.body);
      const probing = await openProbe(deps);
      if (request.headers.accept?.includes('text/event-stream') === true)
        return streams.send(reply, (signal) => probeEvents(deps, { probing, asked, request }, signal));
      const probed = await lastOf(probeSite(probing, asked, requestSignal(reply, DEADLINE_MS)));
      return probeBody(probed, await deps.store.listCrawlers());
    });

    app.post('/sites', async (request, reply) => {
      const signal = requestSignal(reply, DEADLINE_MS);
      const probe: AddSiteDeps['probe'] = async (url, settings) =>
        lastOf(probeSite(await openProbe(deps), { url, settings }, signal));
      const { engine, crawler } = await addSite({ ...deps, probe }, sentBy(request));
      await deps.crawlControl.activate(crawler, actorOf(request));
      deps.accounts.drop();
      const [run] = await (await deps.engineStores.of(engine.id)).listRuns(crawler.id, 1);
      reply.code(201);
      return addedBody(engine, {
        crawler: (await deps.store.findCrawler(crawler.id)) ?? crawler,
        run: run?.id ?? null,
        searchPage: searchPageAddress(deps, request, engine),
      });
    });
  };
}

const NO_PACE = 'A site is looked at by the pace that Redis keeps for its host: set REDIS_URL, or use npm start';

async function openProbe(deps: SiteRouteDeps): Promise<ProbeDeps> {
  if (deps.openDryRun === undefined) throw new AppError('feature.disabled', NO_PACE);
  return { ...(await deps.openDryRun()), findPrivateAddresses: deps.findPrivateAddresses };
}

async function lastOf<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

type AskedProbe = {
  readonly probing: ProbeDeps;
  readonly asked: z.infer<typeof PROBE>;
  readonly request: FastifyRequest;
};

/** `step` for each thing that is found out, then `result`, or `error` with the body of an error. */
async function* probeEvents(
  deps: SiteRouteDeps,
  { probing, asked, request }: AskedProbe,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  try {
    const steps = probeSite(probing, asked, signal);
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done === true) {
        yield { name: 'result', data: probeBody(step.value, await deps.store.listCrawlers()) };
        return;
      }
      yield { name: 'step', data: step.value };
    }
  } catch (error) {
    yield { name: 'error', data: errorBody(toAppError(error), request.id) };
  }
}

const PROBLEM = z.object({
  reason: REASON,
  cause: z.string(),
  advice: z.string().nullable(),
  setting: z.record(z.string(), z.unknown()).nullable().describe('Settings of a crawler that let it in.'),
});
const PROBED_PAGE = z.object({
  url: z.string(),
  status: z.int().describe('0: there was no answer.'),
  reason: REASON.nullable().describe('Why it could not be read.'),
  title: z.string(),
  language: z.string().nullable(),
  type: z.enum(DOCUMENT_KINDS),
  needsScripts: z.boolean(),
  chars: z.int().describe('Of its text.'),
});
export const PROBE_BODY = z
  .object({
    url: z.string().describe('As it was asked, in full.'),
    address: z.string().nullable().describe('Where it led; null when there is nothing to crawl.'),
    problem: PROBLEM.nullable(),
    robots: z.object({ allowed: z.boolean(), crawlDelaySeconds: z.number().nullable() }),
    sitemaps: z.array(z.object({ url: z.string(), urls: z.int() })),
    sections: z.array(z.object({ path: z.string().describe('`/docs/`'), urls: z.int() })),
    pages: z.array(PROBED_PAGE).describe('At most ten.'),
    language: z.string().nullable(),
    siteName: z.string().nullable(),
    needsScripts: z.boolean().describe('Most pages have no text without a browser.'),
    known: z
      .array(z.object({ crawler: z.int(), engine: z.int(), name: z.string() }))
      .describe('Crawlers that begin at this host already.'),
    isCut: z.boolean().describe('The time was over before all was looked at.'),
    bytes: z.int(),
  })
  .meta({ id: 'SiteProbe' });

function probeBody(probe: SiteProbe, crawlers: readonly Crawler[]): Shown<typeof PROBE_BODY> {
  const { address, problem, robots, pages, language, siteName, ...rest } = probe;
  const host = URL.parse(address ?? probe.url)?.host;
  const known = crawlers.filter(({ config }) =>
    ((config['seeds'] ?? []) as readonly string[]).some((seed) => URL.parse(seed)?.host === host),
  );
  return {
    ...rest,
    address: address ?? null,
    problem: problem === undefined ? null : { ...problem, setting: problem.setting ?? null },
    robots: { allowed: robots.allowed, crawlDelaySeconds: robots.crawlDelaySeconds ?? null },
    pages: pages.map((page) => ({ ...page, reason: page.reason ?? null, language: page.language ?? null })),
    language: language ?? null,
    siteName: siteName ?? null,
    known: known.map(({ id, engineId, name }) => ({ crawler: id, engine: engineId, name })),
  };
}

export const ADDED_SITE_BODY = z
  .object({
    engine: ENGINE_BODY,
    crawler: CRAWLER_BODY,
    run: z.int().nullable().describe('The first run, which has begun or is about to.'),
    searchPage: z
      .string()
      .nullable()
      .describe('Where its search page is, as in `/home`; null where another engine has it.'),
  })
  .meta({ id: 'AddedSite' });

type Added = {
  readonly crawler: Crawler;
  readonly run: number | null;
  readonly searchPage: string | null;
};

function addedBody(engine: Engine, { crawler, run, searchPage }: Added): Shown<typeof ADDED_SITE_BODY> {
  return {
    engine: engineBody(engine, [crawler]),
    crawler: crawlerBody(crawler),
    run,
    searchPage,
  };
}
