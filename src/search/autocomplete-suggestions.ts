import type { Engine } from '../core/records.ts';
import { type Completion, typedWords } from '../search-index/completions.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { CorrectedWord } from './autocomplete-plan.ts';
import type { PopularQueries } from './popular-queries.ts';
import { completingQueries, type QueryCompletion, queryCompletionsOf } from './query-completions.ts';

export type SuggestDeps = {
  readonly searchIndex: Pick<SearchIndex, 'completions'>;
  readonly popularQueries: PopularQueries;
};

type SuggestInput = { readonly engine: Engine; readonly request: { readonly query: string; readonly limit: number } };

export type Suggested = {
  readonly suggestions: readonly string[];
  readonly totalSuggestions: number;
  /** The word that a typo was looked for in. */
  readonly corrected: CorrectedWord | undefined;
};

/** What a query of visitors weighs against a run of words of titles (search-engine design 14.5). */
const QUERY_WEIGHT = 3;

/**
 * Completions of mode `suggestions`: committed queries that had results, and titles and runs of words of titles and
 * headings; those with a typo last, and only when there are fewer others than wanted. Contract: 3.
 */
export async function suggestTexts(deps: SuggestDeps, { engine, request }: SuggestInput): Promise<Suggested> {
  const { query, limit } = request;
  const typed = typedWords(query);
  const known = await queryCompletionsOf(await deps.popularQueries(engine.id));
  const queries = completingQueries(known, typed);
  const complete = (own: readonly QueryCompletion[]) =>
    deps.searchIndex.completions(engine.id, query, { limit, except: own.map(({ text }) => text) });
  const exact = await complete(queries);
  const fuzzy = exact.fuzzy;
  const total = queries.length + exact.total;
  const best = merge(queries, exact.items);
  if (fuzzy === undefined || total >= limit) {
    return { suggestions: best.slice(0, limit), totalSuggestions: total, corrected: fuzzy };
  }
  const meant = fuzzy.forms.map((form) => typed.map((word) => (word === fuzzy.word ? form : word)));
  const found = new Set(meant.flatMap((words) => completingQueries(known, words)));
  const correctedQueries = [...found].filter((completion) => !queries.includes(completion));
  const { corrected, correctedTotal } =
    correctedQueries.length === 0 ? exact : await complete([...queries, ...correctedQueries]);
  return {
    suggestions: [...best, ...merge(correctedQueries, corrected)].slice(0, limit),
    totalSuggestions: total + correctedQueries.length + correctedTotal,
    corrected: fuzzy,
  };
}

/** Best first. */
function merge(queries: readonly QueryCompletion[], completions: readonly Completion[]): readonly string[] {
  const weighted = [
    ...queries.map(({ text, count }) => ({ text, weight: QUERY_WEIGHT * Math.log(count) })),
    ...completions.map(({ text, documents }) => ({ text, weight: Math.log(documents) })),
  ];
  return weighted.sort((a, b) => b.weight - a.weight).map(({ text }) => text);
}
