import type { CompletedDocument } from '../../packages/client/src/index.ts';
import type { Completions } from '../client/complete-client.ts';
import { crumbsOf } from '../parts/crumbs.ts';
import { useLanguage } from '../parts/language.ts';
import { SafeLink } from '../parts/safe-link.tsx';
import { Thumbnail } from '../parts/thumbnail.tsx';

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
  const language = useLanguage();
  const search = (
    <button type="button" class="link" onClick={onSearch}>
      {language.text('typed.search', { query: text.trim() })}
    </button>
  );
  return (
    <section class="typed" aria-label={language.text('typed.label')}>
      {completions !== undefined && (
        <ul class="results">
          {completions.documents.map((document, index) => (
            <TypedResult key={document.id} document={document} onFollow={() => onFollow(completions, index)} />
          ))}
        </ul>
      )}
      <p class="hint">{language.nodes('typed.orEnter', { search })}</p>
    </section>
  );
}

function TypedResult({ document, onFollow }: { readonly document: CompletedDocument; readonly onFollow: () => void }) {
  const { Title: title, Url: url, Description: description = '', Image: image = '' } = document.fields;
  const address = url || document.id;
  const { site, folders } = crumbsOf({ address, breadcrumb: '', site: '', language: '' });
  return (
    <li class="result">
      <p class="address">
        <span class="path" dir="auto">
          {folders.join(' › ') || site}
        </span>
      </p>
      <h2 dir="auto">
        <SafeLink address={address} onFollow={onFollow}>
          {title || address}
        </SafeLink>
      </h2>
      {description !== '' && (
        <p class="snippet" dir="auto">
          {description.length <= LEAD_CHARS
            ? description
            : `${description.slice(0, LEAD_CHARS).replace(/\s+\S*$/, '')} …`}
        </p>
      )}
      <Thumbnail address={image} />
    </li>
  );
}
