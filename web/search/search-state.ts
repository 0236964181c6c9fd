/** `week`, `month` or `year` before today as a `from`: a link to such results stays true. */
export type Period = 'week' | 'month' | 'year';

/** Bounds of a field, both included; `''` is open. `from` of a date may be a `Period`. */
export type ValueRange = { readonly from: string; readonly to: string };

export const SORT_ORDERS = ['relevance', 'newest', 'oldest'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** What a visitor asked for; it stands in the page's address, so that results can be linked and the back button works. */
export type SearchState = {
  readonly query: string;
  readonly page: number;
  readonly order: SortOrder;
  readonly selected: Readonly<Record<string, readonly string[]>>;
  readonly ranges: Readonly<Record<string, ValueRange>>;
  /** An answer is wanted, whatever the query looks like. */
  readonly isAsked: boolean;
};

const FACET_PREFIX = 'f.';
const RANGE_PREFIX = 'r.';
const RANGE_MARK = '..';

export function parseState(search: string): SearchState {
  const parameters = new URLSearchParams(search);
  const selected: Record<string, string[]> = {};
  const ranges: Record<string, ValueRange> = {};
  for (const [name, value] of parameters) {
    const field = name.slice(FACET_PREFIX.length);
    if (name.startsWith(FACET_PREFIX) && value !== '') selected[field] = [...(selected[field] ?? []), value];
    const [from = '', to] = value.split(RANGE_MARK);
    if (name.startsWith(RANGE_PREFIX) && to !== undefined && value !== RANGE_MARK) ranges[field] = { from, to };
  }
  const page = Number(parameters.get('page') ?? 1);
  return {
    query: parameters.get('q') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    order: SORT_ORDERS.find((order) => order === parameters.get('sort')) ?? 'relevance',
    selected,
    ranges,
    isAsked: parameters.has('ask'),
  };
}

/** Begins with `?`, also when empty: a relative address that keeps the page. */
export function printState({ query, page, order, selected, ranges, isAsked }: SearchState): string {
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('q', query);
  if (isAsked) parameters.set('ask', '1');
  if (page > 1) parameters.set('page', String(page));
  if (order !== 'relevance') parameters.set('sort', order);
  for (const [field, values] of Object.entries(selected)) {
    for (const value of values) parameters.append(`${FACET_PREFIX}${field}`, value);
  }
  for (const [field, { from, to }] of Object.entries(ranges)) {
    parameters.set(`${RANGE_PREFIX}${field}`, `${from}${RANGE_MARK}${to}`);
  }
  return `?${parameters}`;
}

/** Another query, without what narrowed the one before. */
export function askAnew(state: SearchState, query: string): SearchState {
  return { ...state, query, page: 1, order: 'relevance', selected: {}, ranges: {}, isAsked: false };
}

/** Selecting anything starts again at the first page. */
export function toggleValue(state: SearchState, field: string, value: string): SearchState {
  const values = state.selected[field] ?? [];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  const { [field]: _, ...others } = state.selected;
  return { ...state, page: 1, selected: next.length === 0 ? others : { ...others, [field]: next } };
}

/** Both bounds open = the field narrows nothing. */
export function chooseRange(state: SearchState, field: string, range: ValueRange): SearchState {
  const { [field]: _, ...others } = state.ranges;
  const isOpen = range.from === '' && range.to === '';
  return { ...state, page: 1, ranges: isOpen ? others : { ...others, [field]: range } };
}

export function withoutFilters(state: SearchState): SearchState {
  return { ...state, page: 1, selected: {}, ranges: {} };
}

export function countSelected({ selected, ranges }: SearchState): number {
  return Object.values(selected).flat().length + Object.keys(ranges).length;
}
