import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { parseStrictly } from '../../accounts/problems.ts';
import type { Clock } from '../../core/clock.ts';
import type { Crawler } from '../../core/records.ts';
import type { Wake } from '../../core/wake.ts';
import { type ListedHost, listHosts, refreshRobots, releaseHost } from '../../crawl/host-control.ts';
import type { HostHolds } from '../../crawl/host-holds.ts';
import { WAIT_CAUSES, type WorkOn } from '../../crawl/work-on.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { StoredHold } from '../../storage/system/host-holds.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { tellAudit } from './access.ts';
import { concernBody, HOST_CONCERN, REASON } from './crawl-responses.ts';
import { crawlerOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type HostRouteDeps = {
  readonly store: Pick<AccountStore, 'findCrawler' | 'recordAction'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly hostHolds: HostHolds;
  readonly workOn: WorkOn;
  readonly listCrawlers: () => Promise<readonly Crawler[]>;
  readonly wake: Wake;
  readonly clock: Clock;
};

export const HOST_LIST = z.strictObject(LIST_QUERY);
export const HOST_ORIGIN = z.strictObject({
  origin: z.url({ protocol: /^https?$/, message: 'must be such as https://www.a.com' }),
});
const ACTIONS = [
  { path: 'release', action: 'release-host', act: releaseHost },
  { path: 'refresh-robots', action: 'refresh-robots', act: refreshRobots },
] as const;

/** Hosts of a crawler: what they answer, and why they are left alone. */
export function hostRoutes(deps: HostRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/hosts', { config: { access: 'editor' } }, async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      const { limit, after = 0 } = queryOf(HOST_LIST, request);
      const found = await listHosts(deps, crawler, { after, limit: limit + 1 });
      const items = found.slice(0, limit);
      const now = deps.clock.now();
      return {
        items: items.map((host) => hostBody(host, now)),
        next: found.length > limit ? (items.at(-1)?.id ?? null) : null,
      };
    });

    for (const { path, action, act } of ACTIONS) {
      app.post(`/crawlers/:crawlerId/hosts/${path}`, async (request, reply) => {
        const crawler = await crawlerOf(deps.store, request);
        const { origin } = parseStrictly(HOST_ORIGIN, request.body);
        await tellAudit(deps, request, { action, target: `crawler:${crawler.id}`, after: { origin } });
        await act(deps, crawler, origin);
        return reply.code(204).send();
      });
    }
  };
}

const HOLD = z.object({
  family: z.string().nullable().describe('null: the whole host.'),
  reason: REASON,
  since: TIME,
  until: TIME,
  askedUntil: TIME.nullable().describe('Until when the host asked to be left alone, where that is later.'),
  confirmed: z.boolean(),
  causedBy: z.int().describe('The crawler whose visit caused it.'),
  urls: z.array(z.string()).describe('Those that answered badly and not well since, newest last, at most 20.'),
});
export const HOST_BODY = z
  .object({
    id: z.int(),
    origin: z.string(),
    waiting: z.int().describe('URLs that wait.'),
    ...HOST_CONCERN,
    heldUntil: TIME.nullable(),
    holdReason: REASON.nullable(),
    waitsFor: z.enum(WAIT_CAUSES).nullable(),
    holds: z.array(HOLD),
    failures: z.int().describe('In a row.'),
    lastAnswers: z.object({ count: z.int(), good: z.int(), missing: z.int(), failed: z.int() }),
    robots: z.object({ status: z.int().nullable(), at: TIME.nullable() }),
    probe: z
      .object({ at: TIME.nullable(), failedSince: TIME.nullable(), believedUntil: TIME.nullable() })
      .describe('The last look at pages of the host before a run.'),
  })
  .meta({ id: 'Host' });

function hostBody(host: ListedHost, now: number): Shown<typeof HOST_BODY> {
  const { id, origin, waiting, heldUntil, holdReason, failures, health, robotsStatus, robotsAt, content } = host;
  const { concern, wait, holds } = host;
  const ofHost = holds.find(({ urlTemplate }) => urlTemplate === '');
  const until = Math.max(heldUntil, ofHost?.until ?? 0);
  const share = (letter: string) => health.split(letter).length - 1;
  return {
    id,
    origin,
    waiting,
    concern: concern ?? null,
    ...concernBody({ concern, wait }),
    heldUntil: until > now ? timeText(until) : null,
    holdReason: until > now ? (ofHost?.reason ?? holdReason ?? null) : null,
    waitsFor: wait?.cause ?? null,
    holds: holds.map(holdBody),
    failures,
    lastAnswers: { count: health.length, good: share('g'), missing: share('m'), failed: share('f') },
    robots: { status: robotsStatus ?? null, at: timeText(robotsAt) },
    probe: {
      at: timeText(content.probe?.at),
      failedSince: timeText(content.probe?.failedSince),
      believedUntil: content.believedUntil > now ? timeText(content.believedUntil) : null,
    },
  };
}

function holdBody(hold: StoredHold): Shown<typeof HOLD> {
  const { urlTemplate, reason, since, until, askedUntil, confirmed, crawlerId, urls } = hold;
  const times = { since: timeText(since), until: timeText(until), askedUntil: timeText(askedUntil) };
  return { family: urlTemplate === '' ? null : urlTemplate, reason, ...times, confirmed, causedBy: crawlerId, urls };
}
