import { useQueryState } from './query-state.ts';
import { useAnswer } from './use-answer.ts';

type Page<Row> = { readonly items: readonly Row[]; readonly next?: string | number | null };

type Options = {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly limit?: number;
  /** The name of the place in the address, where a page has several lists. */
  readonly name?: string;
  readonly everyMs?: number | undefined;
};

const LIMIT = 25;

/** A list as the server pages it; where one is in it stands in the address. `undefined` asks nothing. */
export function usePages<Row>(path: string | undefined, options: Options = {}) {
  const { query = {}, limit = LIMIT, name = 'after', everyMs } = options;
  const state = useQueryState();
  const after = state.query[name];
  const asked = Object.entries({ ...query, limit, after }).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)] as [string, string]],
  );
  const address = path === undefined ? undefined : `${path}?${new URLSearchParams(asked)}`;
  const { answer, error, isLoading, reload } = useAnswer<Page<Row>>(address, { everyMs });
  const next = answer?.next;
  return {
    rows: answer?.items,
    error,
    isLoading,
    onRetry: reload,
    reload,
    paging: {
      hasPrevious: after !== undefined,
      hasNext: next !== undefined && next !== null,
      onFirst: () => state.set({ [name]: undefined }),
      onNext: () => state.set({ [name]: String(next) }),
    },
  };
}
