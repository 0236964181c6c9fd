import type { Hit } from '../../packages/client/src/index.ts';
import { joinFragments } from '../../src/core/join-fragments.ts';
import { crumbsOf } from './crumbs.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { useLanguage } from './language.ts';
import type { ResultContext } from './result-context.ts';
import { SafeLink } from './safe-link.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** Length of the beginning of the text that stands in for a missing snippet, in characters. */
const LEAD_CHARS = 220;

type Props = { readonly hit: Hit; readonly onFollow: () => void; readonly context?: ResultContext };

/** A hit: where it stands, what it is called, what it says, and its sections that match. */
export function ResultItem({ hit, onFollow, context }: Props) {
  const language = textOf(hit, 'Language') || undefined;
  const title = hit.TitleHasHighlight ? hit.Highlight['Title'] : undefined;
  const image = hit.Fields['Image']?.Values[0] ?? '';
  return (
    <li class="result">
      <Address hit={hit} context={context} />
      <h2 lang={language} dir="auto">
        <SafeLink address={openedAddress(hit)} onFollow={onFollow}>
          {title ? <HighlightedText fragment={title} /> : textOf(hit, 'Title') || addressOf(hit)}
        </SafeLink>
      </h2>
      <p class="snippet" lang={language} dir="auto">
        <Snippet hit={hit} />
      </p>
      <Sections hit={hit} onFollow={onFollow} />
      {context?.commonImages.has(image) !== true && <Thumbnail address={image} />}
    </li>
  );
}

function Address({ hit, context }: Pick<Props, 'hit'> & { readonly context: ResultContext | undefined }) {
  const language = useLanguage();
  const date = parseDate(textOf(hit, 'Date'));
  const file = hit.Type === 'FileContent' ? fileKind(hit, language.text('results.file')) : undefined;
  const { site, folders } = crumbsOf({
    address: addressOf(hit),
    breadcrumb: textOf(hit, 'Breadcrumb'),
    site: textOf(hit, 'Site'),
    language: textOf(hit, 'Language'),
    commonFolders: context?.commonFolders ?? 0,
  });
  const crumbs = context?.isSiteShown !== false || folders.length === 0 ? [site, ...folders] : folders;
  return (
    <p class="address">
      {file && <span class="badge">{file}</span>}
      <span class="path" dir="auto">
        {crumbs.join(' › ')}
      </span>
      {date && <time dateTime={date.toISOString().slice(0, 10)}>{language.date(date)}</time>}
    </p>
  );
}

/** Where sections show the matches, the page says what it is about. */
function Snippet({ hit }: { readonly hit: Hit }) {
  const fragments = (hit.Fields['Content']?.Highlights ?? []).slice(0, 2);
  const isSummary = sectionsOf(hit).length > 0 && textOf(hit, 'Description') !== '';
  if (fragments.length > 0 && !isSummary) return <HighlightedText fragment={joinFragments(fragments)} />;
  const description = hit.Highlight['Description'];
  if (description) return <HighlightedText fragment={description} />;
  const text = textOf(hit, 'Description') || textOf(hit, 'Content');
  return text.length <= LEAD_CHARS ? text : `${text.slice(0, LEAD_CHARS).replace(/\s+\S*$/, '')} …`;
}

function Sections({ hit, onFollow }: Pick<Props, 'hit' | 'onFollow'>) {
  const { text } = useLanguage();
  const sections = sectionsOf(hit);
  const language = textOf(hit, 'Language') || undefined;
  if (sections.length === 0) return null;
  return (
    <ul class="sections" aria-label={text('results.sections')} lang={language}>
      {sections.map(({ Title, Url, Snippet: snippet }) => (
        <li key={Url} dir="auto">
          <SafeLink address={Url} onFollow={onFollow}>
            {Title}
          </SafeLink>
          <span>
            <HighlightedText fragment={snippet} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Pages of a file without headings have no name to show. */
function sectionsOf(hit: Hit): NonNullable<Hit['Sections']> {
  return (hit.Sections ?? []).filter(({ Title }) => Title !== '');
}

/** A page that is not about the query as a whole opens where it speaks of it. */
function openedAddress(hit: Hit): string {
  const [section] = hit.Sections ?? [];
  return section === undefined || hit.TitleHasHighlight ? addressOf(hit) : section.Url;
}

function addressOf(hit: Hit): string {
  return textOf(hit, 'Url') || hit.Id;
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
