import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../../src/core/clock.ts';
import type { QueryReader } from '../../../src/search/query-reader.ts';
import { readQuery } from '../../../src/search/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { openEmbeddedIndex } from '../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import type { MatchNode, RelevanceSettings } from '../../../src/search-index/query-plan.ts';
import { indexSourceOf } from '../../../test/helpers/index-source.ts';
import { planOf } from '../../../test/helpers/query-plans.ts';
import { type Corpus, JUDGED_DEPTH, storedDocuments } from './corpus.ts';

/** Ids of the best documents for a query, best first. */
export type Ranker = (query: string, weights: RelevanceSettings) => Promise<readonly string[]>;

const ENGINE = 1;
const NO_SYNONYMS = compileSynonyms([], []);

/**
 * The corpus in an embedded index, in a folder of its own that goes when it is disposed. Queries are read, and corrected
 * when nothing matches, as a search of an engine of its language with the operator OR does it.
 */
export async function openCorpus(corpus: Corpus): Promise<AsyncDisposable & { readonly rank: Ranker }> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'fossick-relevance-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const { engineLanguage } = corpus;
  const rows = storedDocuments(corpus);
  const source = indexSourceOf(new Map(rows.map((row) => [row.rid, row])));
  const common = { clock: systemClock, log: pino({ level: 'silent' }) };
  const writer = opening.use(await openEmbeddedWriter({ ...common, directory, source, language: engineLanguage }));
  writer.apply(rows);
  await writer.refresh();
  // The first refresh has learned the words of compounds; documents have their parts from the next indexing on.
  await writer.rebuild('words of compounds');
  const searchIndex = opening.use(openEmbeddedIndex({ ...common, directoryOf: () => directory, threads: 0 }));
  const signal = new AbortController().signal;
  const rules = { language: engineLanguage, fields: [], synonyms: NO_SYNONYMS };
  const read: QueryReader = (text, operator) => readQuery(text, { ...rules, operator });
  const opened = opening.move();
  return {
    async rank(text, weights) {
      const toPlan = (match: MatchNode) => planOf({ match, weights, limit: JUDGED_DEPTH });
      const run = await runQuery({ searchIndex }, { engineId: ENGINE, text, operator: 'OR', read, toPlan, signal });
      return run.found.hits.map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
