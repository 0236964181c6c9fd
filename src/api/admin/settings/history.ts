import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ChangeDeps, requireRecord } from '../../../accounts/account-change.ts';
import { type CrawlerDeps, changeCrawler } from '../../../accounts/manage-crawlers.ts';
import { changeEngine } from '../../../accounts/manage-engines.ts';
import {
  findPastRecord,
  type HistoryEntry,
  type HistoryOf,
  listHistory,
  type PastRecord,
} from '../../../accounts/record-history.ts';
import { releaseRecord } from '../../../accounts/release-record.ts';
import { RELEASABLE } from '../../../core/managed-record.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { actorOf } from '../access.ts';
import { crawlerBody } from '../crawl-responses.ts';
import { CRAWLER_CHANGE } from '../crawlers.ts';
import { idOf, LIST_QUERY, queryOf } from '../requests.ts';
import { engineBody, TIME, timeText } from '../responses.ts';

export type HistoryRouteDeps = CrawlerDeps;

export const HISTORY = z.strictObject(LIST_QUERY);

/** Takes records out of the hands of their provision file. */
export function releaseRoutes(deps: ChangeDeps): FastifyPluginAsync {
  return async (app) => {
    for (const kind of RELEASABLE) {
      app.post(`/${kind}s/:${kind}Id/release`, async (request, reply) => {
        await releaseRecord(deps, { actor: actorOf(request), kind, id: idOf(request, `${kind}Id`) });
        return reply.code(204).send();
      });
    }
  };
}

/** How settings of crawlers and engines became what they are, and back to what they were. */
export function historyRoutes(deps: HistoryRouteDeps): FastifyPluginAsync {
  const crawlerOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'crawlerId');
    return { kind: 'crawler', record: requireRecord('crawler', id, await deps.store.findCrawler(id)) } as const;
  };
  const engineOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return { kind: 'engine', record: requireRecord('engine', id, await deps.store.findEngine(id)) } as const;
  };
  return async (app) => {
    for (const [path, recordOf] of [
      ['/crawlers/:crawlerId/history', crawlerOf],
      ['/engines/:engineId/history', engineOf],
    ] as const) {
      app.get(path, { config: { access: 'editor' } }, async (request) =>
        historyPage(deps, await recordOf(request), queryOf(HISTORY, request)),
      );

      app.get(`${path}/:entryId`, { config: { access: 'editor' } }, async (request) =>
        pastRecordBody(await findPastRecord(deps, await recordOf(request), idOf(request, 'entryId'))),
      );
    }

    app.post('/crawlers/:crawlerId/history/:entryId/restore', async (request) => {
      const { preview: token, allowDelete } = queryOf(CRAWLER_CHANGE, request);
      const of = await crawlerOf(request);
      const { patch: sent } = await findPastRecord(deps, of, idOf(request, 'entryId'));
      const confirmation = { token, allowDelete: allowDelete === 'true' };
      const { id } = of.record;
      return crawlerBody(await changeCrawler(deps, { actor: actorOf(request), id, sent, confirmation }));
    });

    app.post('/engines/:engineId/history/:entryId/restore', async (request) => {
      const of = await engineOf(request);
      const { patch: sent } = await findPastRecord(deps, of, idOf(request, 'entryId'));
      const engine = await changeEngine(deps, { actor: actorOf(request), id: of.record.id, sent });
      return engineBody(engine, await deps.store.listCrawlers({ engineId: engine.id }));
    });
  };
}

async function historyPage(deps: HistoryRouteDeps, of: HistoryOf, { limit, after: before }: z.infer<typeof HISTORY>) {
  const entries = await listHistory(deps, of, { limit, before });
  return { items: entries.map(entryBody), next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}

const MEMBERS = z.record(z.string(), z.unknown());
const ENTRY = z.object({
  id: z.int(),
  at: TIME,
  actor: z.string(),
  isFirst: z.boolean().describe('It made the record.'),
  changes: z
    .array(
      z.object({
        path: z.string().describe('`limits.depth`'),
        before: z.unknown().describe('null where there was none.'),
        after: z.unknown(),
      }),
    )
    .describe('Secrets are `set`.'),
});
export const ENTRY_BODY = ENTRY.meta({ id: 'HistoryEntry' });
export const PAST_RECORD_BODY = ENTRY.extend({
  record: MEMBERS.describe('Name and settings as they were after the change.'),
  patch: MEMBERS.describe('What brings them back, for a preview or a PATCH; secrets stay as they are.'),
}).meta({ id: 'PastRecord' });

function entryBody({ id, at, actor, isFirst, changes }: HistoryEntry): Shown<typeof ENTRY_BODY> {
  return {
    id,
    at: timeText(at),
    actor,
    isFirst,
    changes: changes.map(({ path, before, after }) => ({ path, before: before ?? null, after: after ?? null })),
  };
}

function pastRecordBody({ record, patch, ...entry }: PastRecord): Shown<typeof PAST_RECORD_BODY> {
  return { ...entryBody(entry), record, patch };
}
