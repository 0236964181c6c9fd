import { useLocation } from 'preact-iso/router';

type Values = Readonly<Record<string, string | undefined>>;

/** The state of a page in its address, so that it can be sent to others: `set` merges, and undefined takes a name out. */
export function useQueryState() {
  const { path, query, route } = useLocation();
  const addressOf = (values: Values) => {
    const entries = Object.entries({ ...query, ...values });
    const kept = entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
    return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
  };
  return {
    query: query as Values,
    /** The same page with other values, for a link. */
    addressOf,
    set: (values: Values) => route(addressOf(values)),
    /** Without a step of the history: what changes with each key. */
    replace: (values: Values) => route(addressOf(values), true),
  };
}
