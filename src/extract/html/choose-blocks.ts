import type { ContentProfile } from '../extract-settings.ts';
import type { TextBlock } from './blocks.ts';
import type { ContentModel } from './content-model.ts';
import { FEATURES, readFeatures } from './features.ts';
import type { PageSource } from './page-features.ts';
import type { PageElement } from './page-tree.ts';

/** How much more a missing word costs than a superfluous one: recall is worth β times precision. */
export const BETA: Readonly<Record<ContentProfile, number>> = { precision: 0.7, balanced: 1.5, recall: 2 };

export type ScoredSource = PageSource & {
  /** A browser showed the page: what it hides is hidden, and not about to fade in. */
  readonly isRendered: boolean;
};

/** Probability of each block to be main text. What else is known of a block may change it before the choice. */
export function scoreBlocks(model: ContentModel, blocks: readonly TextBlock[], page: ScoredSource): Float64Array {
  const write = readFeatures(blocks, page);
  const row = new Float32Array(FEATURES.length);
  return Float64Array.from(blocks, ({ visibility }, at) => {
    if (page.isRendered && visibility === 'hidden') return 0;
    write(row, 0, at);
    return model.score(row, 0);
  });
}

/** The main text in document order: what the probabilities, the rules of the blocks and their neighbours say. */
export function chooseBlocks(
  blocks: readonly TextBlock[],
  scores: Float64Array,
  profile: ContentProfile,
): readonly TextBlock[] {
  const ruled = Float64Array.from(scores, (score, at) => ruledScore(blocks[at], score));
  dropCopies(ruled, blocks);
  const words = Float64Array.from(blocks, (block) => block.words);
  const isChosen = chooseByFBeta(ruled, words, BETA[profile]);
  keepSmallPage(isChosen, blocks, ruled);
  keepSetOff(isChosen, blocks);
  closeGaps(isChosen, blocks);
  chooseHeadings(isChosen, blocks, ruled);
  obeyRules(isChosen, blocks);
  return blocks.filter((_, at) => isChosen[at] === 1);
}

/** Buttons do something: what they are called is no text, unless somebody says so. */
function ruledScore(block: TextBlock | undefined, score: number): number {
  if (block?.rule === undefined) return block?.kind === 'button' || isMenuEntry(block, score) ? 0 : score;
  return block.rule === 'include' ? 1 : 0;
}

/** Menus of small pages look like lists to the model. */
const SURE_SCORE = 0.5;
const LINKED_SHARE = 0.8;

/** Links in furniture, where the model is not sure that they are main text. */
function isMenuEntry(block: TextBlock | undefined, score: number): boolean {
  if (block === undefined || score >= SURE_SCORE) return false;
  return block.linkChars >= block.text.length * LINKED_SHARE && isFurniture(block.element);
}

/** Shorter texts repeat on purpose: labels, values of tables. */
const MIN_COPY_WORDS = 5;

/** Of blocks with the same text the likeliest stays, the first of equals: pages hold copies for small screens. */
function dropCopies(scores: Float64Array, blocks: readonly TextBlock[]): void {
  const best = new Map<string, number>();
  for (const [at, block] of blocks.entries()) {
    if (block.words < MIN_COPY_WORDS || block.rule !== undefined) continue;
    const key = block.text.trim().toLowerCase();
    const other = best.get(key);
    const isBetter = other === undefined || (scores[at] ?? 0) > (scores[other] ?? 0);
    if (isBetter) best.set(key, at);
    if (other !== undefined) scores[isBetter ? other : at] = 0;
  }
}

/**
 * The blocks from the best down to the place where the expected F-beta of the words is largest: one threshold per
 * page, without a constant. Equal scores are chosen together. 1 = chosen. O(n · log n).
 */
export function chooseByFBeta(scores: Float64Array, words: Float64Array, beta: number): Uint8Array {
  const square = beta * beta;
  const order = Uint32Array.from(scores, (_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  let expected = 0;
  for (let at = 0; at < scores.length; at++) expected += (scores[at] ?? 0) * (words[at] ?? 0);
  let [right, chosen, best] = [0, 0, 0];
  let threshold = Number.POSITIVE_INFINITY;
  for (const at of order) {
    right += (scores[at] ?? 0) * (words[at] ?? 0);
    chosen += words[at] ?? 0;
    const value = ((1 + square) * right) / (chosen + square * expected);
    if (!(value > best)) continue;
    best = value;
    threshold = scores[at] ?? 0;
  }
  return Uint8Array.from(scores, (score) => Number(score >= threshold));
}

/** A page of so few words has no room for much beside its text. */
const SMALL_PAGE_WORDS = 200;
/** What the model calls less likely is furniture even there. */
const MIN_SMALL_PAGE_SCORE = 0.1;
const FURNITURE = new Set(['nav', 'footer', 'aside', 'dialog']);

/** Doubtful text of a small page is rather kept than lost: the model has little to judge it by. */
function keepSmallPage(isChosen: Uint8Array, blocks: readonly TextBlock[], scores: Float64Array): void {
  if (wordsOf(blocks) > SMALL_PAGE_WORDS) return;
  for (const [at, { visibility, element }] of blocks.entries()) {
    const isText = visibility !== 'hidden' && (scores[at] ?? 0) >= MIN_SMALL_PAGE_SCORE;
    if (isText && !isFurniture(element)) isChosen[at] = 1;
  }
}

function isFurniture(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent)
    if (FURNITURE.has(at.name)) return true;
  return false;
}

const SET_OFF = new Set<TextBlock['kind']>(['table', 'code', 'quote']);

/** Rows of a data table are chosen together; tables, code and quotes between chosen text belong to it. */
function keepSetOff(isChosen: Uint8Array, blocks: readonly TextBlock[]): void {
  for (let from = 0; from < blocks.length; from++) {
    let to = from;
    while (SET_OFF.has(blocks[to]?.kind ?? 'paragraph')) to++;
    const isBetween = isChosen[from - 1] === 1 && isChosen[to] === 1;
    const tables = new Set(
      blocks
        .slice(from, to)
        .filter((_, at) => isChosen[from + at] === 1 && isTable(blocks[from + at]))
        .map(({ group }) => group),
    );
    for (let at = from; at < to; at++) {
      const isWanted = isBetween || (isTable(blocks[at]) && tables.has(blocks[at]?.group));
      if (isWanted && blocks[at]?.visibility !== 'hidden') isChosen[at] = 1;
    }
    from = to;
  }
}

function isTable(block: TextBlock | undefined): boolean {
  return block?.kind === 'table' && block.group !== undefined;
}

/** A single entry left out of a chosen list reads like a mistake. */
function closeGaps(isChosen: Uint8Array, blocks: readonly TextBlock[]): void {
  for (let at = 1; at + 1 < blocks.length; at++) {
    const isAlone = isChosen[at] === 0 && isChosen[at - 1] === 1 && isChosen[at + 1] === 1;
    if (!isAlone || blocks[at]?.visibility === 'hidden') continue;
    const group = blocks[at]?.group;
    if (group !== undefined && blocks[at - 1]?.group === group && blocks[at + 1]?.group === group) isChosen[at] = 1;
  }
}

const LEVELS = 7;
/** A less likely heading is hardly the page's, though its section may hold chosen text: names of sites, of menus. */
const MIN_HEADING_SCORE = 0.05;
/** A more likely one stays without text: entries of listings are headings at times. */
const SURE_HEADING_SCORE = 0.5;

/** A heading stays when text of its section does; the first `h1` stays, and all do where nothing else is chosen. */
function chooseHeadings(isChosen: Uint8Array, blocks: readonly TextBlock[], scores: Float64Array): void {
  if (blocks.every(({ kind }, at) => kind === 'heading' || isChosen[at] === 0)) return;
  const title = blocks.findIndex(isTitle);
  /** By level: chosen text follows before a heading of the same or a higher rank. */
  const hasText = new Uint8Array(LEVELS + 1);
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block?.kind === 'heading') {
      const level = Math.min(block.level, LEVELS);
      const isWanted = hasText[level] === 1 || at === title;
      const least = isWanted ? MIN_HEADING_SCORE : SURE_HEADING_SCORE;
      isChosen[at] = Number((isWanted || isChosen[at] === 1) && (scores[at] ?? 0) >= least);
      hasText.fill(0, level);
    } else if (isChosen[at] === 1) {
      hasText.fill(1);
    }
  }
}

function obeyRules(isChosen: Uint8Array, blocks: readonly TextBlock[]): void {
  for (const [at, { rule }] of blocks.entries()) if (rule !== undefined) isChosen[at] = rule === 'include' ? 1 : 0;
}

function isTitle({ level, visibility }: TextBlock): boolean {
  return level === 1 && visibility !== 'hidden';
}

/** Words of the blocks; headings count. */
export function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}
