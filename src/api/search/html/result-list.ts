import { escapeHtml } from '../../../core/escape-html.ts';
import type { Hit } from '../responses.ts';
import { attribute, type HtmlStyle, hooks, safeLink } from './markup.ts';

/** Characters of a text that stands for a hit without highlights. */
const EXCERPT_CHARS = 160;
/** The part before which a cut at a blank would leave too little. */
const SHORTEST_CUT = EXCERPT_CHARS / 2;

/** The template that shows titles only; every other name is the default one. */
const COMPACT = 'compact';

/** Hits as `<ul>`, one `<li>` with a link each. Contract: 2.11. */
export function resultList(hits: readonly Hit[], style: HtmlStyle): string {
  return `<ul class="search_result_list">${hits.map((hit) => resultItem(hit, style)).join('')}</ul>`;
}

/** One hit. All text is escaped; of markup only the tags of its highlights come in. */
export function resultItem(hit: Hit, { prefixes, template }: HtmlStyle): string {
  const title = fieldText(hit, 'Title') || fieldText(hit, 'Url') || hit.Id;
  const link = safeLink(fieldText(hit, 'Url'));
  const href = link === undefined ? '' : attribute('href', link);
  const hook = hooks(prefixes, { result: 'searchresult', index: hit.ResultIndex, url: link ?? '', title });
  const text = template?.toLowerCase() === COMPACT ? '' : excerpt(hit);
  return `<li><a${href}${hook}>${highlightOf(hit, 'Title') ?? escapeHtml(title)}</a>${text}</li>`;
}

function excerpt(hit: Hit): string {
  return paragraph('search_result_text', matchedPlaces(hit)) + paragraph('search_result_url', shownUrl(hit));
}

function paragraph(name: string, html: string): string {
  return html === '' ? '' : `<p class="${name}">${html}</p>`;
}

/** The matched places, else the beginning of what describes the document. HTML. */
function matchedPlaces(hit: Hit): string {
  const marked = highlightOf(hit, 'Description') ?? highlightOf(hit, 'Content');
  return marked ?? escapeHtml(shortened(fieldText(hit, 'Description') || fieldText(hit, 'Content')));
}

function shownUrl(hit: Hit): string {
  return escapeHtml(safeLink(fieldText(hit, 'Url')) ?? '');
}

function fieldText({ Fields }: Hit, name: string): string {
  return Object.hasOwn(Fields, name) ? (Fields[name]?.Value ?? '') : '';
}

/** HTML already: escaped text with the tags around its matches. */
function highlightOf({ Highlight }: Hit, name: string): string | undefined {
  return Object.hasOwn(Highlight, name) ? Highlight[name] : undefined;
}

/** Cut at a blank where there is one, never inside a character. */
function shortened(text: string): string {
  const chars = [...text.slice(0, 2 * EXCERPT_CHARS + 2)];
  if (chars.length <= EXCERPT_CHARS) return text;
  const start = chars.slice(0, EXCERPT_CHARS).join('');
  const blank = start.lastIndexOf(' ');
  return `${blank < SHORTEST_CUT ? start : start.slice(0, blank)}…`;
}
