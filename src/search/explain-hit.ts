import type { Clock } from '../core/clock.ts';
import type { StoredDocument } from '../core/document.ts';
import { AppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Explanation, ScorePart } from '../search-index/explanation.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { type CustomerTools, placementOf } from '../search-tools/tool-snapshot.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import { operatorOf, planQuery, type SearchRequest, usesFields } from './query/plan-query.ts';
import { createQueryReader, selectionOf } from './query/read-query.ts';
import { type RunQuery, runQuery } from './run-query.ts';

export type ExplainDeps = {
  readonly searchIndex: SearchIndex;
  readonly tools: { of(customerId: number): Promise<CustomerTools> };
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly store: Pick<AccountStore, 'listCrawlers'>;
  readonly clock: Clock;
};

export type ExplainInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  /** Undefined = the engine's crawler that has the document. */
  readonly crawlerId: number | undefined;
  readonly id: string;
  readonly signal: AbortSignal;
};

export type ExplainedHit = Explanation & {
  /** The corrected query that was run; `''` = the one that was sent. */
  readonly fixedQuery: string;
  /** As the store has it. */
  readonly document: StoredDocument | undefined;
  /** Why the index does not have it; undefined = it does. */
  readonly absence: 'unknown' | 'deleted' | 'waiting' | 'missing' | undefined;
};

/** How a search scores one document, or what keeps it out. Not for visitors: it tells stored values. */
export async function explainHit(deps: ExplainDeps, { crawlerId, id, ...query }: ExplainInput): Promise<ExplainedHit> {
  const { engine, signal } = query;
  const { fixedQuery, plan } = await runAsVisitor(deps, query);
  const asked = await findAsked(deps, { engine, crawlerId, id });
  const [explanation] = await deps.searchIndex.explain(engine.id, plan, [asked], signal);
  return explainedHit({ explanation, fixedQuery, document: asked.document });
}

/** A document that is a hit, with the parts of its score. */
export type ExplainedPlace = {
  /** From 1, over all pages. */
  readonly rank: number;
  readonly pin: number | undefined;
  readonly document: StoredDocument;
  readonly score: ScorePart | undefined;
};

export type ExplainedQuery = {
  readonly total: number;
  /** The corrected query that was run; `''` = the one that was sent. */
  readonly fixedQuery: string;
  /** The page that was asked for; rows that have just gone are left out. */
  readonly hits: readonly ExplainedPlace[];
  /** Of the document that was asked for beside them. */
  readonly document: ExplainedHit | undefined;
};

type QueryInput = Omit<ExplainInput, 'id' | 'crawlerId'> & {
  /** Of a document whose place, or absence, is to be explained as well. */
  readonly id: string | undefined;
};

/**
 * The hits of a page with the parts of their scores, and why one document is not among them. Costs about three searches.
 */
export async function explainQuery(deps: ExplainDeps, { id, ...query }: QueryInput): Promise<ExplainedQuery> {
  const { engine, request, signal } = query;
  const { fixedQuery, plan, found } = await runAsVisitor(deps, query);
  const shown = found.hits.slice(0, request.perPage ?? engine.settings.perPage);
  const store = await deps.engineStores.of(engine.id);
  const documents = await store.readDocuments(shown.map(({ rid }) => rid));
  const asked = id === undefined ? undefined : await findAsked(deps, { engine, crawlerId: undefined, id });
  const explained = asked === undefined ? shown : [...shown, asked];
  const explanations = await deps.searchIndex.explain(engine.id, plan, explained, signal);
  const hits = shown.flatMap((_, position): ExplainedPlace[] => {
    const [document, explanation] = [documents[position], explanations[position]];
    if (document === undefined || explanation === undefined) return [];
    return [{ rank: plan.offset + position + 1, pin: explanation.pin, document, score: explanation.score }];
  });
  const explanation = explanations[shown.length];
  const document = asked && explainedHit({ explanation, fixedQuery, document: asked.document });
  return { total: found.total, fixedQuery, hits, document };
}

/** The query with all that a visitor gets: synonyms, corrections and tools of editors. */
async function runAsVisitor(
  deps: ExplainDeps,
  { engine, request, signal }: Pick<ExplainInput, 'engine' | 'request' | 'signal'>,
): Promise<RunQuery> {
  const { searchIndex, tools, clock } = deps;
  const toolInput = { engineId: engine.id, query: request.query, traits: request.traits };
  const placement = placementOf(await tools.of(engine.customerId), toolInput);
  const fields = usesFields(request) ? await searchIndex.fields(engine.id) : [];
  return runQuery(deps, {
    engineId: engine.id,
    text: request.query,
    ...operatorOf(request, engine),
    read: await createQueryReader(deps, { engine, fields }),
    toPlan: (query) => planQuery({ request, engine, fields, match: selectionOf(query), placement, now: clock.now() }),
    signal,
  });
}

function explainedHit(of: {
  readonly explanation: Explanation | undefined;
  readonly fixedQuery: string;
  readonly document: StoredDocument | undefined;
}): ExplainedHit {
  const { explanation, fixedQuery, document } = of;
  if (explanation === undefined) throw new AppError('internal', 'An explanation failed');
  return { ...explanation, fixedQuery, document, absence: absenceOf(explanation, document) };
}

/** A document that is asked for by its id: of the crawler, or of the engine's first one that has the id. */
async function findAsked(
  { engineStores, store }: ExplainDeps,
  { engine, crawlerId, id }: Pick<ExplainInput, 'engine' | 'crawlerId' | 'id'>,
): Promise<{ readonly crawlerId: number; readonly id: string; readonly document: StoredDocument | undefined }> {
  const documents = await engineStores.of(engine.id);
  const crawlers = crawlerId === undefined ? await store.listCrawlers({ engineId: engine.id }) : [{ id: crawlerId }];
  for (const crawler of crawlers) {
    const document = await documents.findDocument(crawler.id, id);
    if (document !== undefined) return { crawlerId: crawler.id, id, document };
  }
  return { crawlerId: crawlers[0]?.id ?? 0, id, document: undefined };
}

function absenceOf({ mismatch, seq }: Explanation, document: StoredDocument | undefined): ExplainedHit['absence'] {
  if (mismatch?.cause !== 'absent') return undefined;
  if (document === undefined) return mismatch.dead ? 'deleted' : 'unknown';
  return document.seq > seq ? 'waiting' : 'missing';
}
