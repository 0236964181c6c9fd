import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { METRICS_TYPE } from '../../observability/exposition.ts';
import { type OperatorAccess, operatorCheck } from '../auth.ts';

/** What must hold for the process to take requests, by name (`stores`, `disk`, `accepting`). */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, boolean>> };

export type HealthDeps = { readonly readiness: () => Promise<Readiness> };

const LOOPBACK = /^(::1|(::ffff:)?127\.[0-9.]+)$/;

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

export type MetricsDeps = OperatorAccess & {
  /** The text that Prometheus reads. */
  readonly printMetrics: () => Promise<string>;
};

type Check = (request: FastifyRequest) => Promise<void>;

/**
 * Metrics beside the public API, for the operator alone: a proxy on this machine would pass its callers on as callers
 * of this machine.
 */
export function metricsRoutes(deps: MetricsDeps): FastifyPluginAsync {
  return async (app) => serveMetrics(app, deps, operatorCheck(deps));
}

/** Metrics on a port that serves nothing to the public: for callers of this machine and for the operator. */
export function ownMetricsRoutes(deps: MetricsDeps): FastifyPluginAsync {
  const isOperator = operatorCheck(deps);
  const isHere = ({ raw }: FastifyRequest) => LOOPBACK.test(raw.socket.remoteAddress ?? '');
  return async (app) => serveMetrics(app, deps, async (request) => (isHere(request) ? undefined : isOperator(request)));
}

function serveMetrics(app: FastifyInstance, { printMetrics }: MetricsDeps, check: Check): void {
  app.get('/metrics', { onRequest: check }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store').type(METRICS_TYPE);
    return printMetrics();
  });
}
