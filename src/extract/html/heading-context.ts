import type { TextBlock } from './blocks.ts';
import { type DomTable, isRunningText, PRICE_FLAG } from './dom-table.ts';
import { add, valueAt } from './text-measures.ts';

/** What stands above each block in reading order. One number per block in each list; -1 = none. */
export type HeadingContext = {
  /** Nearest heading before the block, the block itself when it is one. */
  readonly heading: Int32Array;
  /** Nearest heading of a higher rank before that one. */
  readonly upper: Int32Array;
  /** Last block whose heading announces related items, and opinions. */
  readonly related: Int32Array;
  readonly opinions: Int32Array;
  /** Of each heading, by its block: what it announces. */
  readonly words: Int32Array;
  readonly sections: HeadingSections;
};

/** Of each heading's section, up to the next heading of any level, by its block; what has none is counted last. */
export type HeadingSections = Readonly<Record<'blocks' | 'chars' | 'linkChars' | 'goodChars' | 'prices', Float64Array>>;

const MAX_LEVEL = 7;

export function readHeadings(shape: DomTable): HeadingContext {
  const size = shape.blocks.length;
  const none = () => new Int32Array(size).fill(-1);
  const lists = { heading: none(), upper: none(), related: none(), opinions: none(), words: new Int32Array(size) };
  const last = { heading: -1, upper: -1, related: -1, opinions: -1 };
  const byLevel = new Int32Array(MAX_LEVEL + 1).fill(-1);
  for (const [at, block] of shape.blocks.entries()) {
    if (block.kind === 'heading') {
      const level = Math.min(block.level, MAX_LEVEL);
      const words = headingWordsOf(block);
      lists.words[at] = words;
      byLevel[level] = at;
      byLevel.fill(-1, level + 1);
      last.heading = at;
      last.upper = byLevel.subarray(0, level).reduce((most, other) => Math.max(most, other), -1);
      if ((words & RELATED) !== 0) last.related = at;
      if ((words & OPINIONS) !== 0) last.opinions = at;
    }
    lists.heading[at] = last.heading;
    lists.upper[at] = last.upper;
    lists.related[at] = last.related;
    lists.opinions[at] = last.opinions;
  }
  return { ...lists, sections: sumSections(shape, lists.heading) };
}

function sumSections(shape: DomTable, headings: Int32Array): HeadingSections {
  const { blocks, texts, flags } = shape;
  const sums = () => new Float64Array(blocks.length + 1);
  const sections = { blocks: sums(), chars: sums(), linkChars: sums(), goodChars: sums(), prices: sums() };
  for (const [at, block] of blocks.entries()) {
    const heading = valueAt(headings, at);
    const section = heading < 0 ? blocks.length : heading;
    const chars = valueAt(texts.chars, at);
    add(sections.blocks, section, 1);
    add(sections.chars, section, chars);
    add(sections.linkChars, section, block.linkChars);
    if (isRunningText(texts, at)) add(sections.goodChars, section, chars);
    if ((valueAt(flags, at) & PRICE_FLAG) !== 0) add(sections.prices, section, 1);
  }
  return sections;
}

/** What a heading announces; the order is that of the model's features. */
const PATTERNS = {
  related:
    /\b(?:related|similar|recommend(?:ed|ations?)|you (?:may|might|could|will|'ll) |also (?:bought|viewed|liked?|interested)|(?:recently|customers|people|frequently) (?:viewed|bought)|bought together|more (?:from|like|in|on|articles|stories|news|products|posts|to)|popular|trending|most (?:read|viewed)|latest|recent|featured|best ?sellers?|top (?:stories|picks|rated)|see also|read (?:next|more)|next (?:article|post|up)|explore|discover|don't miss|ähnliche|verwandte|auch interessant|weitere|liés|similaires|relacionad|lees ook|læs også|les også)/,
  opinions:
    /\b(?:reviews?|ratings?|testimonials?|comments?|(?:what|our) .{0,20}(?:say|saying|think)|responses|replies|leave a|bewertung(?:en)?|kommentare?|commentaires?|opiniones|comentarios)\b/,
  about:
    /\b(?:descriptions?|details?|overview|about|features?|specifications?|specs|ingredients|benefits|included|size|dimensions|materials?|summary|introduction|highlights|(?:produkt)?beschreibung)\b/,
  services:
    /\b(?:newsletter|subscribe|sign ?up|follow|share|contact|get in touch|log ?in|menu|navigation|categor(?:y|ies)|tags|archives?|search|filters?|sort|shop by|refine|legal|company|customer (?:service|care)|quick ?links|resources|information|account|social|cookies?|privacy|languages?|locations?)\b/,
  questions: /\b(?:faqs?|frequently asked|questions?|q ?& ?a)\b/,
  delivery: /\b(?:shipping|delivery|returns?|warranty|payments?|guarantees?)\b/,
} as const;

export const HEADING_WORDS = Object.keys(PATTERNS);
export const RELATED = 1 << HEADING_WORDS.indexOf('related');
export const OPINIONS = 1 << HEADING_WORDS.indexOf('opinions');
const TESTS = Object.values(PATTERNS);
/** Longer ones are sentences. */
const MAX_CHARS = 100;

/** Bits in the order of `HEADING_WORDS`. */
function headingWordsOf({ text }: TextBlock): number {
  const folded = text.slice(0, MAX_CHARS).toLowerCase();
  let bits = 0;
  for (const [at, pattern] of TESTS.entries()) if (pattern.test(folded)) bits |= 1 << at;
  return bits;
}
