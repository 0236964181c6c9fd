import type { Clock } from '../core/clock.ts';
import type { StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import type { Explanation } from '../search-index/explanation.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { type CustomerTools, placementOf } from '../search-tools/tool-snapshot.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import { planQuery, type SearchRequest, usesFields } from './plan-query.ts';
import { createQueryReader } from './read-query.ts';
import { runQuery } from './run-query.ts';

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
export async function explainHit(
  deps: ExplainDeps,
  { engine, request, crawlerId, id, signal }: ExplainInput,
): Promise<ExplainedHit> {
  const { searchIndex, tools, clock } = deps;
  const toolInput = { engineId: engine.id, query: request.query, traits: request.traits };
  const placement = placementOf(await tools.of(engine.customerId), toolInput);
  const fields = usesFields(request) ? await searchIndex.fields(engine.id) : [];
  const { fixedQuery, plan } = await runQuery(deps, {
    engineId: engine.id,
    text: request.query,
    operator: request.operator ?? engine.settings.operator,
    read: await createQueryReader(deps, { engine, fields }),
    toPlan: (match) => planQuery({ request, engine, fields, match, placement, now: clock.now() }),
    signal,
  });
  const owner = await findOwner(deps, { engine, crawlerId, id });
  const explanation = await searchIndex.explain(engine.id, plan, { crawlerId: owner.crawlerId, id }, signal);
  return { ...explanation, fixedQuery, document: owner.document, absence: absenceOf(explanation, owner.document) };
}

/** The document of the crawler, or of the engine's first one that has the id. */
async function findOwner(
  { engineStores, store }: ExplainDeps,
  { engine, crawlerId, id }: Pick<ExplainInput, 'engine' | 'crawlerId' | 'id'>,
): Promise<{ readonly crawlerId: number; readonly document: StoredDocument | undefined }> {
  const documents = await engineStores.of(engine.id);
  const crawlers = crawlerId === undefined ? await store.listCrawlers({ engineId: engine.id }) : [{ id: crawlerId }];
  for (const crawler of crawlers) {
    const document = await documents.findDocument(crawler.id, id);
    if (document !== undefined) return { crawlerId: crawler.id, document };
  }
  return { crawlerId: crawlers[0]?.id ?? 0, document: undefined };
}

function absenceOf({ mismatch, seq }: Explanation, document: StoredDocument | undefined): ExplainedHit['absence'] {
  if (mismatch?.cause !== 'absent') return undefined;
  if (document === undefined) return mismatch.dead ? 'deleted' : 'unknown';
  return document.seq > seq ? 'waiting' : 'missing';
}
