import type { SearchQuery } from '../../packages/client/src/index.ts';
import type { Period, SearchState, ValueRange } from './search-state.ts';

export const PER_PAGE = 10;
/** Longest query that the service takes, in characters. Contract: 1.9. */
export const MOST_QUERY_CHARS = 300;
export const DATE_FIELD = 'Date';

/** Places shown of each hit. */
const SECTIONS = 3;
/** Facets that are asked for beside the configured ones; those without a choice are not shown. */
const COUNTED = { Language: [], _type: [] };
const PERIOD_DAYS: Readonly<Record<Period, number>> = { week: 7, month: 30, year: 365 };
/** In the order of their counts; the last count is that of all documents with a date. */
export const PERIODS: readonly Period[] = ['week', 'month', 'year'];
const DAY_MS = 86_400_000;

export type RequestOptions = {
  /** The last word is a beginning. */
  readonly isRested: boolean;
  readonly now: number;
  /** Nothing is asked of fields but what was chosen: an engine may refuse fields that it does not enable. */
  readonly isPlain: boolean;
};

/** What is sent for a state of the page. Contract: 2.1. */
export function searchRequest(state: SearchState, { isRested, now, isPlain }: RequestOptions): SearchQuery {
  const query = shortQuery(state.query);
  return {
    query: isRested && query === state.query ? withOpenEnd(query) : query,
    page: state.page,
    perPage: PER_PAGE,
    highlight: true,
    sections: SECTIONS,
    enableRelatedSearches: true,
    facets: { ...(isPlain ? {} : COUNTED), ...state.selected, ...rangeFilters(state, now) },
    ...(!isPlain && { rangeFacets: { [DATE_FIELD]: { fieldName: DATE_FIELD, ranges: periodRanges(now) } } }),
    ...(state.order !== 'relevance' && { sort: { [DATE_FIELD]: state.order === 'newest' ? 'desc' : 'asc' } }),
  };
}

/** As much of a text as can be searched, in whole words. */
export function shortQuery(text: string): string {
  const characters = [...text];
  if (characters.length <= MOST_QUERY_CHARS) return text;
  return characters
    .slice(0, MOST_QUERY_CHARS)
    .join('')
    .replace(/\s\S*$/, '');
}

/** The first day of a period that ends today, as the service counts days: in UTC. */
export function startOf(period: Period, now: number): string {
  return new Date(now - PERIOD_DAYS[period] * DAY_MS).toISOString().slice(0, 10);
}

export function isPeriod(text: string): text is Period {
  return PERIODS.some((period) => period === text);
}

function periodRanges(now: number) {
  return [...PERIODS.map((period) => ({ from: startOf(period, now) })), {}];
}

/** Groups of a field and its bounds, by kind of field. Contract: 2.3. */
function rangeFilters({ ranges }: SearchState, now: number): Readonly<Record<string, readonly string[]>> {
  const groupsOf = (isDate: boolean) =>
    Object.entries(ranges)
      .filter(([field, range]) => isDateField(field) === isDate && isAskable(field, range))
      .flatMap(([field, { from, to }]) => [field, isPeriod(from) ? startOf(from, now) : from, to]);
  const date = groupsOf(true);
  const range = groupsOf(false);
  return { ...(date.length > 0 && { date }), ...(range.length > 0 && { range }) };
}

function isDateField(field: string): boolean {
  return field === DATE_FIELD || field.endsWith('_date');
}

/** An address may hold anything. */
function isAskable(field: string, { from, to }: ValueRange): boolean {
  const form = isDateField(field) ? /^(\d{4}-\d\d-\d\d)?$/ : /^([+-]?\d+(\.\d+)?)?$/;
  return (isPeriod(from) || form.test(from)) && form.test(to);
}

/** The last word is a beginning, unless it is a short one, or something else than words stands there. Contract: 2.2. */
function withOpenEnd(query: string): string {
  const isOpen = /^[^"*?~^:()]*[\p{L}\p{N}]{2}$/u.test(query) && query.length < MOST_QUERY_CHARS;
  return isOpen ? `${query}*` : query;
}
