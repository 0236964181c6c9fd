import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { PageRules } from '../extract-settings.ts';
import type { TextBlock } from './blocks.ts';
import { pathCategory, pickCategory } from './breadcrumbs.ts';

import { readFieldMarks } from './field-marks.ts';
import { absoluteUrl } from './links.ts';
import { pickDates } from './page-dates.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { articleOf, foldText, type PageElement, textOf, withoutAnchorMark } from './page-tree.ts';
import { productFields } from './product.ts';
import { type DataItem, isOfType, textAt, textsAt } from './structured-data.ts';
import { pickTitle } from './title.ts';

/** Fields of a page with the source of each. */
export type SourcedFields = {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly sources: Readonly<Record<string, string>>;
};

export type FieldSource = {
  readonly url: string;
  readonly rules: PageRules;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  /** All text of the page in document order. */
  readonly blocks: readonly TextBlock[];
  /** Main text, without its headings' boundaries lost. */
  readonly chosen: readonly TextBlock[];
  readonly content: string;
  readonly now: number;
};

const ITEM_TYPES =
  /^(?:Article|NewsArticle|BlogPosting|TechArticle|Product|Event|JobPosting|Recipe|Course|FAQPage|QAPage|DiscussionForumPosting|HowTo|VideoObject|LocalBusiness|Organization|Person|Place|Book)$/;
const ARTICLE = /(?:Article|Posting|Report)$/;

/** Every field that extraction itself knows; `Url`, `Domain` and `Language` are added by the callers. */
export function pageFields(source: FieldSource): SourcedFields {
  const { url, rules, facts, items, blocks, chosen, content, now } = source;
  const fields = new Map<string, readonly string[]>();
  const sources: Record<string, string> = {};
  const put = (name: string, values: string | readonly string[], from: string) => {
    const list = (typeof values === 'string' ? [values] : values).filter((value) => value !== '');
    if (list.length === 0) return;
    fields.set(name, name === 'Content' ? list : list.map((value) => value.slice(0, EXTRACT_LIMITS.fieldValueChars)));
    sources[name] = from;
  };
  const title = titleOf(source);
  put('Title', title.text, title.source);
  const description = descriptionOf(source, title.text);
  put('Description', description.text, description.source);
  put('Content', content, 'blocks');
  const dates = pickDates({ url, facts, items, blocks, content, title: title.text, now });
  put('Date', dates.published, dates.publishedFrom);
  put('Published_date', dates.published, dates.publishedFrom);
  put('Modified_date', dates.modified, dates.modifiedFrom);
  const named = pickCategory(facts, items, title.text);
  const category = named.levels.length > 0 || !rules.categoryFromPath ? named : pathCategory(url);
  put('Category', category.levels, category.source);
  put('Breadcrumb', category.levels.join(' > '), category.source);
  put('Author', authorsOf(facts, items), 'page');
  const image = imageOf(source);
  put('Image', image.text, image.source);
  put('Keywords', keywordsOf(facts), 'meta');
  put('Site', metaOf(facts, 'og:site_name'), 'og:site_name');
  put('Headings', headingsOf(chosen), 'blocks');
  put('Item_type', itemTypeOf(items), 'json-ld');
  for (const [name, value] of productFields(items)) put(name, value, 'json-ld');
  for (const [name, values] of readFieldMarks(facts.fieldMarks)) put(name, values, 'mark');
  return { fields, sources };
}

/** Longer ones are no titles. */
const MAX_TITLE_CHARS = 1_000;

type Picked = { readonly text: string; readonly source: string };

function titleOf({ url, facts, items, chosen }: FieldSource): Picked {
  const named = items.find((item) => isOfType(item, ITEM_TYPES))?.data;
  return pickTitle({
    h1: facts.h1.map((element) => withoutAnchorMark(textOf(element)).slice(0, MAX_TITLE_CHARS)),
    title: facts.title,
    ogTitle: foldText(metaOf(facts, 'og:title', 'twitter:title')),
    siteName: foldText(metaOf(facts, 'og:site_name')),
    url,
    itemName: foldText(textAt(named, 'headline') || textAt(named, 'name')),
    firstHeading: chosen.find(({ kind }) => kind === 'heading')?.text ?? '',
  });
}

const MIN_DESCRIPTION_CHARS = 30;
const MAX_DESCRIPTION_CHARS = 300;
const MIN_PARAGRAPH_CHARS = 60;

/** The page's own summary, else its first real paragraph. */
function descriptionOf({ facts, items, chosen }: FieldSource, title: string): Picked {
  const paragraph =
    chosen.find(({ kind, text }) => kind === 'paragraph' && text.length >= MIN_PARAGRAPH_CHARS)?.text ?? '';
  const candidates: readonly Picked[] = [
    { text: metaOf(facts, 'description'), source: 'meta description' },
    { text: metaOf(facts, 'og:description', 'twitter:description'), source: 'og:description' },
    { text: items.map(({ data }) => textAt(data, 'description')).find((text) => text !== '') ?? '', source: 'json-ld' },
    { text: cutAtSentence(paragraph), source: 'first paragraph' },
  ];
  const folded = candidates.map(({ text, source }) => ({ text: foldText(text), source }));
  const fits = folded.find(({ text }) => text.length >= MIN_DESCRIPTION_CHARS && text !== title);
  return fits ?? { text: '', source: 'none' };
}

function cutAtSentence(text: string): string {
  if (text.length <= MAX_DESCRIPTION_CHARS) return text;
  const head = text.slice(0, MAX_DESCRIPTION_CHARS);
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => head.lastIndexOf(mark)));
  return end >= MIN_PARAGRAPH_CHARS ? head.slice(0, end + 1) : head.slice(0, head.lastIndexOf(' '));
}

const MAX_AUTHORS = 5;
const MAX_AUTHOR_CHARS = 60;
const BY = /^(?:(?:written|posted|published) )?(?:by|von|af|av|par|por|di|door|de)\s*:?\s+/i;

function authorsOf(facts: PageFacts, items: readonly DataItem[]): readonly string[] {
  const articles = items.filter((item) => isOfType(item, ARTICLE));
  const inItems =
    articles.length === 1
      ? articles.flatMap(({ data }) => [...textsAt(data, 'author.name'), ...textsAt(data, 'author')])
      : [];
  const inMetas = [...(facts.metas.get('author') ?? []), ...(facts.metas.get('article:author') ?? [])];
  const byLine = (element: PageElement) =>
    textOf(element)
      .replace(BY, '')
      .split(/\s*(?:[|·•]|\s[–—-]\s|\d)/)[0] ?? '';
  const candidates = [inItems, inMetas.filter((text) => !/^https?:/i.test(text)), authorLines(facts).map(byLine)];
  const names = candidates.map(cleanNames).find((list) => list.length > 0) ?? [];
  return names.slice(0, MAX_AUTHORS);
}

/** The first byline, none where several articles have theirs (threads, lists). */
function authorLines({ marked: { bylines } }: PageFacts): readonly PageElement[] {
  return new Set(bylines.map(articleOf)).size > 1 ? [] : bylines.slice(0, 1);
}

function cleanNames(names: readonly string[]): readonly string[] {
  const clean = names.map((name) => foldText(name).replace(BY, ''));
  return [...new Set(clean.filter((name) => name !== '' && name.length <= MAX_AUTHOR_CHARS && /\p{L}/u.test(name)))];
}

const MIN_IMAGE_PIXELS = 200;

function imageOf({ facts, items, chosen }: FieldSource): Picked {
  const inItems =
    items.map(({ data }) => textAt(data, 'image') || textAt(data, 'image.url')).find((text) => text !== '') ?? '';
  const borders = new Set(chosen.map(({ element }) => element));
  const inText = facts.images.find((image) => isPicture(image) && isNear(image, borders));
  const candidates: readonly Picked[] = [
    {
      text: absoluteUrl(metaOf(facts, 'og:image', 'og:image:url', 'twitter:image'), facts.base) ?? '',
      source: 'og:image',
    },
    { text: absoluteUrl(inItems, facts.base) ?? '', source: 'json-ld' },
    { text: absoluteUrl(inText?.attributes['src'], facts.base) ?? '', source: 'text' },
  ];
  return candidates.find(({ text }) => text !== '') ?? { text: '', source: 'none' };
}

function isPicture({ attributes, parent }: PageElement): boolean {
  const sides = [Number(attributes['width']), Number(attributes['height'])];
  return parent?.name === 'figure' || sides.some((side) => side >= MIN_IMAGE_PIXELS);
}

/** In a chosen block, or in an element that holds one directly. */
function isNear(image: PageElement, borders: ReadonlySet<PageElement>): boolean {
  for (let at = image.parent; at !== undefined && !/^(?:body|html|#root)$/.test(at.name); at = at.parent) {
    if (borders.has(at)) return true;
    if (at.children.some((child) => typeof child !== 'string' && borders.has(child))) return true;
  }
  return false;
}

function keywordsOf(facts: PageFacts): readonly string[] {
  const listed = (facts.metas.get('keywords') ?? []).flatMap((text) => text.split(/[,;]/));
  const words = [...listed, ...(facts.metas.get('article:tag') ?? [])].map(foldText);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, EXTRACT_LIMITS.keywords);
}

function headingsOf(chosen: readonly TextBlock[]): readonly string[] {
  const headings = chosen.filter(({ level }) => level >= 1 && level <= 3).map(({ text }) => text);
  return [...new Set(headings)].slice(0, EXTRACT_LIMITS.headings);
}

function itemTypeOf(items: readonly DataItem[]): string {
  return items.flatMap(({ types }) => types).find((type) => ITEM_TYPES.test(type)) ?? '';
}
