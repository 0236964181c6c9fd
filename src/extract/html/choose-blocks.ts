import { probabilityOf } from '../../core/boosted-trees.ts';
import type { ContentProfile } from '../extract-settings.ts';
import type { TextBlock } from './blocks.ts';
import { isTemplate } from './boilerplate-detection.ts';
import type { ContentModel } from './content-model.ts';
import { dialogHeadings } from './dialogs.ts';
import { FEATURES, type PageSource, readFeatures } from './features.ts';
import type { PageElement } from './page-tree.ts';
import { REUSED_COLUMNS, readSelectionFeatures, type ScoredBlocks, SELECTION_FEATURES } from './selection-features.ts';

/** Worth from which a block is chosen. From .5 to .65 the F1 of pages is the same; balanced is where recall is .933. */
const MIN_SELECTION_SCORE: Readonly<Record<ContentProfile, number>> = { precision: 0.73, balanced: 0.56, recall: 0.18 };

export type ScoredSource = PageSource & {
  /** A browser showed the page: what it hides is hidden, and not about to fade in. */
  readonly isRendered: boolean;
  /** Called every thousand blocks: may end the turn of the event loop. */
  readonly pause: () => Promise<void>;
};

const BLOCKS_PER_PAUSE = 1_000;

/** Probability of each block to be main text. What else is known of a block may change it before it is weighed. */
export async function scoreBlocks(
  model: ContentModel,
  blocks: readonly TextBlock[],
  page: ScoredSource,
): Promise<ScoredBlocks> {
  const { write, places: positions } = readFeatures(blocks, page);
  const row = new Float32Array(FEATURES.length);
  const kept = new Float32Array(blocks.length * REUSED_COLUMNS.length);
  const scores = new Float64Array(blocks.length);
  const words = new Float64Array(blocks.length);
  for (const [at, block] of blocks.entries()) {
    if (at % BLOCKS_PER_PAUSE === BLOCKS_PER_PAUSE - 1) await page.pause();
    write(row, 0, at);
    reuseColumns(kept, at, row);
    words[at] = block.words;
    if (!page.isRendered || block.visibility !== 'hidden') scores[at] = model.score(row, 0);
  }
  return { scores, words, places: positions, kept };
}

function reuseColumns(kept: Float32Array, block: number, row: Float32Array): void {
  const from = block * REUSED_COLUMNS.length;
  for (let at = 0; at < REUSED_COLUMNS.length; at++) kept[from + at] = row[REUSED_COLUMNS[at] ?? 0] ?? 0;
}

/**
 * What each block is worth to the choice, 0 to 1, from the probabilities of all: a likely block among likelier ones is
 * worth less than the same block among unlikely ones. Impossible blocks are worth nothing, and no block of a shell is.
 */
export function selectionScores(model: ContentModel, scored: ScoredBlocks): Float64Array {
  return isShell(scored) ? new Float64Array(scored.scores.length) : classifierScores(model, scored);
}

function classifierScores(model: ContentModel, scored: ScoredBlocks): Float64Array {
  const { rows, odds } = readSelectionFeatures(scored);
  return odds.map((own, at) => {
    if (scored.scores[at] === 0) return 0;
    return probabilityOf(own + model.correct(rows, at * SELECTION_FEATURES.length));
  });
}

/** Of pages whose likeliest block is less likely, 5 of 7 labelled ones have no text, and the others .02 of F1. */
const MIN_LIKELIEST = 0.18;
/** The only words of a page are its text, however unlikely: the model knows it by what stands around it. */
const MIN_SHELL_WORDS = 100;
/** The 7 have up to 500 words. Pages of more on which all is unlikely are unlike those that the model knows. */
const MAX_SHELL_WORDS = 1_000;

/** Menus, footers and places for text that scripts or a login bring: nothing that looks like a text at all. */
function isShell({ scores, words }: ScoredBlocks): boolean {
  const count = words.reduce((sum, own) => sum + own, 0);
  if (count < MIN_SHELL_WORDS || count > MAX_SHELL_WORDS) return false;
  return scores.every((score) => score < MIN_LIKELIEST);
}

/** The main text in document order: what the worth of the blocks, their rules and their neighbours say. */
export function chooseBlocks(
  blocks: readonly TextBlock[],
  selection: Float64Array,
  profile: ContentProfile,
): readonly TextBlock[] {
  const ruled = selection.map((own, at) => ruledScores(blocks[at], own));
  dropCopies(ruled, blocks);
  const isChosen = Uint8Array.from(ruled, (own) => Number(own >= MIN_SELECTION_SCORE[profile]));
  keepSmallPage(isChosen, blocks, ruled);
  keepSetOff(isChosen, blocks);
  closeGaps(isChosen, blocks);
  chooseHeadings(isChosen, blocks, ruled);
  obeyRules(isChosen, blocks);
  return blocks.filter((_, at) => isChosen[at] === 1);
}

/** A page whose best block is worth less has no text of its own. */
const MIN_ONLY_BLOCK_SCORE = 0.15;

/** Where nothing is chosen, the best block: a doubtful text is more than none. */
export function orBestBlock(
  chosen: readonly TextBlock[],
  blocks: readonly TextBlock[],
  selection: Float64Array,
): readonly TextBlock[] {
  if (chosen.length > 0) return chosen;
  const ruled = selection.map((own, at) => ruledScores(blocks[at], own));
  const most = ruled.reduce((best, own) => Math.max(best, own), MIN_ONLY_BLOCK_SCORE);
  const best = blocks[ruled.indexOf(most)];
  return best === undefined ? chosen : [best];
}

/** Cards of a list stand in rows; fewer are columns of a menu. */
const MIN_TITLES = 3;
/** Of the score of the best block. */
const MIN_TITLE_SHARE = 0.75;
const MIN_TITLE_SCORE = 0.5;

/**
 * The headings that are links where they are what a page has most: of a page of lone titles, which looks like a shell
 * or a menu. None of the labelled pages without a text has three. `shares`: of each block, what of the site's other pages
 * repeats it.
 */
export function linkedTitles(
  model: ContentModel,
  blocks: readonly TextBlock[],
  scored: ScoredBlocks & { readonly shares: Float64Array },
): readonly TextBlock[] {
  const selection = classifierScores(model, scored).map((own, at) => (blocks[at]?.kind === 'button' ? 0 : own));
  const least = Math.max(MIN_TITLE_SCORE, MIN_TITLE_SHARE * selection.reduce((best, own) => Math.max(best, own), 0));
  const titles = blocks.filter((block, at) => {
    const isCandidate = block.kind === 'heading' && block.rule === undefined && block.visibility === 'visible';
    return isCandidate && isLinked(block) && !isTemplate(scored.shares[at] ?? 0) && (selection[at] ?? 0) >= least;
  });
  return titles.length < MIN_TITLES ? [] : titles;
}

/** Buttons do something: what they are called is no text, unless somebody says so. */
function ruledScores(block: TextBlock | undefined, selection: number): number {
  if (block?.rule === undefined) return block?.kind === 'button' || isMenuEntry(block, selection) ? 0 : selection;
  return block.rule === 'include' ? 1 : 0;
}

/** Menus of small pages look like lists to the model. */
const SURE_SCORE = 0.97;
const LINKED_SHARE = 0.8;

/** Links in furniture, where the model is not sure that they are main text. */
function isMenuEntry(block: TextBlock | undefined, selection: number): boolean {
  if (block === undefined || selection >= SURE_SCORE) return false;
  return isLinked(block) && isFurniture(block.element);
}

function isLinked({ linkChars, text }: TextBlock): boolean {
  return linkChars >= text.length * LINKED_SHARE;
}

/** Shorter texts repeat on purpose: labels, values of tables. */
const MIN_COPY_WORDS = 5;

/** Of blocks with the same text the best stays, the first of equals: pages hold copies for small screens. */
function dropCopies(selection: Float64Array, blocks: readonly TextBlock[]): void {
  const best = new Map<string, number>();
  for (const [at, block] of blocks.entries()) {
    if (block.words < MIN_COPY_WORDS || block.rule !== undefined) continue;
    const key = block.text.trim().toLowerCase();
    const other = best.get(key);
    const isBetter = other === undefined || (selection[at] ?? 0) > (selection[other] ?? 0);
    if (isBetter) best.set(key, at);
    if (other !== undefined) selection[isBetter ? other : at] = 0;
  }
}

/** A page of so few words has no room for much beside its text. */
const SMALL_PAGE_WORDS = 200;
/** What is worth less is furniture even there. */
const MIN_SMALL_PAGE_SCORE = 0.3;
const FURNITURE = new Set(['nav', 'footer', 'aside', 'dialog']);

/** Doubtful text of a small page is rather kept than lost: the model has little to judge it by. */
function keepSmallPage(isChosen: Uint8Array, blocks: readonly TextBlock[], selection: Float64Array): void {
  if (wordsOf(blocks) > SMALL_PAGE_WORDS) return;
  for (const [at, { visibility, element }] of blocks.entries()) {
    const isText = visibility !== 'hidden' && (selection[at] ?? 0) >= MIN_SMALL_PAGE_SCORE;
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
/** A heading worth less is hardly the page's, though its section may hold chosen text: names of sites, of menus. */
const MIN_HEADING_SCORE = 0.05;
/** One worth more stays without text: entries of listings are headings at times. */
const SURE_HEADING_SCORE = 0.5;

/**
 * A heading stays when text of its section does; the first `h1` stays, and all do where nothing else is chosen. Those of
 * dialogs go.
 */
function chooseHeadings(isChosen: Uint8Array, blocks: readonly TextBlock[], selection: Float64Array): void {
  if (blocks.every(({ kind }, at) => kind === 'heading' || isChosen[at] === 0)) return;
  const ofDialogs = dialogHeadings(blocks);
  const title = blocks.findIndex((block) => isTitle(block) && !ofDialogs.has(block));
  /** By level: chosen text follows before a heading of the same or a higher rank. */
  const hasText = new Uint8Array(LEVELS + 1);
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block?.kind === 'heading') {
      const level = Math.min(block.level, LEVELS);
      const isWanted = hasText[level] === 1 || at === title;
      const least = isWanted ? MIN_HEADING_SCORE : SURE_HEADING_SCORE;
      const isHeading = (isWanted || isChosen[at] === 1) && !ofDialogs.has(block);
      isChosen[at] = Number(isHeading && (selection[at] ?? 0) >= least);
      hasText.fill(0, level);
    } else if (isChosen[at] === 1) {
      hasText.fill(1);
    }
  }
}

function obeyRules(isChosen: Uint8Array, blocks: readonly TextBlock[]): void {
  for (const [at, { rule }] of blocks.entries()) if (rule !== undefined) isChosen[at] = rule === 'include' ? 1 : 0;
}

/** The chosen blocks with the page's heading: the text may do without what is its title, its sections may not. */
export function withPageHeading(blocks: readonly TextBlock[], chosen: readonly TextBlock[]): readonly TextBlock[] {
  const title = pageHeading(blocks);
  if (title === undefined || chosen.length === 0 || chosen.includes(title)) return chosen;
  const kept = new Set([title, ...chosen]);
  return blocks.filter((block) => kept.has(block));
}

/** The heading of the page itself, unless somebody says that it is no text. */
export function pageHeading(blocks: readonly TextBlock[]): TextBlock | undefined {
  const ofDialogs = dialogHeadings(blocks);
  const title = blocks.find((block) => isTitle(block) && !ofDialogs.has(block));
  return title?.rule === 'exclude' ? undefined : title;
}

function isTitle({ level, visibility }: TextBlock): boolean {
  return level === 1 && visibility !== 'hidden';
}

/** Words of the blocks; headings count. */
export function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}
