import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { type Browse, browseUrls, groupUrls, streamUrls } from '../../../crawl/browse-urls.ts';
import type { ExplainUrlDeps } from '../../../crawl/explain/inputs.ts';
import { explainUrl } from '../../../crawl/explain-url.ts';
import type { AccountStore } from '../../../storage/account-store.ts';
import { requestSignal } from '../../request-signal.ts';
import { crawlerOf } from '../find-crawler.ts';
import { queryOf } from '../requests.ts';
import { urlExplanationBody } from './explanation.ts';
import { CSV_HEAD, csvRows, urlGroupsBody, urlListBody } from './responses.ts';
import { EXPLAIN, filterOf, URL_FILTER, URL_LIST } from './schemas.ts';

export type UrlRouteDeps = ExplainUrlDeps & { readonly store: Pick<AccountStore, 'findCrawler'> };

const DEADLINE_MS = 30_000;
const CSV_DEADLINE_MS = 600_000;

/** What a crawler knows: its URL records, counted, whole as CSV, and all about one URL. */
export function urlRoutes(deps: UrlRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/crawlers/:crawlerId/urls', async (request, reply) => {
      const { id, engineId } = await crawlerOf(deps.store, request);
      const { limit, after, group, ...filter } = queryOf(URL_LIST, request);
      const signal = requestSignal(reply, DEADLINE_MS);
      const browse: Browse = { engineId, crawlerId: id, filter: filterOf(filter) };
      if (group !== undefined) return urlGroupsBody(await groupUrls(deps, { ...browse, by: group }, signal));
      return urlListBody(await browseUrls(deps, { ...browse, after, limit }, signal));
    });

    app.get('/crawlers/:crawlerId/urls.csv', async (request, reply) => {
      const { id, engineId } = await crawlerOf(deps.store, request);
      const filter = filterOf(queryOf(URL_FILTER, request));
      return sendCsv(deps, { engineId, crawlerId: id, filter }, reply);
    });

    app.get('/crawlers/:crawlerId/explain', async (request) => {
      const crawler = await crawlerOf(deps.store, request);
      return urlExplanationBody(await explainUrl(deps, crawler, queryOf(EXPLAIN, request).url));
    });
  };
}

function sendCsv(deps: UrlRouteDeps, browse: Browse, reply: FastifyReply): FastifyReply {
  const signal = requestSignal(reply, CSV_DEADLINE_MS);
  reply.header('Content-Disposition', `attachment; filename="crawler-${browse.crawlerId}-urls.csv"`);
  return reply.type('text/csv; charset=utf-8').send(Readable.from(csv(deps, browse, signal)));
}

async function* csv(deps: UrlRouteDeps, browse: Browse, signal: AbortSignal): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const rows of streamUrls(deps, browse, signal)) yield csvRows(rows);
}
