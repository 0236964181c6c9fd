import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { AppError } from '../../core/errors.ts';
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

type StreamEvent = { readonly name: string; readonly data: unknown };

export type EventStreams = {
  /** Sends events until they end, the client leaves or the server closes. @throws AppError `rate.exceeded` */
  send(reply: FastifyReply, events: (signal: AbortSignal) => AsyncIterable<StreamEvent>): FastifyReply;
};

/** Streams that one process keeps open: each costs a few reads a second. */
const MAX_STREAMS = 100;
const RETRY_AFTER_SECONDS = 10;
/** A comment after so much silence, so that no proxy takes the connection for dead. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': still here\n\n';

/** `text/event-stream` answers of a plugin; they end before its server closes. */
function openEventStreams(app: FastifyInstance): EventStreams {
  const open = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const ending of open) ending.abort();
  });
  return {
    send: (reply, events) => {
      if (open.size >= MAX_STREAMS) {
        const message = `${MAX_STREAMS} event streams are open: close one, or try again later`;
        throw new AppError('rate.exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, atOnce: MAX_STREAMS });
      }
      const ending = new AbortController();
      open.add(ending);
      const source = Readable.from(lines(events(ending.signal), ending.signal));
      const heartbeat = setInterval(() => source.readableFlowing !== null && beat(reply), HEARTBEAT_MS);
      reply.raw.once('close', () => {
        clearInterval(heartbeat);
        open.delete(ending);
        ending.abort();
      });
      // A connection that is kept would hold up the end of the server.
      reply.headers({ 'X-Accel-Buffering': 'no', Connection: 'close' }).type('text/event-stream; charset=utf-8');
      return reply.send(source);
    },
  };
}

function beat({ raw }: FastifyReply): void {
  if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(HEARTBEAT);
}

/** Unchanged data is not sent twice. */
async function* lines(events: AsyncIterable<StreamEvent>, signal: AbortSignal): AsyncGenerator<string> {
  let last = '';
  for await (const { name, data } of events) {
    if (signal.aborted) return;
    const line = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    if (line !== last) yield line;
    last = line;
  }
}
