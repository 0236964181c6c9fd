import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { AppError, invalidRequest, policyOf } from '../core/errors.ts';
import { pause } from '../observability/background.ts';
import type { Metrics } from '../observability/metrics.ts';
import { makeStrict, queryPairs } from './binding.ts';
import { corsHeaders, hasCors, preflightHeaders } from './cors.ts';
import { answerClientError, asAppError, errorBody } from './error-body.ts';
import type { GuardDeps } from './guard.ts';
import { type BodyLimits, readJsonBody } from './json-body.ts';
import { type BodyMode, knownId, MCP_PATH, matchRoute, type RouteMatch } from './route-table.ts';

export type EdgeDeps = GuardDeps & { readonly metrics: Metrics };

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 20_000;
/** JSON only: streams and files are sent as they are. */
const COMPRESSED_TYPES = /^application\/(problem\+)?json(;|$)/;
/** A page of results of 58 KB becomes 10 KB in 0.4 ms; the stock levels save a tenth more for three times the CPU. */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 2;

/**
 * The HTTP edge: routing, CORS, bodies and errors for every plugin, in the order of contract 1.1. Plugins register
 * their routes with an access check as `onRequest`; the caller listens and closes.
 */
export async function createApp(deps: EdgeDeps, plugins: readonly FastifyPluginAsync[]): Promise<FastifyInstance> {
  const matches = new WeakMap<object, RouteMatch>();
  const matchOf = (request: FastifyRequest) => matches.get(request.raw) ?? { kind: 'unknown' as const };
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: 70_000,
    requestTimeout: 60_000,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // Node's own refusal has no body; `route` refuses.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    rewriteUrl: (message) => {
      const match = matchRoute(message.method ?? '', message.url ?? '');
      matches.set(message, match);
      return 'url' in match ? match.url : '/';
    },
  });
  app.server.maxHeadersCount = 100;
  app.server.maxConnections = MAX_CONNECTIONS;
  // An expectation that Node does not know may be ignored (RFC 9110 section 10.1.1); its own refusal has no body.
  app.server.on('checkExpectation', (message, response) => app.server.emit('request', message, response));

  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    customTypes: COMPRESSED_TYPES,
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  app.decorate('drain', createDrain(app));
  app.decorateRequest('granted', undefined);
  acceptAnyContentType(app);
  app.server.on('request', (_message, response) => {
    deps.metrics.httpRequestsInProgress.inc();
    response.once('close', () => deps.metrics.httpRequestsInProgress.dec());
  });
  app.addHook('onRequest', async (request, reply) => route(deps, matchOf(request), request, reply));
  app.addHook('preParsing', async (request) => {
    request.body = await readJsonBody(request.raw, bodyModeOf(matchOf(request), request), limitsOf(deps, request));
    if (isStrict(request)) makeStrict(request.body);
    // What is no media type at all would be refused by Fastify even where bodies are ignored.
    delete request.raw.headers['content-type'];
  });
  app.addHook('onResponse', async (request, reply) => {
    const match = matchOf(request);
    const path = match.kind === 'route' ? match.row.path : match.kind;
    const seconds = reply.elapsedTime / 1_000;
    deps.metrics.httpRequestDuration.observe({ route: path, status: String(reply.statusCode) }, seconds);
  });
  app.setNotFoundHandler(() => {
    throw new AppError('route.not-found', 'There is nothing at this path');
  });
  app.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply));
  for (const plugin of plugins) await app.register(plugin);
  return app;
}

/** Steps 1 of contract 1.1 and the headers of every answer. */
async function route(
  deps: EdgeDeps,
  match: RouteMatch,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
  if (match.kind !== 'other') reply.header('Cache-Control', 'no-store');
  const isOpenToOrigins = hasCors(match, deps.settings);
  if (isOpenToOrigins) await setCors(deps, match, request, reply);
  requireHost(request);
  if (request.method === 'OPTIONS') {
    if (isOpenToOrigins) reply.headers(preflightHeaders(request.headers));
    return reply.code(204).send();
  }
  if (match.kind === 'unknown') throw new AppError('route.not-found', 'There is nothing at this path');
  if (match.kind === 'wrong-method') {
    reply.header('Allow', match.allow);
    throw new AppError('request.wrong-method', `This path accepts only ${match.allow}`);
  }
  return undefined;
}

/** RFC 9112 section 3.2. */
function requireHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct['host'] ?? [];
  if (hosts.length > 1) throw invalidRequest([{ path: '', message: 'The request has several Host headers' }]);
  if (hosts.length === 1 || raw.httpVersion !== '1.1') return;
  throw invalidRequest([{ path: '', message: 'The request has no Host header' }]);
}

async function setCors(deps: EdgeDeps, match: RouteMatch, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const engineId = 'params' in match ? knownId(match.params['engineId']) : undefined;
  const engine = engineId === undefined ? undefined : await deps.accounts.findEngine(engineId);
  reply.headers(corsHeaders(deps.settings, request.headers.origin, engine));
}

/** Bodies are read before Fastify looks at them; its own parsers only hand on what was read. */
function acceptAnyContentType(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, _payload, done) => done(null, request.body));
}

function bodyModeOf(match: RouteMatch, request: FastifyRequest): BodyMode {
  if (match.kind === 'route') return match.row.body;
  return ['POST', 'PUT', 'PATCH'].includes(request.method) ? 'optional-json' : 'none';
}

function limitsOf({ settings }: EdgeDeps, request: FastifyRequest): BodyLimits {
  const { maxBodyBytes } = request.routeOptions.config;
  return maxBodyBytes === undefined ? settings : { ...settings, maxBodyBytes };
}

/** Contract: 1.4. */
function isStrict(request: FastifyRequest): boolean {
  return queryPairs(request).some(([name, value]) => name.toLowerCase() === 'strict' && value.toLowerCase() === 'true');
}

function sendError(deps: EdgeDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const appError = asAppError(error);
  const { status } = policyOf(appError.code);
  if (status === 500 && !request.raw.socket.destroyed)
    deps.log.error({ err: appError, requestId: request.id, details: appError.options.details }, 'request failed');
  if (status === 401) reply.header('WWW-Authenticate', challengeOf(request));
  if (appError.code === 'search.timeout')
    deps.log.warn({ requestId: request.id, url: request.routeOptions.url }, 'search took too long');
  const { retryAfterSeconds = status === 429 ? 1 : undefined } = appError.options;
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', wholeSeconds(retryAfterSeconds));
  if (status === 429 && !reply.hasHeader('RateLimit-Limit')) reply.headers(fullHeaders(appError));
  reply.header('Cache-Control', 'no-store').removeHeader('ETag');
  reply.code(status).type('application/json; charset=utf-8').send(errorBody(appError, request.id));
}

/** What a bucket says of itself, for what is refused because something else is full. Contract: 1.7. */
function fullHeaders({ options: { retryAfterSeconds = 1, atOnce = 1 } }: AppError): Readonly<Record<string, number>> {
  const reset = wholeSeconds(retryAfterSeconds);
  return { 'RateLimit-Limit': atOnce, 'RateLimit-Remaining': 0, 'RateLimit-Reset': reset };
}

function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/** Only the public API takes Basic: a browser must not ask an operator for a name and a password. */
function challengeOf({ url, routeOptions }: FastifyRequest): string {
  if (url.startsWith('/api/')) return 'Basic realm="search"';
  return routeOptions.url === MCP_PATH ? 'Bearer realm="search"' : 'Bearer realm="operator"';
}

const CALLERS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own `X-Request-Id` when it is harmless, else a new UUID. Contract: 1.7. */
function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && CALLERS_ID.test(sent) ? sent : randomUUID();
}

/** Readiness and answers tell everybody to go elsewhere for so long before the listener closes. */
const GRACE_MS = 2_000;
/** When nobody is connected and nobody has asked for so long, there is nobody to tell. */
const QUIET_MS = 15_000;
/** After the signal to stop: work that is still under way ends as at its deadline, then all connections. */
const LIMITS = { cutOffMs: 7_000, giveUpMs: 9_000 } as const;

export type Drain = {
  /** Aborted when the process cannot wait any longer: answers end as at their deadline, streams with their last line. */
  readonly cutOff: AbortSignal;
  /**
   * Stops without cutting a request off that was sent: `begin` is told first, then answers carry `Connection: close` for
   * a while, then the listener closes and what is under way comes to its end. Takes 9 s at most.
   */
  close(begin: () => void): Promise<void>;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where less than `MAX_BODY_BYTES` is enough. */
    readonly maxBodyBytes?: number;
  }
  interface FastifyInstance {
    readonly drain: Drain;
  }
}

/** Follows the requests of an app, for the end of the process. Costs an entry in a set per request. */
export function createDrain(app: FastifyInstance, limits: { cutOffMs: number; giveUpMs: number } = LIMITS): Drain {
  const underWay = new Set<ServerResponse>();
  const cutOff = new AbortController();
  let hasBegun = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  app.server.on('request', (_message, response) => {
    askedAtMs = performance.now();
    if (hasBegun) response.shouldKeepAlive = false;
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  const isQuiet = async () => performance.now() - askedAtMs > QUIET_MS && (await connections(app)) === 0;
  return {
    cutOff: cutOff.signal,
    close: async (begin) => {
      begin();
      hasBegun = true;
      for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
      const impatience = setTimeout(() => cutOff.abort(), limits.cutOffMs);
      const end = setTimeout(() => app.server.closeAllConnections(), limits.giveUpMs);
      if (!(await isQuiet())) await pause(GRACE_MS, cutOff.signal);
      // Behind a turn of the loop: whatever has arrived was accepted and read, so that its connection is not idle.
      await yieldToEventLoop();
      await app.close();
      clearTimeout(impatience);
      clearTimeout(end);
    },
  };
}

function connections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((error, count) => resolve(error === null ? count : 1)));
}
