/** What a visitor asked for; it stands in the page's address, so that results can be linked and the back button works. */
export type SearchState = {
  readonly query: string;
  readonly page: number;
  readonly selected: Readonly<Record<string, readonly string[]>>;
};

const FACET_PREFIX = 'f.';

export function parseState(search: string): SearchState {
  const parameters = new URLSearchParams(search);
  const selected: Record<string, string[]> = {};
  for (const [name, value] of parameters) {
    if (!name.startsWith(FACET_PREFIX) || value === '') continue;
    const field = name.slice(FACET_PREFIX.length);
    selected[field] = [...(selected[field] ?? []), value];
  }
  const page = Number(parameters.get('page') ?? 1);
  return {
    query: parameters.get('q') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    selected,
  };
}

/** Begins with `?`, also when empty: a relative address that keeps the page. */
export function printState({ query, page, selected }: SearchState): string {
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('q', query);
  if (page > 1) parameters.set('page', String(page));
  for (const [field, values] of Object.entries(selected)) {
    for (const value of values) parameters.append(`${FACET_PREFIX}${field}`, value);
  }
  return `?${parameters}`;
}

/** Another query, without what narrowed the one before. */
export function askAnew(state: SearchState, query: string): SearchState {
  return { ...state, query, page: 1, selected: {} };
}

/** Selecting anything starts again at the first page. */
export function toggleValue(state: SearchState, field: string, value: string): SearchState {
  const values = state.selected[field] ?? [];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  const { [field]: _, ...others } = state.selected;
  return { ...state, page: 1, selected: next.length === 0 ? others : { ...others, [field]: next } };
}

export function countSelected({ selected }: SearchState): number {
  return Object.values(selected).flat().length;
}
