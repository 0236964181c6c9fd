import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import {
  findOwnRun,
  hasEnded,
  type RunProgress,
  type WatchDeps,
  type WatchedRun,
  watchRun,
} from '../../crawl/watch-run.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { runBody, visitBody } from './crawl-responses.ts';
import { openEventStreams, type StreamEvent } from './event-streams.ts';
import { crawlerOf, idOf, LIST_QUERY, queryOf } from './requests.ts';
import { timeText } from './responses.ts';

export type RunRouteDeps = WatchDeps & { readonly store: Pick<AccountStore, 'findCrawler'> };

const PLACE = /^\d{1,15}-\d{1,15}$/;
export const RUN_VISITS = z.strictObject({
  limit: LIST_QUERY.limit,
  after: z.string().regex(PLACE, 'must be the `next` of the page before').optional(),
});

/** The log of one run, and how it gets on while it lives. */
export function runRoutes(deps: RunRouteDeps): FastifyPluginAsync {
  const found = async (request: FastifyRequest) => {
    const crawler = await crawlerOf(deps.store, request);
    const runId = idOf(request, 'runId');
    const watched: WatchedRun = { engineId: crawler.engineId, crawlerId: crawler.id, runId };
    return { watched, run: requireRecord('run', runId, await findOwnRun(deps, watched)) };
  };
  return async (app) => {
    const streams = openEventStreams(app);

    app.get('/crawlers/:crawlerId/runs/:runId/events', { config: { access: 'editor' } }, async (request, reply) => {
      const { watched } = await found(request);
      return streams.send(reply, (signal) => runEvents(deps, watched, signal));
    });

    app.get('/crawlers/:crawlerId/runs/:runId/visits', { config: { access: 'editor' } }, async (request) => {
      const { watched, run } = await found(request);
      const { limit, after } = queryOf(RUN_VISITS, request);
      const { engineId, ...input } = watched;
      const store = await deps.engineStores.of(engineId);
      const until = run.endedAt ?? deps.clock.now();
      const visits = await store.listRunVisits({
        ...input,
        since: run.createdAt,
        until,
        before: cursorOf(after),
        limit,
      });
      return { items: visits.map(visitBody), next: visits.length < limit ? null : cursorText(visits.at(-1)) };
    });
  };
}

/** `progress` once a second when something has changed; the last one is `end`. */
async function* runEvents(deps: RunRouteDeps, watched: WatchedRun, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for await (const progress of watchRun(deps, watched, signal)) {
    yield { name: hasEnded(progress.run) ? 'end' : 'progress', data: progressBody(progress) };
  }
}

function cursorOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const [at = 0, id = 0] = text.split('-').map(Number);
  return { at, id };
}

function cursorText(visit: LoggedVisit | undefined): string | null {
  return visit === undefined ? null : `${visit.at}-${visit.id}`;
}

/** Counts of the run beside what is under way. */
function progressBody({ run, pagesPerSecond, hosts, lastVisits }: RunProgress) {
  const { id, ...counts } = runBody(run);
  return {
    runId: id,
    ...counts,
    pagesPerSecond: Number(pagesPerSecond.toFixed(1)),
    hosts: hosts.map(({ origin, waiting, heldUntil, reason, spacingMs, slots }) => ({
      origin,
      waiting,
      heldUntil: timeText(heldUntil),
      reason: reason ?? null,
      spacingMs: spacingMs ?? null,
      slots: slots ?? null,
    })),
    lastVisits: lastVisits.map(({ url, outcome, reason, httpStatus, millis }) => ({
      url,
      outcome,
      reason,
      status: httpStatus ?? null,
      millis: millis ?? null,
    })),
  };
}
