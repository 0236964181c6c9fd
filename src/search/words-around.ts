import type { Engine } from '../core/records.ts';
import type { QueryReader } from './query-reader.ts';
import { matchesEverything } from './read-query.ts';
import { findRelatedSearches, type RelatedDeps, type RelatedSearch } from './related-searches.ts';
import type { RunQuery } from './run-query.ts';
import type { SearchRequest } from './search-request.ts';
import { findSuggestions, type SuggestionDeps } from './suggestions.ts';
import { knownExpansions } from './synonyms.ts';

export type WordDeps = SuggestionDeps & RelatedDeps;

export type WordsInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly run: RunQuery;
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  readonly signal: AbortSignal;
};

/** What a response says beside the results. */
export type WordsAround = {
  /** Synonyms that took part and that documents have. */
  readonly synonyms: readonly string[];
  readonly suggestions: readonly string[];
  /** Empty unless asked for. */
  readonly relatedSearches: readonly RelatedSearch[];
};

/** Synonyms, suggestions and related searches of a query that was run. Contract: 2.6, 2.9. */
export async function findWordsAround(deps: WordDeps, input: WordsInput): Promise<WordsAround> {
  const { engine, request, run, read, operator, signal } = input;
  if (matchesEverything(request.query)) return { synonyms: [], suggestions: [], relatedSearches: [] };
  const { query, found } = run;
  const asked = { engine, query, except: [request.query], read, operator, signal };
  const neighbours = deps.queryNeighbours.ready(engine);
  return {
    synonyms: await knownExpansions(deps, engine.id, query.expansions),
    suggestions: await findSuggestions(deps, { ...asked, total: found.total, neighbours }),
    relatedSearches: request.enableRelatedSearches ? await findRelatedSearches(deps, asked) : [],
  };
}
