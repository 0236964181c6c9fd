import { useLanguage } from '../../parts/language.ts';
import { isPeriod, PERIODS } from '../search-request.ts';
import type { ValueRange } from '../search-state.ts';
import { PERIOD_LABELS } from './filter-labels.ts';
import { RangeForm } from './range-form.tsx';

const ANY: ValueRange = { from: '', to: '' };

type Props = {
  /** Of the periods, and of all documents with a date. */
  readonly counts: readonly number[];
  readonly range: ValueRange;
  readonly onChoose: (range: ValueRange) => void;
};

/** Documents of the last days, or of any days. */
export function DateGroup({ counts, range, onChoose }: Props) {
  const { text, number } = useLanguage();
  const period = isPeriod(range.from) && range.to === '' ? range.from : undefined;
  const isAny = range.from === '' && range.to === '';
  const choices = PERIODS.map((value, index) => ({ value, count: counts[index] ?? 0 }));
  return (
    <fieldset class="facet">
      <legend>{text('facets.date')}</legend>
      <ul>
        <li>
          <label>
            <input type="radio" name="date" checked={isAny} onChange={() => onChoose(ANY)} />
            <span class="key">{text('facets.anyTime')}</span>
          </label>
        </li>
        {choices
          .filter(({ value, count }) => count > 0 || value === period)
          .map(({ value, count }) => (
            <li key={value}>
              <label>
                <input
                  type="radio"
                  name="date"
                  checked={value === period}
                  onChange={() => onChoose({ from: value, to: '' })}
                />
                <span class="key">{text(PERIOD_LABELS[value])}</span>
                <span class="count">{number(count)}</span>
              </label>
            </li>
          ))}
      </ul>
      <RangeForm type="date" range={period === undefined ? range : ANY} onChoose={onChoose} />
    </fieldset>
  );
}
