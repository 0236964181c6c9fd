import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { METRICS_TYPE } from '../../observability/exposition.ts';

/** What must hold for the process to take requests, by name (`stores`, `disk`, `accepting`). */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, boolean>> };

export type HealthDeps = { readonly readiness: () => Promise<Readiness> };

const LOOPBACK = /^(::1|(::ffff:)?127\.[0-9.]+)$/;
const BEARER = /^bearer +(\S+)$/i;

/** Health of this process. */
export function healthRoutes(deps: HealthDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/health/live', async (_request, reply) => {
      reply.header('Cache-Control', 'no-store');
      return { status: 'live' };
    });

    app.get('/health/ready', async (_request, reply) => {
      const { ready, checks } = await deps.readiness();
      reply.header('Cache-Control', 'no-store').code(ready ? 200 : 503);
      return { status: ready ? 'ready' : 'not ready', checks };
    });
  };
}

export type MetricsDeps = {
  /** The text that Prometheus reads. */
  readonly printMetrics: () => Promise<string>;
  /** Compares in constant time. */
  readonly isOperatorToken: (token: string) => boolean;
};

/**
 * Metrics beside the public API, for the operator alone: a proxy on this machine would pass its callers on as callers
 * of this machine.
 */
export function metricsRoutes(deps: MetricsDeps): FastifyPluginAsync {
  return async (app) => serveMetrics(app, deps, (request) => requireOperator(deps, request));
}

/** Metrics on a port that serves nothing to the public: for callers of this machine and for the operator. */
export function ownMetricsRoutes(deps: MetricsDeps): FastifyPluginAsync {
  return async (app) =>
    serveMetrics(app, deps, (request) => {
      if (!LOOPBACK.test(request.raw.socket.remoteAddress ?? '')) requireOperator(deps, request);
    });
}

function serveMetrics(app: FastifyInstance, deps: MetricsDeps, check: (request: FastifyRequest) => void): void {
  app.get('/metrics', async (request, reply) => {
    check(request);
    reply.header('Cache-Control', 'no-store').type(METRICS_TYPE);
    return deps.printMetrics();
  });
}

function requireOperator({ isOperatorToken }: MetricsDeps, request: FastifyRequest): void {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !isOperatorToken(token)) {
    throw new AppError('auth.invalid', 'Metrics need the operator token');
  }
}
