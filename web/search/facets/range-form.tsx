import { useLanguage } from '../../parts/language.ts';
import type { ValueRange } from '../search-state.ts';

type Props = {
  readonly type: 'date' | 'number';
  readonly range: ValueRange;
  readonly onChoose: (range: ValueRange) => void;
};

/** Two bounds; an empty one is open. */
export function RangeForm({ type, range, onChoose }: Props) {
  const { text } = useLanguage();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    onChoose({ from: String(sent.get('from') ?? ''), to: String(sent.get('to') ?? '') });
  };
  return (
    // Another choice elsewhere sets the bounds anew.
    <form class="range" key={`${range.from} ${range.to}`} onSubmit={submit}>
      <label>
        <span>{text('facets.from')}</span>
        <input type={type} name="from" step="any" defaultValue={range.from} />
      </label>
      <label>
        <span>{text('facets.to')}</span>
        <input type={type} name="to" step="any" defaultValue={range.to} />
      </label>
      <button type="submit" class="quiet">
        {text('facets.apply')}
      </button>
    </form>
  );
}
