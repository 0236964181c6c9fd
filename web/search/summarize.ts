import type { SearchResponse } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import type { SearchState } from './search-state.ts';
import { PER_PAGE } from './use-search.ts';

/** How many results there are, and which of them are shown. */
export function summarize(
  { text }: Language,
  { page }: SearchState,
  { TotalDocument: total, TypedDocuments }: SearchResponse,
): string {
  const first = (page - 1) * PER_PAGE + 1;
  const last = first + TypedDocuments.length - 1;
  if (total <= PER_PAGE || last < first) return text('results.count', { count: total });
  return text('results.part', { first, last, count: total });
}
