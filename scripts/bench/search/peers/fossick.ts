import { createLogger } from '../../../../src/observability/logger.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import type { QueryPlan } from '../../../../src/search-index/query-plan.ts';
import type { SearchIndex } from '../../../../src/search-index/search-index.ts';
import { eventually } from '../../../../test/helpers/eventually.ts';
import { searchPlan } from '../bench-plan.ts';
import { countSegments } from '../count-segments.ts';
import type { BenchQuery, Peer } from '../peer.ts';
import { emptySource, storedDocument } from '../stored-document.ts';

const ENGINE = 1;
const DOCUMENTS_PER_REFRESH = 20_000;
const MERGES_AFTER_MS = 100;
const MERGED_WITHIN_MS = 300_000;
const log = createLogger({ level: 'silent', name: 'bench' });

/** The embedded index, searched on the calling thread. */
export function createPeer(): Peer {
  let index: SearchIndex;
  const open = async (directory: string) => {
    index = openEmbeddedIndex({ directoryOf: () => directory, threads: 0, clock: Date, log });
    await index.search(ENGINE, searchPlan({ words: [], operator: 'OR' }), AbortSignal.timeout(60_000));
  };
  return {
    async build(documents, directory, atRest) {
      await buildIndex(documents, directory, atRest);
      await open(directory);
    },
    open,
    can: () => true,
    search: (query) => (query.typo === undefined ? search(index, searchPlan(query)) : correct(index, query.typo)),
  };
}

async function buildIndex(...[documents, directory, atRest]: Parameters<Peer['build']>): Promise<void> {
  const options = { directory, source: emptySource, language: 'en', clock: Date, log };
  await using writer = await openEmbeddedWriter(atRest ? { ...options, idleMergeMs: MERGES_AFTER_MS } : options);
  let rid = 0;
  for await (const document of documents) {
    writer.apply([storedDocument(document, ++rid)]);
    if (writer.pending === DOCUMENTS_PER_REFRESH) await writer.refresh();
  }
  await writer.refresh();
  if (atRest) await eventually(async () => (await countSegments(directory)) === 1, MERGED_WITHIN_MS);
}

async function search(index: SearchIndex, plan: QueryPlan) {
  return { total: (await index.search(ENGINE, plan, AbortSignal.timeout(60_000))).total };
}

/** The nearest word of the index, then the search for it. */
async function correct(index: SearchIndex, { written, meant }: NonNullable<BenchQuery['typo']>) {
  const near = await index.fuzzyTerms(
    ENGINE,
    written,
    { maxDistance: written.length < 8 ? 1 : 2, limit: 5 },
    AbortSignal.timeout(60_000),
  );
  const found = near.find(({ text }) => text === meant);
  return found === undefined ? { total: 0 } : search(index, searchPlan({ words: [meant], operator: 'AND' }));
}
