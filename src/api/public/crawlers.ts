import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Wake } from '../../core/wake.ts';
import { type QueuedUrl, queueUrls } from '../../crawl/queue-urls.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import { bind, limitItems, listOf } from '../binding.ts';
import { crawlerAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';

export type CrawlerDeps = GuardDeps & { readonly engineStores: Pick<EngineStores, 'of'>; readonly wake: Wake };

/** Elements of any kind: what is no URL is told in its row. Contract: 9. */
export const PATHS = listOf(z.unknown());

/** Queue URLs, also by the older path. Contract: 8.4, 9. */
export function crawlerRoutes(deps: CrawlerDeps): FastifyPluginAsync {
  return async (app) => {
    const access = crawlerAccess(deps, { scheme: 'basic', rate: 'management', scope: 'urls' });
    const queue = async (request: FastifyRequest) => {
      limitItems(request.body, deps.settings.maxPathsPerRequest, 'URLs');
      const rows = await queueUrls(deps, access.of(request).crawler, bind(PATHS, request.body));
      return rows.map(queuedUrlBody);
    };
    app.post('/api/v4/:customerId/crawler/:crawlerId/paths', { onRequest: access.check }, queue);
    app.post('/api/v3/:customerId/content/:crawlerId/pushurls', { onRequest: access.check }, queue);
  };
}

export const QUEUED_URL = z.object({ Url: z.string(), Status: z.string() }).meta({ id: 'QueuedUrl' });

/** Contract: 9. */
function queuedUrlBody({ url, status }: QueuedUrl): Shown<typeof QUEUED_URL> {
  return { Url: url, Status: status };
}
