import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidRequest, policyOf, toAppError } from '../../core/errors.ts';
import { DEVICES, type TrackingStore } from '../../storage/system/tracking.ts';
import { logClick, logQuery, type SentEvent, type TrackingDeps } from '../../tracking/search-events.ts';
import { isObject, queryMembers } from '../binding.ts';
import { type GuardDeps, type PathAccess, pathAccess } from '../guard.ts';

const VALUE = z.union([z.string(), z.number(), z.boolean()]);
const ABOUT_VISITOR = {
  sid: VALUE.optional().describe('Session of the visitor; kept as sent.'),
  ip: VALUE.optional().describe('Address of the visitor, for senders on a server; `none` stores none.'),
  refurl: VALUE.optional().describe('Page that led here.'),
  refpt: VALUE.optional().describe('Its title.'),
};
const FILLED = z.string().regex(/\S/);
const QUERY_ID = FILLED.describe('The `QueryId` of the search.');

/** What is read of a search; other members are kept as sent. Contract: 6.3. */
export const QUERY_EVENT = z.looseObject({
  sw: FILLED.describe('The words searched for.'),
  qid: QUERY_ID,
  rc: VALUE.optional().describe('Number of results: without it no search counts as one without results.'),
  fquery: VALUE.optional().describe('What was searched for in place of `sw` (`FixedQuery`).'),
  dt: VALUE.optional().describe(`Device: ${DEVICES.filter((device) => device !== 'unknown').join(', ')}.`),
  qsid: VALUE.optional().describe('Session of the query; kept as sent.'),
  ...ABOUT_VISITOR,
});

/** What is read of a click; other members are kept as sent. Contract: 6.4. */
export const CLICK_EVENT = z.looseObject({
  qid: QUERY_ID,
  clurl: VALUE.optional().describe('Address of what was clicked; required unless `ls` is `banner`.'),
  cli: VALUE.optional().describe('Place of the result, from 1: without it there is no mean rank of clicks.'),
  title: VALUE.optional().describe('Title of the result.'),
  ls: VALUE.optional().describe('What was clicked where it is no result: `banner`, `quicklink`.'),
  cloi: VALUE.optional().describe('Its id; required of a banner.'),
  sw: VALUE.optional().describe('The words searched for.'),
  ...ABOUT_VISITOR,
});

export type TrackingRouteDeps = GuardDeps &
  TrackingDeps & { readonly systemStore: Pick<TrackingStore, 'addQueryEvent' | 'addClickEvent'> };

type LogEvent = (deps: TrackingRouteDeps, event: SentEvent) => Promise<{ readonly id: string }>;

const PATH = '/api/v3/:customerId/:engineId/search/pushstat';
/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const FIRST_SERVER_FAULT = 500;

/** Query log and click log. Contract: 6.2 to 6.4. */
export function trackingRoutes(deps: TrackingRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = pathAccess(deps, { rate: 'tracking' });
    const addEvent = (name: string, log: LogEvent) =>
      app.post(`${PATH}/${name}`, { onRequest: access.check }, async (request) =>
        log(deps, eventOf(request, access.of(request))),
      );
    const addPixel = (name: string, log: LogEvent) =>
      app.get(`${PATH}/${name}`, { onRequest: access.check }, async (request, reply) => {
        // The image is part of a page: it comes whatever becomes of the event.
        await log(deps, eventOf(request, access.of(request))).catch((error) => noteFault(deps, request, error));
        return reply.type('image/gif').send(PIXEL);
      });
    addEvent('querylog', logQuery);
    addEvent('clicklog', logClick);
    addPixel('__utm.gif', logQuery);
    addPixel('__ctm.gif', logClick);
  };
}

function eventOf(request: FastifyRequest, { customerId, engineId }: PathAccess): SentEvent {
  return {
    owner: { customerId, engineId },
    sent: sentValues(request),
    socketAddress: request.raw.socket.remoteAddress ?? '',
  };
}

function noteFault({ log }: TrackingRouteDeps, request: FastifyRequest, error: unknown): void {
  const appError = toAppError(error);
  if (policyOf(appError.code).status < FIRST_SERVER_FAULT) return;
  log.error({ err: appError, requestId: request.id }, 'event not stored');
}

/**
 * The values of an event, from one source: a JSON object, else a form, else the query string. Contract: 6.2.
 * @throws AppError `request.invalid` for another kind of body.
 */
function sentValues(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { body } = request;
  if (body === undefined) return queryMembers(request);
  if (isObject(body)) return body;
  const message = 'The body must be a flat object: { "qid": "...", "sw": "..." }';
  throw invalidRequest([{ path: '', message }]);
}
