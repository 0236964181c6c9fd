import type { SearchResponse } from '../../packages/client/src/index.ts';
import { useLanguage } from '../parts/language.ts';
import { DATE_FIELD } from './search-request.ts';
import { type SearchState, SORT_ORDERS } from './search-state.ts';

type Props = {
  readonly state: SearchState;
  readonly response: SearchResponse;
  readonly onPick: (state: SearchState) => void;
};

/** Offered where some of the results have a date. */
export function SortSelect({ state, response, onPick }: Props) {
  const { text } = useLanguage();
  const dated = response.RangeFacets[DATE_FIELD]?.at(-1) ?? 0;
  if (dated === 0 && state.order === 'relevance') return null;
  return (
    <label class="sort">
      <span>{text('sort.label')}</span>
      <select
        value={state.order}
        onChange={({ currentTarget }) => {
          const order = SORT_ORDERS.find((known) => known === currentTarget.value) ?? 'relevance';
          onPick({ ...state, page: 1, order });
        }}
      >
        {SORT_ORDERS.map((order) => (
          <option key={order} value={order}>
            {text(`sort.${order}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
