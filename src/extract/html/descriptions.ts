import { columnsOf } from '../text-script.ts';
import type { TextBlock } from './blocks.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { foldText } from './page-tree.ts';
import { type DataItem, isOfType, textAt } from './structured-data.ts';

export type PickedText = { readonly text: string; readonly source: string };

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
export function pickDescription({ facts, items, chosen, title }: DescriptionSource): PickedText {
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
