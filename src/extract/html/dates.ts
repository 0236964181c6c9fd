import { metaOf, type PageFacts } from './page-facts.ts';
import { articleOf, type PageElement, textOf } from './page-tree.ts';
import { type DataItem, isOfType, textAt } from './structured-data.ts';

export type PageDates = {
  /** ISO 8601, as precise as the page states it, offset kept as written. `''` when unknown. */
  readonly published: string;
  readonly publishedFrom: string;
  readonly modified: string;
};

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1995;

const PUBLISHED_METAS = [
  'article:published_time',
  'og:article:published_time',
  'og:published_time',
  'datepublished',
  'date_published',
  'publication_date',
  'publish_date',
  'publish-date',
  'published_date',
  'pubdate',
  'parsely-pub-date',
  'sailthru.date',
  'citation_publication_date',
  'dc.date.issued',
  'dcterms.issued',
  'dc.date',
  'dcterms.date',
  'dcterms.created',
  'dc.date.created',
  'date',
] as const;
const MODIFIED_METAS = [
  'article:modified_time',
  'og:updated_time',
  'og:modified_time',
  'datemodified',
  'dcterms.modified',
  'dc.date.modified',
  'last-modified',
] as const;

const ARTICLE = /(?:Article|Posting|Report|Review|Recipe|HowTo|Video|Podcast|DiscussionForum|QAPage)/;
const OUTSIDE = /\b(?:comments?|related|sidebar)\b/i;

/** Publication and modification date: meta tags, structured data, marked elements, the URL; never a guess from text. */
export function pickDates(facts: PageFacts, items: readonly DataItem[], now: number): PageDates {
  const read = (text: string) => readDate(text, now);
  const published = firstOf([
    ...PUBLISHED_METAS.slice(0, 10).map((name) => [`meta ${name}`, read(metaOf(facts, name))] as const),
    ['json-ld', read(itemDate(items, ['datePublished', 'uploadDate']))],
    ...PUBLISHED_METAS.slice(10).map((name) => [`meta ${name}`, read(metaOf(facts, name))] as const),
    ['microdata', markedDate(facts, read, isPublishedProperty)],
    ['url', dateInUrl(facts.base, now)],
    ['element', markedDate(facts, read, isInText)],
  ]);
  const modified = firstOf([
    ...MODIFIED_METAS.map((name) => [`meta ${name}`, read(metaOf(facts, name))] as const),
    ['json-ld', read(itemDate(items, ['dateModified']))],
    ['microdata', markedDate(facts, read, ({ attributes }) => attributes['itemprop'] === 'dateModified')],
  ]);
  const isLater = published.date === '' || modified.date.slice(0, 10) >= published.date.slice(0, 10);
  return { published: published.date, publishedFrom: published.source, modified: isLater ? modified.date : '' };
}

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    'jan january januar januari janvier enero gennaio janeiro',
    'feb february februar februari février febrero febbraio fevereiro',
    'mar march märz marts mars maart marzo março',
    'apr april avril abril aprile',
    'may mai maj mei mayo maggio maio',
    'jun june juni juin junio giugno junho',
    'jul july juli juillet julio luglio julho',
    'aug august augusti août agosto augustus',
    'sep sept september septembre septiembre settembre setembro',
    'oct okt october oktober octobre octubre ottobre outubro',
    'nov november novembre noviembre novembro',
    'dec dez december dezember décembre diciembre dicembre dezembro',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?)?/i;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T|\d{6}|$)/;
const SLASHED = /(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/;
const DAY_FIRST = /(?<![\d.])(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?!\d)/;
const DAY_MONTH = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of |de |d')?(\p{L}+)\.?,?\s+(?:de )?(\d{4})(?!\d)/u;
const MONTH_DAY = /(?<!\p{L})(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u;

/** ISO 8601 form of a date text; `''` when it is none, or outside of 1995 to tomorrow. Ambiguous days come first. */
export function readDate(text: string, now: number): string {
  const trimmed = text.trim().slice(0, 100);
  const iso = ISO.exec(trimmed);
  if (iso !== null) return readIso(iso, now);
  const forms: readonly [RegExp, (parts: RegExpExecArray) => string][] = [
    [COMPACT, ([, year, month, day]) => dayOf(year, month, day, now)],
    [SLASHED, ([, year, month, day]) => dayOf(year, month, day, now)],
    [DAY_MONTH, ([, day, month, year]) => dayOf(year, monthOf(month), day, now)],
    [MONTH_DAY, ([, month, day, year]) => dayOf(year, monthOf(month), day, now)],
    [DAY_FIRST, ([, day, month, year]) => dayOf(year, month, day, now) || dayOf(year, day, month, now)],
  ];
  for (const [form, read] of forms) {
    const parts = form.exec(trimmed);
    const date = parts === null ? '' : read(parts);
    if (date !== '') return date;
  }
  return '';
}

function readIso([, year, month, day, hour, minute, second, zone]: RegExpExecArray, now: number): string {
  const date = dayOf(year, month, day, now);
  if (date === '' || hour === undefined || Number(hour) > 23 || Number(minute) > 59) return date;
  const offset = zone?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? '';
  return `${date}T${hour}:${minute}:${second ?? '00'}${offset}`;
}

function monthOf(name: string | undefined): string {
  return String(MONTHS.get(name?.toLowerCase() ?? '') ?? 0);
}

/** The day when the calendar has it and it lies in the accepted range. */
function dayOf(year = '', month = '', day = '', now = 0): string {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay && Number(year) >= FIRST_YEAR && at <= now + DAY_MS ? text : '';
}

function dateInUrl(url: string, now: number): string {
  const parts = /\/((?:19|20)\d\d)[/_-](\d{1,2})[/_-](\d{1,2})(?!\d)/.exec(url);
  return parts === null ? '' : dayOf(parts[1], parts[2], parts[3], now);
}

/** Of the article-like items, then the page's, then any; a list of several articles has no date of its own. */
function itemDate(items: readonly DataItem[], members: readonly string[]): string {
  const articles = items.filter((item) => isOfType(item, ARTICLE));
  if (articles.length > 1 && articles.every((item) => item.types[0] === articles[0]?.types[0])) return '';
  const ordered = [...articles, ...items.filter((item) => isOfType(item, /WebPage$/)), ...items];
  for (const { data } of ordered) {
    for (const member of members) {
      const text = textAt(data, member);
      if (text !== '') return text;
    }
  }
  return '';
}

function isPublishedProperty({ name, attributes }: PageElement): boolean {
  const property = attributes['itemprop'];
  return property === 'datePublished' || property === 'dateCreated' || (name === 'time' && 'pubdate' in attributes);
}

/** In a header, article or the main part, and not of a comment, sidebar or list of other pages. */
function isInText(element: PageElement): boolean {
  let inside = false;
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (/^(?:aside|footer|nav)$/.test(at.name)) return false;
    if (OUTSIDE.test(`${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`)) return false;
    inside ||= /^(?:header|article|main)$/.test(at.name);
  }
  return inside || element.name !== 'time';
}

function markedDate(
  { dated }: PageFacts,
  read: (text: string) => string,
  isWanted: (element: PageElement) => boolean,
): string {
  const wanted = dated.filter(isWanted);
  // Dates of several articles in a list are theirs, not the page's.
  const articles = new Set(wanted.map(articleOf).filter((article) => article !== undefined));
  if (articles.size > 1) return '';
  for (const element of wanted) {
    const { attributes } = element;
    const marked = attributes['datetime'] ?? attributes['content'] ?? '';
    const date = read(marked) || read(textOf(element));
    if (date !== '') return date;
  }
  return '';
}

function firstOf(candidates: readonly (readonly [string, string])[]): { source: string; date: string } {
  const [source, date] = candidates.find(([, text]) => text !== '') ?? ['', ''];
  return { source, date };
}
