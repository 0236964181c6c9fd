import type { CompletedDocument, Completions } from '../client/complete-client.ts';
import { SafeLink } from '../parts/safe-link.tsx';
import { shortAddress } from '../parts/short-address.ts';

/** Length of a description, in characters. */
const LEAD_CHARS = 160;

type Props = {
  readonly text: string;
  readonly completions: Completions | undefined;
  readonly onSearch: () => void;
  readonly onFollow: (completions: Completions, position: number) => void;
};

/** The best documents for what is being typed, its last word taken as a beginning. Never says that there is nothing. */
export function TypedResults({ text, completions, onSearch, onFollow }: Props) {
  return (
    <section class="typed" aria-label="Best matches so far">
      {completions !== undefined && (
        <ul class="results">
          {completions.documents.map((document, index) => (
            <TypedResult key={document.id} document={document} onFollow={() => onFollow(completions, index)} />
          ))}
        </ul>
      )}
      <p class="hint">
        <button type="button" class="link" onClick={onSearch}>
          Search for “{text.trim()}”
        </button>{' '}
        or press Enter.
      </p>
    </section>
  );
}

function TypedResult({ document, onFollow }: { readonly document: CompletedDocument; readonly onFollow: () => void }) {
  const { Title: title, Url: url, Description: description = '' } = document.fields;
  const address = url || document.id;
  return (
    <li class="result">
      <h2 dir="auto">
        <SafeLink address={address} onFollow={onFollow}>
          {title || address}
        </SafeLink>
      </h2>
      <p class="address">
        <span class="path">{shortAddress(address)}</span>
      </p>
      {description !== '' && (
        <p class="snippet" dir="auto">
          {description.length <= LEAD_CHARS
            ? description
            : `${description.slice(0, LEAD_CHARS).replace(/\s+\S*$/, '')} …`}
        </p>
      )}
    </li>
  );
}
