import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Clock } from '../../core/clock.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, firstValue, type StoredDocument } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import type { Crawler, Engine } from '../../core/records.ts';
import { normalizeUrl } from '../../core/url.ts';
import { browseDocuments, readDocument } from '../../indexing/documents.ts';
import { type FindDocumentsDeps, findDocuments } from '../../search/find-documents.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { tellAudit } from './access.ts';
import { nextOffset } from './csv.ts';
import { type DryRunRouteDeps, runDryRun } from './dry-runs.ts';
import { digits, idOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';
import { URL_DRY_RUN_BODY } from './url-explanation.ts';

export type DocumentRouteDeps = FindDocumentsDeps &
  Pick<DryRunRouteDeps, 'openDryRun'> & {
    readonly store: Pick<AccountStore, 'findEngine' | 'findCrawler' | 'listCrawlers' | 'recordAction'>;
    readonly engineStores: Pick<EngineStores, 'of'>;
    readonly clock: Clock;
  };

const PART = z.string().min(1).optional();
export const DOCUMENT_LIST = z.strictObject({
  ...LIST_QUERY,
  crawler: digits(1, Number.MAX_SAFE_INTEGER).optional(),
  text: PART.describe('Words, as a search takes them; the best come first.'),
  url: PART.describe('Part of the address.'),
  title: PART.describe('Part of the title.'),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a two-letter language code such as en')
    .optional(),
  type: z.enum(DOCUMENT_KINDS, `must be one of ${DOCUMENT_KINDS.join(', ')}`).optional(),
});
export const DOCUMENT_URL = z.strictObject({ url: z.string().min(1) });

/** The stored documents of an engine, by row id. */
export function adminDocumentRoutes(deps: DocumentRouteDeps): FastifyPluginAsync {
  const engineOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return requireRecord('engine', id, await deps.store.findEngine(id));
  };
  const found = async (request: FastifyRequest) => {
    const { id: engineId } = await engineOf(request);
    const rid = idOf(request, 'rid');
    return { engineId, document: requireRecord('document', rid, await readDocument(deps, engineId, rid)) };
  };
  return async (app) => {
    app.get('/engines/:engineId/documents', { config: { access: 'editor' } }, async (request, reply) => {
      const engine = await engineOf(request);
      const { crawler, limit, after = 0, ...filter } = queryOf(DOCUMENT_LIST, request);
      if (Object.values(filter).some((value) => value !== undefined)) {
        const page = { offset: after, limit };
        const { type: kind, ...rest } = filter;
        const asked = { engine, filter: { ...NO_FILTER, ...rest, kind, crawlerId: crawler }, page };
        const found = await findDocuments(deps, { ...asked, signal: requestSignal(reply, DEADLINE_MS) });
        return { items: found.map(documentBody), next: nextOffset(found, page) };
      }
      const input = { after, limit, ...(crawler !== undefined && { crawlerId: crawler }) };
      const documents = await browseDocuments(deps, engine.id, input);
      const next = documents.length < limit ? null : (documents.at(-1)?.rid ?? null);
      return { items: documents.map(documentBody), next };
    });

    app.get('/engines/:engineId/documents/:rid', { config: { access: 'editor' } }, async (request) => {
      const { document } = await found(request);
      return wholeDocumentBody(document);
    });

    app.get('/engines/:engineId/documents/by-url', { config: { access: 'editor' } }, async (request) => {
      const engine = await engineOf(request);
      const { url } = queryOf(DOCUMENT_URL, request);
      const crawlers = await deps.store.listCrawlers({ engineId: engine.id });
      const document = await findByUrl(deps, { engine, crawlers, url });
      if (document === undefined) throw new AppError('record.not-found', `There is no document at ${url}`);
      return wholeDocumentBody(document);
    });

    app.post(
      '/engines/:engineId/documents/:rid/extraction',
      { config: { access: 'editor' } },
      async (request, reply) => {
        const { document } = await found(request);
        const crawler = await deps.store.findCrawler(document.crawlerId);
        if (document.origin === 'pushed' || crawler === undefined) throw new AppError('record.conflict', PUSHED);
        const signal = requestSignal(reply, FETCH_DEADLINE_MS);
        return { ...(await runDryRun(deps, { crawler, url: document.id }, signal)), note: FETCHED_ANEW };
      },
    );

    app.delete('/engines/:engineId/documents/:rid', async (request, reply) => {
      const { engineId, document } = await found(request);
      const target = `engine:${engineId}/document:${document.rid}`;
      const after = { crawler: document.crawlerId, id: document.id };
      await tellAudit(deps, request, { action: 'delete-document', target, after });
      const store = await deps.engineStores.of(engineId);
      await store.deleteDocuments(document.crawlerId, [document.id], deps.clock.now());
      return reply.code(204).send();
    });
  };
}

const DEADLINE_MS = 30_000;
const FETCH_DEADLINE_MS = 90_000;
const PUSHED = 'The document was pushed: nothing was extracted from a page';
const FETCHED_ANEW =
  'Pages are not kept: this one was fetched anew just now, and may say something else than is stored';
const NO_FILTER = { text: undefined, url: undefined, title: undefined, language: undefined };

/** By its id, which is its URL when it was crawled, else by the field of that name. */
async function findByUrl(
  deps: DocumentRouteDeps,
  { engine, crawlers, url }: { readonly engine: Engine; readonly crawlers: readonly Crawler[]; readonly url: string },
): Promise<StoredDocument | undefined> {
  const store = await deps.engineStores.of(engine.id);
  for (const id of new Set([url, normalizeUrl(url) ?? url])) {
    for (const crawler of crawlers) {
      const document = await store.findDocument(crawler.id, id);
      if (document !== undefined) return document;
    }
  }
  const filter = { ...NO_FILTER, url, kind: undefined, crawlerId: undefined };
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const found = await findDocuments(deps, { engine, filter, page: { offset: 0, limit: 100 }, signal });
  return found.find(({ fields }) => fields.get('Url')?.includes(url) === true);
}

export const DOCUMENT_BODY = z
  .object({
    rid: z.int().describe('Row id: stays when the document is replaced, and is never given again.'),
    crawler: z.int(),
    id: z.string(),
    url: z.string(),
    title: z.string(),
    type: z.enum(DOCUMENT_KINDS),
    origin: z.enum(DOCUMENT_ORIGINS),
    language: z.string(),
    seq: z.int().describe('Number of its last change in the engine.'),
    createdAt: TIME,
    updatedAt: TIME,
    damaged: z.boolean().describe('The row is not what was written; its fields are lost.'),
  })
  .meta({ id: 'StoredDocument' });
export const WHOLE_DOCUMENT_BODY = DOCUMENT_BODY.extend({
  fields: z.record(z.string(), z.array(z.string())),
}).meta({ id: 'WholeDocument' });

export const EXTRACTION_BODY = URL_DRY_RUN_BODY.extend({
  note: z.string().describe('That the page was fetched anew.'),
}).meta({ id: 'Extraction' });

function wholeDocumentBody(document: StoredDocument): Shown<typeof WHOLE_DOCUMENT_BODY> {
  return { ...documentBody(document), fields: Object.fromEntries(document.fields) };
}

function documentBody(document: StoredDocument): Shown<typeof DOCUMENT_BODY> {
  const { rid, seq, crawlerId, id, kind, origin, language, createdAt, updatedAt, fields } = document;
  return {
    rid,
    crawler: crawlerId,
    id,
    url: firstValue(fields, 'Url') || id,
    title: firstValue(fields, 'Title'),
    type: kind,
    origin,
    language,
    seq,
    createdAt: timeText(createdAt),
    updatedAt: timeText(updatedAt),
    damaged: document.damaged === true,
  };
}
