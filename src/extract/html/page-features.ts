import { CLASS_WORDS } from './class-words.ts';
import { ANCESTOR_TAGS, DATED_FLAG, type DomTable, flagOf, type GroupTable, PRICE_FLAG } from './dom-table.ts';
import type { HeadingContext } from './heading-context.ts';
import { OPINIONS, RELATED } from './heading-words.ts';
import { logOf, share, valueAt } from './numbers.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { type DataItem, isOfType } from './structured-data.ts';

export type PageSource = { readonly url: string; readonly facts: PageFacts; readonly items: readonly DataItem[] };

/** What an item of structured data says of the page's kind. */
const ITEM_KINDS = {
  product: /^Product(?:Group)?$/,
  article: /^(?:\w*Article|BlogPosting|Posting)$/,
  questions: /^(?:FAQPage|QAPage)$/,
  forum: /^DiscussionForumPosting$/,
  collection: /^(?:CollectionPage|ItemList|SearchResultsPage)$/,
  breadcrumbs: /^BreadcrumbList$/,
  place: /^(?:LocalBusiness|Organization|Service|ProfessionalService)$/,
} as const;

const URL_KINDS = {
  forum: /forum|thread|topic|viewtopic|showthread|discuss|community|questions?\//,
  product: /product|\/p\/|\/dp\/|item|shop/,
  documentation: /docs?\/|\/api|reference|manual|guide|wiki/,
  category: /categor|collection|\/c\/|tag\/|search/,
  article: /blog|news|article|\d{4}\/\d{2}/,
  service: /service|solution|about|contact|pricing|feature|platform|consult/,
} as const;

/** Names of the classes and ids of `html` and `body`, and of the generator. */
const BODY_KINDS = {
  product:
    /single-product|product-(?:page|template|detail)|template-product|catalog-product|page-product|\bpdp\b|product/,
  category: /archive|categor|collection|tax-|catalog|listing|search/,
  article: /single-post|\bsingle\b|article|blog|post-template|\bpost\b|story/,
  page: /\bpage\b|page-template|\bhome\b|front|landing|index/,
  forum: /forum|thread|topic|phpbb|vbulletin|discourse|xenforo|bbpress|question/,
  documentation: /\bdocs?\b|sphinx|docusaurus|mkdocs|gitbook|wiki|rtd|vitepress|hugo/,
} as const;

const OG_TYPES = ['article', 'product', 'website'] as const;
const LONG_CHARS = 140;
const MAX_LONG_LINK_SHARE = 0.3;
const MAX_NAMES_CHARS = 1_000;

export const PAGE_FEATURES: readonly string[] = [
  ...['blocks', 'chars', 'linkShare', 'paragraphs', 'paragraphShare', 'itemShare', 'longShare', 'longBlocks'],
  ...['main', 'articles', 'depth', 'headings', 'prices', 'dates', 'images', 'hiddenShare', 'meanChars', 'largestGroup'],
  ...['largestGroupShare', 'products', 'titleWords', 'tableShare', 'times'],
  ...OG_TYPES.map((type) => `og.${type}`),
  ...Object.keys(ITEM_KINDS).map((kind) => `item.${kind}`),
  ...Object.keys(URL_KINDS).map((kind) => `url.${kind}`),
  ...Object.keys(BODY_KINDS).map((kind) => `body.${kind}`),
  ...['offers', 'forumWords', 'actions', 'h1s', 'relatedHeadings', 'opinionHeadings', 'sameText', 'alikeShare'],
  ...[...ANCESTOR_TAGS.map((tag) => `in.${tag}`), ...CLASS_WORDS.map((word) => `named.${word}`)],
].map((name) => `page.${name}`);

/** One value for each of `PAGE_FEATURES`, the same for every block of a page. */
export function readPageFeatures(shape: DomTable, { words }: HeadingContext, source: PageSource): Float32Array {
  const { url, facts, items } = source;
  const path = URL.parse(url)?.pathname ?? '';
  const ogType = metaOf(facts, 'og:type').toLowerCase();
  const names = `${facts.pageNames} ${metaOf(facts, 'generator')}`.slice(0, MAX_NAMES_CHARS).toLowerCase();
  const has = (patterns: Readonly<Record<string, RegExp>>, text: string) =>
    Object.values(patterns).map((pattern) => Number(pattern.test(text)));
  const values = [
    ...measures(shape),
    path.split('/').filter((part) => part !== '').length,
    ...counts(shape),
    logOf(items.filter((item) => isOfType(item, ITEM_KINDS.product)).length),
    shape.texts.titleSize,
    ...kindShares(shape),
    ...OG_TYPES.map((type) => Number(type === 'product' ? ogType.includes(type) : ogType === type)),
    ...Object.values(ITEM_KINDS).map((pattern) => Number(items.some((item) => isOfType(item, pattern)))),
    ...has(URL_KINDS, path.toLowerCase()),
    ...has(BODY_KINDS, names),
    ...flagShares(shape, words),
    ...nameShares(shape),
  ];
  return Float32Array.from(values);
}

/** `blocks` to `articles`. */
function measures({ blocks, texts, table, totalChars }: DomTable): readonly number[] {
  let [paragraphs, paragraphChars, itemChars, longBlocks, longChars] = [0, 0, 0, 0, 0];
  for (let at = 0; at < blocks.length; at++) {
    const chars = valueAt(texts.chars, at);
    const name = blocks[at]?.element.name;
    if (name === 'p') {
      paragraphs++;
      paragraphChars += chars;
    }
    if (name === 'li') itemChars += chars;
    if (chars > LONG_CHARS && valueAt(texts.linkShare, at) < MAX_LONG_LINK_SHARE) {
      longBlocks++;
      longChars += chars;
    }
  }
  const articles = table.elements.filter(({ name }) => name === 'article').length;
  return [
    ...[logOf(blocks.length), logOf(totalChars), share(valueAt(table.linkChars, 0), totalChars)],
    ...[logOf(paragraphs), share(paragraphChars, totalChars), share(itemChars, totalChars)],
    ...[share(longChars, totalChars), logOf(longBlocks)],
    ...[Number(table.elements.some(({ name }) => name === 'main')), logOf(articles)],
  ];
}

/** `headings` to `largestGroupShare`. */
function counts({ blocks, texts, table, groups, flags, totalChars }: DomTable): readonly number[] {
  const largest = largestGroup(groups);
  const hiddenChars = blocks.reduce((sum, { visibility }, at) => {
    return visibility === 'hidden' ? sum + valueAt(texts.chars, at) : sum;
  }, 0);
  const flagged = (flag: number) => flags.reduce((sum, own) => sum + Number((own & flag) !== 0), 0);
  return [
    ...[logOf(valueAt(table.headings, 0)), logOf(flagged(PRICE_FLAG)), logOf(flagged(DATED_FLAG))],
    ...[logOf(valueAt(table.images, 0)), share(hiddenChars, totalChars), share(totalChars, blocks.length)],
    ...[logOf(valueAt(groups.size, largest)), share(valueAt(groups.chars, largest), totalChars)],
  ];
}

/** Fewer elements beside each other are no list. */
const MIN_ALIKE = 3;

/** The group of elements with most text, the first one when none repeats. */
function largestGroup({ size, chars }: GroupTable): number {
  let largest = 0;
  for (let group = 0; group < size.length; group++) {
    const isLarger = valueAt(chars, group) > valueAt(chars, largest) || valueAt(size, largest) < MIN_ALIKE;
    if (valueAt(size, group) >= MIN_ALIKE && isLarger) largest = group;
  }
  return largest;
}

/** `tableShare` and `times`. */
function kindShares({ blocks, texts, totalChars }: DomTable): readonly number[] {
  let tableChars = 0;
  let times = 0;
  for (let at = 0; at < blocks.length; at++) {
    if (blocks[at]?.kind === 'table') tableChars += valueAt(texts.chars, at);
    if (((blocks[at]?.marks ?? 0) & 4) !== 0) times++;
  }
  return [share(tableChars, totalChars), logOf(times)];
}

/** `offers` to `alikeShare`. */
function flagShares({ blocks, texts, flags, table, groups }: DomTable, words: Int32Array): readonly number[] {
  const flagged = (name: string) => {
    const flag = flagOf(name);
    return logOf(flags.reduce((sum, own) => sum + Number((own & flag) !== 0), 0));
  };
  const announced = (bit: number) => logOf(words.reduce((sum, own) => sum + Number((own & bit) !== 0), 0));
  let alike = 0;
  for (let group = 0; group < groups.size.length; group++) if (valueAt(groups.size, group) >= MIN_ALIKE) alike++;
  return [
    ...[flagged('offer'), flagged('forumWords'), flagged('action')],
    logOf(table.elements.filter(({ name }) => name === 'h1').length),
    ...[announced(RELATED), announced(OPINIONS), share(new Set(texts.hash).size, blocks.length), logOf(alike)],
  ];
}

/** Share of the text within each of the tags and names. */
function nameShares({ table, totalChars }: DomTable): readonly number[] {
  return Array.from(table.namedChars, (chars) => share(chars, totalChars));
}
