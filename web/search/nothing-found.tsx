type Props = {
  readonly hasSelection: boolean;
  readonly suggestions: readonly string[];
  readonly onAsk: (query: string) => void;
  readonly onClear: () => void;
};

/** Empty result: says what to do about it. */
export function NothingFound({ hasSelection, suggestions, onAsk, onClear }: Props) {
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
      {suggestions.length > 0 && (
        <>
          <p id="suggestions">Did you mean</p>
          <ul class="chips" aria-labelledby="suggestions">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <button type="button" onClick={() => onAsk(suggestion)}>
                  {suggestion}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
