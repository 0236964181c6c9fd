import type { AddressInfo } from 'node:net';
import { adminRoutes } from '../api/admin/admin-routes.ts';
import { answerRoutes } from '../api/answer/routes.ts';
import { createApp } from '../api/app.ts';
import { autocompleteRoutes } from '../api/autocomplete/routes.ts';
import { contentRoutes } from '../api/content-v3/routes.ts';
import { crawlerRoutes } from '../api/crawlers/routes.ts';
import { documentRoutes } from '../api/documents/routes.ts';
import { feedbackRoutes } from '../api/feedback/routes.ts';
import { healthRoutes } from '../api/health/routes.ts';
import { searchRoutes } from '../api/search/routes.ts';
import { toolRoutes } from '../api/search-tools/routes.ts';
import { synonymRoutes } from '../api/search-tools/synonym-routes.ts';
import { settingsRoutes } from '../api/settings/routes.ts';
import { staticFiles } from '../api/static-files.ts';
import { summaryRoutes } from '../api/summary/routes.ts';
import { trackingRoutes } from '../api/tracking/routes.ts';
import { openApiDeps } from './api-deps.ts';
import type { RoleContext, RunningRole } from './role.ts';

/** The HTTP role: answers until it is disposed, then finishes the requests under way. `note` is its address. */
export async function composeApi(context: RoleContext): Promise<RunningRole> {
  const { config } = context;
  await using stack = new AsyncDisposableStack();
  const { draining, ...deps } = await openApiDeps(stack, context);
  const app = await createApp(deps, [
    searchRoutes(deps),
    autocompleteRoutes(deps),
    answerRoutes(deps),
    summaryRoutes(deps),
    documentRoutes(deps),
    crawlerRoutes(deps),
    contentRoutes(deps),
    toolRoutes(deps),
    synonymRoutes(deps),
    settingsRoutes(deps),
    trackingRoutes(deps),
    feedbackRoutes(deps),
    adminRoutes(deps),
    healthRoutes(deps),
    staticFiles(deps),
  ]);
  stack.defer(async () => {
    draining.begin();
    await app.close();
  });
  await app.listen({ host: config.HOST, port: config.PORT });
  const owned = stack.move();
  return { note: config.PUBLIC_URL ?? addressOf(app), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function addressOf(app: Awaited<ReturnType<typeof createApp>>): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}
