import type { MatchNode, QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../search-index/search-index.ts';
import { correctQuery } from './correct-query.ts';
import type { QueryReader } from './query-reader.ts';
import { matchesEverything, type ReadQuery } from './read-query.ts';

export type RunInput = {
  readonly engineId: number;
  readonly text: string;
  readonly operator: 'AND' | 'OR';
  readonly read: QueryReader;
  /** The whole plan around a match. */
  readonly toPlan: (match: MatchNode) => QueryPlan;
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
 * Runs a query with its synonyms. One that matches no document, whatever the filters, is corrected when a correction
 * matches one; then that is what runs, with all filters. Contract: 2.9.
 */
export async function runQuery(deps: { readonly searchIndex: SearchIndex }, input: RunInput): Promise<RunQuery> {
  const { engineId, text, operator, read, toPlan, signal } = input;
  const query = read(text, operator);
  const plan = toPlan(query.match);
  const found = await deps.searchIndex.search(engineId, plan, signal);
  const sent = { query, fixedQuery: '', plan, found };
  if (!(await mayBeCorrected(deps, input, sent))) return sent;
  const corrected = await correctQuery(deps, { engineId, query, operator, read, signal });
  if (corrected === undefined) return sent;
  signal.throwIfAborted();
  const correctedPlan = toPlan(corrected.match);
  return {
    query: corrected,
    fixedQuery: corrected.text,
    plan: correctedPlan,
    found: await deps.searchIndex.search(engineId, correctedPlan, signal),
  };
}

/** Whether the words themselves, without filters and pins, match nothing. */
async function mayBeCorrected(
  { searchIndex }: { readonly searchIndex: SearchIndex },
  { engineId, text, signal }: RunInput,
  { query, plan, found }: RunQuery,
): Promise<boolean> {
  if (matchesEverything(text) || (found.total > 0 && plan.pins.length === 0)) return false;
  return !(await searchIndex.hasMatch(engineId, query.match, signal));
}
