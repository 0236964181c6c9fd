import { withoutControls } from '../../control-characters.ts';
import { EXTRACT_LIMITS } from '../../extract-limits.ts';
import type { PageRules } from '../../extract-settings.ts';
import { columnsOf } from '../../page-language.ts';
import type { TextBlock } from '../blocks.ts';
import { readDate } from '../dates/dates.ts';
import { pickDates } from '../dates/page-dates.ts';
import { compileConversion, formOf } from '../field-rule.ts';
import { itemLabels } from '../item-labels.ts';
import { absoluteUrl } from '../links.ts';
import { type MarkedValue, metaOf, type PageFacts, readFieldAttributes } from '../page-facts.ts';
import { foldText, type PageElement, textOf } from '../page-tree.ts';
import { type DataItem, isOfType, type JsonValue, membersAt, textAt } from '../structured-data.ts';
import { countedTexts, isMark, type SiteTexts } from '../titles/site-texts.ts';
import { pickTitle } from '../titles/title.ts';
import { mainHeadings, titleInputs } from '../titles/title-candidates.ts';
import { pickAuthors } from './authors.ts';
import { pathCategory, pickCategory, readBreadcrumbs, rootCrumbs } from './breadcrumbs.ts';
import { PRODUCT, productFields } from './product.ts';

/** Fields of a page with the source of each. */
export type SourcedFields = {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly sources: Readonly<Record<string, string>>;
  /** Hashes of texts that the statistics of the site count. */
  readonly counted: readonly string[];
  /** What other pages of the site are called would not change the title. */
  readonly isTitleSettled: boolean;
  /** What the page's head calls it in place of `Title`; `''` when it says the same. */
  readonly headTitle: string;
};

/** Characters: a longer one names nothing. */
const MAX_HEAD_TITLE = 300;

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
  readonly site: SiteTexts;
  readonly now: number;
};

/** Every field that extraction itself knows; `Url`, `Domain` and `Language` are added by the callers. */
export function pageFields(source: FieldSource): SourcedFields {
  const { url, rules, facts, items, blocks, chosen, content, site, now } = source;
  const fields = new Map<string, readonly string[]>();
  const sources: Record<string, string> = {};
  const put = (name: string, values: string | readonly string[], from: string) => {
    const list = (typeof values === 'string' ? [values] : values).map(withoutControls).filter((value) => value !== '');
    if (list.length === 0) return;
    fields.set(name, name === 'Content' ? list : list.map((value) => value.slice(0, EXTRACT_LIMITS.fieldValueChars)));
    sources[name] = from;
  };
  const headings = ownHeadings(chosen, { title: facts.title, site });
  const inputs = titleInputs(source);
  const titleSource = { ...inputs, firstHeading: headings[0]?.text ?? '', site: siteNameOf(facts, items) };
  const title = pickTitle(titleSource, site);
  put('Title', title.text, title.source);
  const description = pickDescription({ facts, items, chosen, title: title.text });
  put('Description', description.text, description.source);
  put('Content', content, 'blocks');
  const product = productFields(items, facts);
  const isSold = product.some(({ name }) => name === 'Price_number');
  const dates = pickDates({ url, facts, items, blocks, content, title: title.text, isSold, now });
  put('Date', dates.published, dates.publishedFrom);
  put('Published_date', dates.published, dates.publishedFrom);
  put('Modified_date', dates.modified, dates.modifiedFrom);
  const main = mainHeadings(inputs).map(({ text }) => text);
  const breadcrumbs = readBreadcrumbs(facts, items);
  const named = pickCategory(facts, breadcrumbs, { names: [title.text, ...main], site });
  const category = named.levels.length > 0 || !rules.categoryFromPath ? named : pathCategory(url);
  put('Category', category.levels, category.source);
  put('Breadcrumb', category.levels.join(' > '), category.source);
  const authors = pickAuthors(facts, items, metaOf(facts, 'og:site_name'));
  put('Author', authors.names, authors.source);
  const images = imagesOf(source);
  const image = images.find(({ text }) => site.share('image', text) < LOGO_SHARE);
  put('Image', image?.text ?? '', image?.source ?? 'none');
  put('Keywords', keywordsOf(facts), 'meta');
  put('Site', metaOf(facts, 'og:site_name'), 'og:site_name');
  const labels = itemLabels(blocks.filter(isListedHeading));
  const listed = headings.filter((heading) => isListedHeading(heading) && !labels.has(heading)).map(({ text }) => text);
  put('Headings', [...new Set(listed)].slice(0, EXTRACT_LIMITS.headings), 'blocks');
  put('Item_type', itemTypeOf(items, url), 'item');
  for (const { name, value, source: from } of product) put(name, value, from);
  for (const [name, value] of placeFields(items)) put(name, value, 'item');
  for (const [name, values] of readFieldAttributes(facts.fieldMarks))
    put(name, inForm(name, values, facts.base), 'mark');
  const counted = countedTexts({
    titles: [inputs.title, inputs.ogTitle],
    mainHeadings: main,
    headings: blocks.filter(isListedHeading).map(({ text }) => text),
    crumbs: rootCrumbs(breadcrumbs),
    images: images.map(({ text }) => text),
  });
  // A title that an attribute of the page sets is meant.
  const headTitle = sources['Title'] === title.source ? withoutControls(title.headTitle) : '';
  return { fields, sources, counted, isTitleSettled: title.isSettled, headTitle: headTitle.slice(0, MAX_HEAD_TITLE) };
}

/** Values in the form that the name says, as far as they can be read. */
function inForm(name: string, values: readonly MarkedValue[], base: string): readonly string[] {
  const as = formOf(name);
  return values.map(({ text, writtenFor }) => compileConversion({ as, writtenFor })(text, { base }) ?? text);
}

function siteNameOf(facts: PageFacts, items: readonly DataItem[]): PickedText {
  const item = items.find((found) => isOfType(found, /^WebSite$/));
  const candidates: readonly PickedText[] = [
    { text: foldText(metaOf(facts, 'og:site_name')), source: 'og:site_name' },
    { text: foldText(textAt(item?.data, 'name')), source: 'json-ld' },
    { text: foldText(metaOf(facts, 'application-name')), source: 'application-name' },
  ];
  return candidates.find(({ text }) => text !== '') ?? { text: '', source: 'none' };
}

/** Items whose image is a logo or a portrait. */
const NO_PICTURE = /^(?:Organization|Corporation|WebSite|Person|Brand)$/;
const MIN_IMAGE_PIXELS = 200;

/** Share of the site's pages from which an image is a logo. */
const LOGO_SHARE = 0.2;

/** Pictures that may stand for the page, the likeliest first. */
function imagesOf({ facts, items, chosen }: FieldSource): readonly PickedText[] {
  const inItems =
    items
      .filter((item) => !item.isListed && !isOfType(item, NO_PICTURE))
      .map(({ data }) => textAt(data, 'image') || textAt(data, 'image.url') || textAt(data, 'image.@id'))
      .find((text) => text !== '') ?? '';
  const containers = new Set(chosen.map(({ element }) => element));
  const inText = facts.images.find((image) => isPicture(image) && isCloseTo(image, containers));
  const candidates: readonly PickedText[] = [
    {
      text: absoluteUrl(metaOf(facts, 'og:image', 'og:image:url', 'twitter:image'), facts.base) ?? '',
      source: 'og:image',
    },
    { text: absoluteUrl(inItems, facts.base) ?? '', source: 'json-ld' },
    { text: absoluteUrl(inText?.attributes['src'], facts.base) ?? '', source: 'text' },
  ];
  return candidates.filter(({ text }) => text !== '');
}

function isPicture({ attributes, parent }: PageElement): boolean {
  const sides = [Number(attributes['width']), Number(attributes['height'])];
  return parent?.name === 'figure' || sides.some((side) => side >= MIN_IMAGE_PIXELS);
}

/** In a chosen block, or in an element that holds one directly. */
function isCloseTo(image: PageElement, containers: ReadonlySet<PageElement>): boolean {
  for (let at = image.parent; at !== undefined && !/^(?:body|html|#root)$/.test(at.name); at = at.parent) {
    if (containers.has(at)) return true;
    if (at.children.some((child) => typeof child !== 'string' && containers.has(child))) return true;
  }
  return false;
}

const MAX_TAG_CHARS = 100;

function keywordsOf(facts: PageFacts): readonly string[] {
  const listed = (facts.metas.get('keywords') ?? []).flatMap((text) => text.split(/[,;]/));
  const tags = facts.marked.tags.slice(0, EXTRACT_LIMITS.keywords).map((element) => textOf(element, MAX_TAG_CHARS));
  const words = [...listed, ...(facts.metas.get('article:tag') ?? []), ...tags].map(foldText);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, EXTRACT_LIMITS.keywords);
}

/** Share of the site's pages from which a heading says nothing of one: `Examples`, `See also`. */
const COMMON_HEADING_SHARE = 0.5;

/** Without what names the site, and what half of its pages have. */
function ownHeadings(
  chosen: readonly TextBlock[],
  { title, site }: { readonly title: string; readonly site: SiteTexts },
): readonly TextBlock[] {
  return chosen.filter(
    ({ kind, text }) =>
      kind === 'heading' &&
      !isMark({ title, heading: text }, site) &&
      site.share('heading', text) < COMMON_HEADING_SHARE,
  );
}

function isListedHeading({ level }: TextBlock): boolean {
  return level >= 1 && level <= 3;
}

/** What pages are about, before what stands in them. */
const ITEM_TYPES = [
  /^(?:Product|Event|JobPosting|Recipe|Course|FAQPage|QAPage|DiscussionForumPosting|HowTo|VideoObject|Book)$/,
  /^(?:Article|NewsArticle|BlogPosting|TechArticle)$/,
];
/** Who made a page, or where: its type only when the page says that it is about them. */
const MAKERS = /^(?:LocalBusiness|Place|Organization|Person)$/;

function itemTypeOf(items: readonly DataItem[], url: string): string {
  const own = items.filter(({ isListed }) => !isListed);
  const types = own.flatMap((item) => item.types).map((type) => (PRODUCT.test(type) ? 'Product' : type));
  const makers = items.filter((item) => isOfType(item, MAKERS) && isMainEntity(item, items, url));
  return (
    ITEM_TYPES.map((wanted) => types.find((type) => wanted.test(type))).find((type) => type !== undefined) ??
    makers.flatMap((item) => item.types).find((type) => MAKERS.test(type)) ??
    ''
  );
}

/** The page says so, the item does, or its address is that of the page. */
function isMainEntity({ data, isListed }: DataItem, items: readonly DataItem[], url: string): boolean {
  if (isListed) return false;
  const id = textAt(data, '@id');
  const entities = items.flatMap((item) => membersAt(item.data, 'mainEntity'));
  if (entities.some((entity) => entity === data || (id !== '' && textAt(entity, '@id') === id))) return true;
  const address = textAt(data, 'url');
  return data['mainEntityOfPage'] !== undefined || (address !== '' && URL.parse(address, url)?.href === url);
}

type PickedText = { readonly text: string; readonly source: string };

export type DescriptionSource = {
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  /** Main text. */
  readonly chosen: readonly TextBlock[];
  readonly title: string;
};

const MIN_DESCRIPTION_COLUMNS = 30;
const MAX_PARAGRAPH_CHARS = 300;
const MIN_PARAGRAPH_COLUMNS = 60;
const SENTENCE_END = /[.!?…。！？؟۔।]["'”’»)\]]*(?:\s|$)|[。！？]/u;
/** Items that describe the site, a part of the page or another page. */
const OTHER =
  /^(?:Organization|Corporation|WebSite|Person|ImageObject|Brand|Offer|AggregateOffer|Review|Rating|ListItem|BreadcrumbList)$/;

/** The page's own summary, else its first real paragraph: one that ends a sentence before lists of names and code. */
function pickDescription({ facts, items, chosen, title }: DescriptionSource): PickedText {
  const long = chosen.filter(({ kind, text }) => kind === 'paragraph' && columnsOf(text) >= MIN_PARAGRAPH_COLUMNS);
  const paragraph = long.find(({ text }) => SENTENCE_END.test(text)) ?? long[0];
  const own = items.filter((item) => !item.isListed && !isOfType(item, OTHER));
  const inItem = own.map(({ data }) => textAt(data, 'description')).find((text) => text !== '') ?? '';
  const candidates: readonly PickedText[] = [
    { text: metaOf(facts, 'description'), source: 'meta description' },
    { text: metaOf(facts, 'og:description', 'twitter:description'), source: 'og:description' },
    { text: inItem.replace(/<[^<>]{0,1000}>/g, ' '), source: 'json-ld' },
    { text: cutAtSentence(paragraph?.text ?? ''), source: 'first paragraph' },
  ];
  const folded = candidates.map(({ text, source }) => ({ text: foldText(text), source }));
  const fits = folded.find(({ text }) => columnsOf(text) >= MIN_DESCRIPTION_COLUMNS && text !== title);
  return fits ?? { text: '', source: 'none' };
}

function cutAtSentence(text: string): string {
  if (text.length <= MAX_PARAGRAPH_CHARS) return text;
  const head = text.slice(0, MAX_PARAGRAPH_CHARS);
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((mark) => head.lastIndexOf(mark)));
  if (columnsOf(head.slice(0, Math.max(0, end))) >= MIN_PARAGRAPH_COLUMNS) return head.slice(0, end + 1);
  const blank = head.lastIndexOf(' ');
  return columnsOf(head.slice(0, Math.max(0, blank))) >= MIN_PARAGRAPH_COLUMNS ? head.slice(0, blank) : head;
}

type Data = Readonly<Record<string, JsonValue>>;

const EVENT = /Event$/;
const PLACE = /^(?:LocalBusiness|Place|Restaurant|Hotel|Store|TouristAttraction|CivicStructure|Museum|Library)$/;
/** Events lie ahead. */
const ANY_TIME = Number.MAX_SAFE_INTEGER / 2;

/** When and where, of the page's one event or place. */
function placeFields(items: readonly DataItem[]): ReadonlyMap<string, string> {
  const event = onlyItem(items, EVENT);
  const place = event === undefined ? onlyItem(items, PLACE) : (membersAt(event, 'location')[0] ?? event);
  const entries: readonly (readonly [string, string])[] = [
    ['Start_date', readDate(textAt(event, 'startDate'), ANY_TIME)],
    ['End_date', readDate(textAt(event, 'endDate'), ANY_TIME)],
    ['Location', locationOf(event, place)],
    ['Location_geo_point', geoPointOf(place)],
  ];
  return new Map(entries.filter(([, value]) => value !== ''));
}

function onlyItem(items: readonly DataItem[], type: RegExp): Data | undefined {
  const found = items.filter((item) => !item.isListed && isOfType(item, type));
  return found.length === 1 ? found[0]?.data : undefined;
}

/** Name and address, or the text that stands for both. */
function locationOf(event: Data | undefined, place: Data | undefined): string {
  const members = ['streetAddress', 'postalCode', 'addressLocality', 'addressCountry'];
  const address =
    textAt(place, 'address') ||
    members
      .map((name) => textAt(place, `address.${name}`))
      .filter(Boolean)
      .join(', ');
  const name = place === event ? textAt(event, 'location') : textAt(place, 'name');
  return [name, address].filter((text) => text !== '').join(', ');
}

function geoPointOf(place: Data | undefined): string {
  const [latitude, longitude] = ['latitude', 'longitude'].map(
    (name) => textAt(place, `geo.${name}`) || textAt(place, name),
  );
  if (!latitude || !longitude) return '';
  const isPoint = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
  return isPoint ? `${Number(latitude)},${Number(longitude)}` : '';
}
