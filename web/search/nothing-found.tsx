type Props = {
  readonly hasSelection: boolean;
  readonly onClear: () => void;
};

/** Empty result: says what to do about it. */
export function NothingFound({ hasSelection, onClear }: Props) {
  return (
    <div class="notice">
      {hasSelection ? (
        <p>
          Nothing matches with these filters.{' '}
          <button type="button" class="link" onClick={onClear}>
            Search without filters
          </button>
        </p>
      ) : (
        <p>Nothing matches. Try fewer or more general words, and check the spelling.</p>
      )}
    </div>
  );
}
