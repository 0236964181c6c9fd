import type { Hit } from '../../packages/client/src/index.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { useLanguage } from './language.ts';
import { SafeLink } from './safe-link.tsx';
import { shortAddress } from './short-address.ts';

/** Length of the beginning of the text that stands in for a missing snippet, in characters. */
const LEAD_CHARS = 220;

type Props = { readonly hit: Hit; readonly onFollow: () => void };

export function ResultItem({ hit, onFollow }: Props) {
  const address = textOf(hit, 'Url') || hit.Id;
  const language = textOf(hit, 'Language') || undefined;
  const title = hit.TitleHasHighlight ? hit.Highlight['Title'] : undefined;
  return (
    <li class="result">
      <h2 lang={language}>
        <SafeLink address={address} onFollow={onFollow}>
          {title ? <HighlightedText fragment={title} /> : textOf(hit, 'Title') || address}
        </SafeLink>
      </h2>
      <p class="address">
        <Badges hit={hit} />
        <span class="path">{shortAddress(address)}</span>
      </p>
      <p class="snippet" lang={language}>
        <Snippet hit={hit} />
      </p>
    </li>
  );
}

function Badges({ hit }: { readonly hit: Hit }) {
  const language = useLanguage();
  const date = parseDate(textOf(hit, 'Date'));
  const file = hit.Type === 'FileContent' ? fileKind(hit, language.text('results.file')) : undefined;
  return (
    <>
      {file && <span class="badge">{file}</span>}
      {date && <time dateTime={date.toISOString().slice(0, 10)}>{language.date(date)}</time>}
    </>
  );
}

function Snippet({ hit }: { readonly hit: Hit }) {
  const fragments = (hit.Fields['Content']?.Highlights ?? []).slice(0, 2);
  if (fragments.length > 0) return <HighlightedText fragment={fragments.join(' … ')} />;
  const description = hit.Highlight['Description'];
  if (description) return <HighlightedText fragment={description} />;
  const text = textOf(hit, 'Description') || textOf(hit, 'Content');
  return text.length <= LEAD_CHARS ? text : `${text.slice(0, LEAD_CHARS).replace(/\s+\S*$/, '')} …`;
}

function textOf(hit: Hit, field: string): string {
  return hit.Fields[field]?.Value ?? '';
}

function fileKind(hit: Hit, unknown: string): string {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(textOf(hit, 'Url'))?.[1];
  return (textOf(hit, 'File_type') || extension || unknown).toUpperCase();
}

function parseDate(text: string): Date | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}
