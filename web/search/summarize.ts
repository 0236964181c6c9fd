import type { SearchResponse } from '../client/search-types.ts';
import type { SearchState } from './search-state.ts';
import { PER_PAGE } from './use-search.ts';

/** How many results there are, and which of them are shown. */
export function summarize({ page }: SearchState, { TotalDocument: total, TypedDocuments }: SearchResponse): string {
  const first = (page - 1) * PER_PAGE + 1;
  const last = first + TypedDocuments.length - 1;
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'result' : 'results'}`;
  const part = total > PER_PAGE && last >= first ? `${first}–${last} of ` : '';
  return `${part}${count}`;
}
