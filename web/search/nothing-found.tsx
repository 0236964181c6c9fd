import { useLanguage } from '../parts/language.ts';

type Props = {
  readonly hasSelection: boolean;
  readonly onClear: () => void;
};

/** Empty result: says what to do about it. */
export function NothingFound({ hasSelection, onClear }: Props) {
  const { text, nodes } = useLanguage();
  const clear = (
    <button type="button" class="link" onClick={onClear}>
      {text('results.withoutFilters')}
    </button>
  );
  return (
    <div class="notice">
      <p>{hasSelection ? nodes('results.noneFiltered', { clear }) : text('results.none')}</p>
    </div>
  );
}
