import type { StoredDocument } from '../../src/core/document.ts';
import type { IndexSource, IndexWriter } from '../../src/search-index/index-writer.ts';
import type { QueryPlan } from '../../src/search-index/query-plan.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { indexSourceOf } from './index-source.ts';
import { planOf } from './query-plans.ts';
import { storedDocument } from './stored-documents.ts';

/** One engine of an adapter, writer and reader together; disposing closes both and removes its files. */
export type IndexUnderTest = AsyncDisposable & {
  readonly engineId: number;
  readonly index: SearchIndex;
  readonly writer: IndexWriter;
  /** Adapters with files: ends writer and reader as a crash would, and opens both anew on the same files. */
  readonly reopen?: () => Promise<IndexUnderTest>;
};

/** Opens an empty engine. `source` holds every document that the suite applies, for adapters that rebuild from it. */
export type OpenIndex = (source: IndexSource) => Promise<IndexUnderTest>;

/** Six documents in English and German; rids 1 to 6, `seq` likewise. */
export const FIXTURE: readonly StoredDocument[] = [
  storedDocument({
    rid: 1,
    fields: {
      Title: 'Solar panels guide',
      Content: 'Solar panels turn sunlight into power. A panel lasts 25 years.',
      Url: 'https://example.com/solar',
      Category: 'Guides',
      Price_number: '10',
      Published_date: '2026-01-10',
      Place_geo_point: '55.6761,12.5683',
      Word: 'beta',
    },
  }),
  storedDocument({
    rid: 2,
    fields: {
      Title: 'Wind turbines guide',
      Content: 'Wind turbines turn moving air into power.',
      Url: 'https://example.com/wind',
      Category: 'Guides',
      Price_number: '20',
      Published_date: '2026-02-10T08:00:00Z',
      Place_geo_point: '57.0488,9.9217',
      Tag: ['red', 'blue'],
      Word: ['zebra', 'Alpha'],
    },
  }),
  storedDocument({
    rid: 3,
    fields: {
      Title: 'Solar park',
      Content: 'The new café opened.',
      Category: 'News',
      Price_number: '30',
      Published_date: '2026-03-01',
      Word: 'Gamma',
    },
  }),
  storedDocument({
    rid: 4,
    fields: {
      Title: 'Wi-fi for all',
      Content: 'Faster',
      Category: 'News',
      Price_number: '40',
      Published_date: '2025-12-31T23:30:00+01:00',
    },
  }),
  storedDocument({
    rid: 5,
    kind: 'FileContent',
    fields: {
      Title: 'Manual',
      Content: 'The inverter feeds solar power to the grid.',
      Category: 'Manuals',
      Price_number: '50',
      Published_date: '2024-06-01',
    },
  }),
  storedDocument({ rid: 6, language: 'de', fields: { Title: 'Häuser', Content: 'Neue Wohnungen' } }),
];

/** An empty engine with short ways to write and search; disposing closes it. */
export async function start(open: OpenIndex) {
  const rows = new Map<number, StoredDocument>();
  const engine = await open(indexSourceOf(rows));
  const { engineId, index, writer } = engine;
  const apply = (changes: readonly StoredDocument[]) => {
    for (const change of changes) if (change.seq >= (rows.get(change.rid)?.seq ?? 0)) rows.set(change.rid, change);
    writer.apply(changes);
  };
  const refresh = async () => {
    const generation = await writer.refresh();
    await index.waitVisible(engineId, generation.seq, AbortSignal.timeout(10_000));
    return generation;
  };
  const search = (plan: Partial<QueryPlan>) => index.search(engineId, planOf(plan), never());
  return {
    engineId,
    index,
    writer,
    reopen: engine.reopen,
    apply,
    refresh,
    search,
    async publish(changes: readonly StoredDocument[]) {
      apply(changes);
      return refresh();
    },
    ids: (plan: Partial<QueryPlan> = {}) => idsOf(engine, plan),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

export async function idsOf(
  { engineId, index }: IndexUnderTest,
  plan: Partial<QueryPlan> = {},
): Promise<readonly string[]> {
  const { hits } = await index.search(engineId, planOf(plan), never());
  return hits.map(({ id }) => id);
}

/** A signal that never aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}
