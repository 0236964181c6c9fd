import type { AddressInfo } from 'node:net';
import { questionTrial } from '../ai/try-question.ts';
import { adminRoutes } from '../api/admin/admin-routes.ts';
import { createApp } from '../api/app.ts';
import { publicRoutes } from '../api/public-routes.ts';
import { systemClock } from '../core/clock.ts';
import { startGoldenRounds } from '../jobs/golden-upkeep.ts';
import { DEFAULT_SOURCE_FIELDS } from '../search/cut-passages.ts';
import { openApiDeps } from './api-deps.ts';
import { lockProcess } from './process-lock.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { startWatching } from './watching.ts';

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
  const tryQuestion = questionTrial({ ...deps, sourceFields: DEFAULT_SOURCE_FIELDS });
  const golden = { ...deps, sourceFields: DEFAULT_SOURCE_FIELDS, clock: systemClock };
  const app = await createApp(deps, [...publicRoutes(deps), adminRoutes({ ...deps, tryQuestion, golden })]);
  stack.defer(async () => {
    draining.begin();
    await app.close();
  });
  await app.listen({ host: config.HOST, port: config.PORT });
  stack.use(startGoldenRounds({ ...golden, holder: context.name }));
  stack.use(startWatching(context, { health: deps.health, address: addressOf(app) }));
  const owned = stack.move();
  return { note: addressOf(app), hear: deps.hear, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function addressOf(app: Awaited<ReturnType<typeof createApp>>): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}
