import type { SearchResponse } from '../../../packages/client/src/index.ts';
import type { Language } from '../../messages/language.ts';
import { useLanguage } from '../../parts/language.ts';
import { isPeriod, startOf } from '../search-request.ts';
import { chooseRange, type SearchState, toggleValue, type ValueRange, withoutFilters } from '../search-state.ts';
import { fieldLabel, PERIOD_LABELS, valueLabel } from './filter-labels.ts';

type Props = {
  readonly state: SearchState;
  readonly response: SearchResponse;
  readonly onPick: (state: SearchState) => void;
  /** The button that had the focus is gone. */
  readonly onRemoved: () => void;
};

type Chosen = { readonly name: string; readonly value: string; readonly without: SearchState };

/** What narrows the results, each with a way to take it away. */
export function ChosenFilters({ state, response, onPick, onRemoved }: Props) {
  const language = useLanguage();
  const { text } = language;
  const chosen = chosenOf(language, state, response);
  if (chosen.length === 0) return null;
  const change = (next: SearchState) => {
    onPick(next);
    onRemoved();
  };
  return (
    <ul class="chosen" aria-label={text('results.chosen')}>
      {chosen.map(({ name, value, without }) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            class="quiet"
            aria-label={text('results.removeFilter', { name, value })}
            onClick={() => change(without)}
          >
            <span dir="auto">
              {name}: {value}
            </span>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <button type="button" class="link" onClick={() => change(withoutFilters(state))}>
            {text('facets.clear')}
          </button>
        </li>
      )}
    </ul>
  );
}

function chosenOf(language: Language, state: SearchState, { Facets }: SearchResponse): readonly Chosen[] {
  const values = Object.entries(state.selected).flatMap(([field, selected]) =>
    selected.map((value) => ({
      name: fieldLabel(language, field, Facets),
      value: valueLabel(language, field, value),
      without: toggleValue(state, field, value),
    })),
  );
  const ranges = Object.entries(state.ranges).map(([field, range]) => ({
    name: fieldLabel(language, field, Facets),
    value: rangeLabel(language, range),
    without: chooseRange(state, field, { from: '', to: '' }),
  }));
  return [...values, ...ranges];
}

function rangeLabel(language: Language, range: ValueRange): string {
  const { text } = language;
  if (isPeriod(range.from) && range.to === '') return text(PERIOD_LABELS[range.from]);
  const to = boundLabel(language, range.to);
  const from = boundLabel(language, isPeriod(range.from) ? startOf(range.from, Date.now()) : range.from);
  if (to === '') return text('facets.rangeFrom', { from });
  return from === '' ? text('facets.rangeTo', { to }) : text('facets.range', { from, to });
}

function boundLabel({ date, number }: Language, bound: string): string {
  if (bound === '') return '';
  const asNumber = Number(bound);
  if (!Number.isNaN(asNumber)) return number(asNumber);
  const time = Date.parse(bound);
  return Number.isNaN(time) ? bound : date(new Date(time));
}
