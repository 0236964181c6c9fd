import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../../src/core/clock.ts';
import { readQuery } from '../../../src/search/read-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { openEmbeddedIndex } from '../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import type { RelevanceSettings } from '../../../src/search-index/query-plan.ts';
import { indexSourceOf } from '../../../test/helpers/index-source.ts';
import { planOf } from '../../../test/helpers/query-plans.ts';
import { type Corpus, JUDGED_DEPTH, storedDocuments } from './corpus.ts';

/** Ids of the best documents for a query, best first. */
export type Ranker = (query: string, weights: RelevanceSettings) => Promise<readonly string[]>;

const ENGINE = 1;
const NO_SYNONYMS = compileSynonyms([], []);

/**
 * The corpus in an embedded index, in a folder of its own that goes when it is disposed. Queries are read as a search
 * of an English engine with the operator OR reads them.
 */
export async function openCorpus(corpus: Corpus): Promise<AsyncDisposable & { readonly rank: Ranker }> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'fossick-relevance-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const rows = storedDocuments(corpus);
  const source = indexSourceOf(new Map(rows.map((row) => [row.rid, row])));
  const common = { clock: systemClock, log: pino({ level: 'silent' }) };
  const writer = opening.use(await openEmbeddedWriter({ ...common, directory, source, language: 'en' }));
  writer.apply(rows);
  await writer.refresh();
  const index = opening.use(openEmbeddedIndex({ ...common, directoryOf: () => directory, threads: 0 }));
  const signal = new AbortController().signal;
  const opened = opening.move();
  return {
    async rank(query, weights) {
      const rules = { operator: 'OR', language: 'en', fields: [], synonyms: NO_SYNONYMS } as const;
      const { match } = readQuery(query, rules);
      const { hits } = await index.search(ENGINE, planOf({ match, weights, limit: JUDGED_DEPTH }), signal);
      return hits.map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
