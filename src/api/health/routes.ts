import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { METRICS_TYPE } from '../../observability/exposition.ts';

/** What must hold for the process to take requests, by name (`stores`, `disk`, `accepting`). */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, boolean>> };

export type HealthDeps = {
  /** The text that Prometheus reads. */
  readonly printMetrics: () => Promise<string>;
  readonly readiness: () => Promise<Readiness>;
  /** Compares in constant time. */
  readonly isOperatorToken: (token: string) => boolean;
};

const LOOPBACK = /^(::1|(::ffff:)?127\.[0-9.]+)$/;
const BEARER = /^bearer +(\S+)$/i;

/** Health and metrics of this process. */
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

    app.get('/metrics', async (request, reply) => {
      requireOperator(deps, request);
      reply.header('Cache-Control', 'no-store').type(METRICS_TYPE);
      return deps.printMetrics();
    });
  };
}

/** Metrics are for callers of this machine and for the operator. */
function requireOperator(deps: HealthDeps, request: FastifyRequest): void {
  if (LOOPBACK.test(request.raw.socket.remoteAddress ?? '')) return;
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !deps.isOperatorToken(token)) {
    throw new AppError('auth.invalid', 'Metrics need the operator token');
  }
}
