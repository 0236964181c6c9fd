import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { invalidRequest, policyOf, toAppError } from '../../core/errors.ts';
import type { TrackingStore } from '../../storage/system/tracking.ts';
import { logClick, logQuery, type SentEvent, type TrackingDeps } from '../../tracking/search-events.ts';
import { isObject, queryMembers } from '../binding.ts';
import { type GuardDeps, type PathAccess, pathAccess } from '../guard.ts';

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
