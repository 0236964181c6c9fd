import type { StoredDocument } from '../../../src/core/document.ts';
import { type QueryReader, type ReadQuery, readQuery, selectionOf } from '../../../src/search/query/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import type { RelevanceSettings } from '../../../src/search-index/query-plan.ts';
import type { SearchIndex } from '../../../src/search-index/search-index.ts';
import { planOf } from '../../../test/helpers/query-plans.ts';
import { openIndexOf } from '../open-index.ts';
import { type Corpus, JUDGED_DEPTH, storedDocuments } from './corpus.ts';

/** Ids of the best documents for a query, best first. */
export type Ranker = (query: string, weights: RelevanceSettings) => Promise<readonly string[]>;

const ENGINE = 1;
const NO_SYNONYMS = compileSynonyms([], []);

/** Opens an index of the rows, for any engine id, that goes when it is disposed. `language` is that of the engine. */
export type OpenIndex = (
  rows: readonly StoredDocument[],
  language: string,
) => Promise<AsyncDisposable & { readonly searchIndex: SearchIndex }>;

/**
 * The corpus in an index that goes when it is disposed, an embedded one unless it is said. Queries are read, and corrected when nothing matches,
 * as a search of an engine of its language with the operator OR does it.
 */
export async function openCorpus(
  corpus: Corpus,
  openIndex: OpenIndex = openIndexOf,
): Promise<AsyncDisposable & { readonly rank: Ranker }> {
  const { engineLanguage } = corpus;
  const opened = await openIndex(storedDocuments(corpus.documents), engineLanguage);
  const { searchIndex } = opened;
  const signal = new AbortController().signal;
  const rules = { language: engineLanguage, fields: [], synonyms: NO_SYNONYMS };
  const read: QueryReader = (text, operator) => readQuery(text, { ...rules, operator });
  return {
    async rank(text, weights) {
      const toPlan = (query: ReadQuery) => planOf({ match: selectionOf(query), weights, limit: JUDGED_DEPTH });
      const run = await runQuery({ searchIndex }, { engineId: ENGINE, text, operator: 'OR', read, toPlan, signal });
      return run.found.hits.map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
