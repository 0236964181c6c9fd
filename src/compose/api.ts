import type { AddressInfo } from 'node:net';
import { createQuestionDryRun } from '../ai/dry-run-question.ts';
import { adminRoutes } from '../api/admin/admin-routes.ts';
import { createApp } from '../api/app.ts';
import { healthRoutes, type MetricsDeps, metricsRoutes, ownMetricsRoutes } from '../api/health/routes.ts';
import { publicRoutes } from '../api/public-routes.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { startGoldenRounds } from '../jobs/golden-upkeep.ts';
import { DEFAULT_SOURCE_FIELDS } from '../search/cut-passages.ts';
import { openApiDeps } from './api-deps.ts';
import { lockProcess } from './process-lock.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { startWatching } from './watching.ts';

/** Connections that may wait to be accepted; the system has a bound of its own (net.core.somaxconn). */
const LISTEN_BACKLOG = 10_000;

/** The HTTP role: answers until it is disposed, then finishes the requests under way. `note` is its address. */
export async function composeApi(context: RoleContext): Promise<RunningRole> {
  const { config } = context;
  await using stack = new AsyncDisposableStack();
  // Searches need no lease: they go on where nothing can be written.
  await lockProcess(context).then(
    (lock) => stack.use(lock),
    (err: unknown) => context.log.warn({ err }, 'other processes cannot see that this one lives'),
  );
  const { draining, ...deps } = await openApiDeps(stack, context);
  const dryRunQuestion = createQuestionDryRun({ ...deps, sourceFields: DEFAULT_SOURCE_FIELDS });
  const golden = { ...deps, sourceFields: DEFAULT_SOURCE_FIELDS, clock: systemClock };
  const admin = adminRoutes({ ...deps, dryRunQuestion, golden });
  const { onPort, elsewhere } = portsOf(config, deps, admin);
  const app = await createApp(deps, [...publicRoutes(deps), ...onPort]);
  stack.defer(() => app.close());
  for (const [port, plugins] of elsewhere) {
    const own = await createApp(deps, [healthRoutes(deps), ...plugins]);
    stack.defer(() => own.close());
    await own.listen({ host: config.HOST, port });
  }
  await app.listen({ host: config.HOST, port: config.PORT, backlog: LISTEN_BACKLOG });
  stack.use(startGoldenRounds({ ...golden, holder: context.name }));
  stack.use(await startWatching(context, { health: deps.health, address: addressOf(app) }));
  stack.defer(() => app.drain.close(draining.begin));
  const owned = stack.move();
  return { note: addressOf(app), hear: deps.hear, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What stands beside the public API on `PORT`, and what has a port of its own, by port. */
function portsOf(config: Config, deps: MetricsDeps, admin: ReturnType<typeof adminRoutes>) {
  const placed = [
    { port: config.ADMIN_PORT, here: admin, elsewhere: admin },
    { port: config.METRICS_PORT, here: metricsRoutes(deps), elsewhere: ownMetricsRoutes(deps) },
  ];
  const isHere = ({ port }: { readonly port: number }) => port === 0 || port === config.PORT;
  const moved = Map.groupBy(
    placed.filter((each) => !isHere(each)),
    ({ port }) => port,
  );
  return {
    onPort: placed.filter(isHere).map(({ here }) => here),
    elsewhere: new Map([...moved].map(([port, plugins]) => [port, plugins.map(({ elsewhere }) => elsewhere)])),
  };
}

function addressOf(app: Awaited<ReturnType<typeof createApp>>): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}
