import type { QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../search-index/search-index.ts';
import { correctQuery } from './query/correct-query.ts';
import { matchesEverything, type QueryReader, type ReadQuery } from './query/read-query.ts';
import { requireWords } from './query/require-words.ts';
import { withAlternatives } from './word-alternatives.ts';

export type RunInput = {
  readonly engineId: number;
  readonly text: string;
  readonly operator: 'AND' | 'OR';
  /** Results below which words of an OR query are dropped; undefined = any word is enough. */
  readonly dropWordsBelow?: number | undefined;
  readonly read: QueryReader;
  /** The whole plan around a query. */
  readonly toPlan: (query: ReadQuery) => QueryPlan;
  readonly signal: AbortSignal;
};

export type RunQuery = {
  /** The query that was run. */
  readonly query: ReadQuery;
  /** Its text when it is a correction of what was sent, else `''`. */
  readonly fixedQuery: string;
  readonly plan: QueryPlan;
  readonly found: Hits;
};

/**
 * Runs a query with its synonyms and other ways to write its words. One that matches no document, whatever the filters,
 * is corrected when a correction matches one; then that is what runs, with all filters. Contract: 2.9.
 */
export async function runQuery(deps: RunDeps, input: RunInput): Promise<RunQuery> {
  const { engineId, text, operator, read, signal } = input;
  const sent = await runRead(deps, read(text, operator), input);
  if (!(await mayBeCorrected(deps, input, sent))) return { ...sent, fixedQuery: '' };
  const correction = await correctQuery(deps, { engineId, query: sent.query, operator, read, signal });
  if (correction === undefined) return { ...sent, fixedQuery: '' };
  signal.throwIfAborted();
  return { ...(await runRead(deps, correction, input)), fixedQuery: correction.text };
}

type RunDeps = { readonly searchIndex: SearchIndex };

async function runRead(deps: RunDeps, read: ReadQuery, input: RunInput): Promise<Omit<RunQuery, 'fixedQuery'>> {
  const { engineId, toPlan, signal } = input;
  const query = await requireWords(deps, await withAlternatives(deps, read, input), input);
  const plan = toPlan(query);
  return { query, plan, found: await deps.searchIndex.search(engineId, plan, signal) };
}

/** Whether the words themselves, without filters and pins, match nothing. */
async function mayBeCorrected(
  { searchIndex }: RunDeps,
  { engineId, text, signal }: RunInput,
  { query, plan, found }: Omit<RunQuery, 'fixedQuery'>,
): Promise<boolean> {
  if (matchesEverything(text) || (found.total > 0 && plan.pins.length === 0)) return false;
  return !(await searchIndex.hasMatch(engineId, query.match, signal));
}
