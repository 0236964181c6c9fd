import type { TextBlock } from './blocks.ts';
import type { BlockDocumentFrequency } from './template-blocks.ts';

/** A block as the vote sees it. */
export type DemotedBlock = Pick<TextBlock, 'kind' | 'level' | 'text' | 'words' | 'linkChars'>;

type Site = {
  /** By block. */
  readonly hashes: readonly string[];
  /** What the pages of the host say, and those of the folder. */
  readonly ofHost: BlockDocumentFrequency;
  readonly ofFolder: BlockDocumentFrequency;
  /** What the page says that it is called. */
  readonly titles: readonly string[];
};

export type Demoted = {
  /** By block: probability of main text after the vote, and the share that counted. */
  readonly scores: Float64Array;
  readonly shares: Float64Array;
};

/** Shares from which a block counts as repeated, and at which it is a template for certain; what then is left of p. */
const FIRST_SHARE = 0.3;
const FULL_SHARE = 0.7;
const FULL_DEMOTION = 0.9;
/** Shorter blocks may be labels, which repeat on purpose. */
const LABEL_WORDS = 4;
const MAX_NUMBER_WORDS = 4;
const LINKED_SHARE = 0.5;
/** Shorter blocks are entries of menus, names, values. */
const PROSE_WORDS = 10;
/** Pages of a folder say the same of like things: their sentences count as repeated from half of the pages on. */
const PROSE_MARGIN = 0.2;
const LIKELY = 0.5;
/** Pages of a folder that differ in less are versions of one text, of which each is to be found. */
const LEAST_KEPT_PROSE = 0.5;

/**
 * The vote of the site's other pages: what stands on many of them, or on many of the smallest known folder, becomes
 * less likely. A folder has no vote that takes most of the page's prose: its pages are then much the same text.
 */
export function demoteRepeatedBlocks(
  blocks: readonly DemotedBlock[],
  probabilities: ArrayLike<number>,
  { hashes, ofHost, ofFolder, titles }: Site,
): Demoted {
  const named = titles.map((title) => title.trim().toLowerCase());
  const inHost = Float64Array.from(hashes, ofHost);
  const byHost = { scores: demotedBy(inHost, blocks, { probabilities, named }), shares: inHost };
  const inBoth = inHost.map((share, at) => {
    const margin = isProse(blocks[at]) ? PROSE_MARGIN : 0;
    return Math.max(share, ofFolder(hashes[at] ?? '') - margin);
  });
  if (inBoth.every((share, at) => share === inHost[at])) return byHost;
  const byBoth = { scores: demotedBy(inBoth, blocks, { probabilities, named }), shares: inBoth };
  const isFrame = likelyProse(blocks, byBoth.scores) >= likelyProse(blocks, byHost.scores) * LEAST_KEPT_PROSE;
  return isFrame ? byBoth : byHost;
}

type Demotion = { readonly probabilities: ArrayLike<number>; readonly named: readonly string[] };

/** The page's heading keeps what it has; a label has the share of the block that it introduces. */
function demotedBy(
  shares: Float64Array,
  blocks: readonly DemotedBlock[],
  { probabilities, named }: Demotion,
): Float64Array {
  const demoted = Float64Array.from(probabilities);
  let below = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined) continue;
    const isLabel = at < blocks.length - 1 && introduces(block);
    below = isLabel ? below : (shares[at] ?? 0);
    // Few blocks repeat, and only of these it matters what they are.
    if (below <= FIRST_SHARE || isBareNumber(block) || isPageHeading(block, named)) continue;
    demoted[at] = (demoted[at] ?? 0) * keptBy(below);
  }
  return demoted;
}

/** Words of the likely blocks that say something in sentences. */
function likelyProse(blocks: readonly DemotedBlock[], scores: Float64Array): number {
  return blocks.reduce((sum, block, at) => sum + (isProse(block) && (scores[at] ?? 0) >= LIKELY ? block.words : 0), 0);
}

function isProse(block: DemotedBlock | undefined): boolean {
  return block !== undefined && block.words >= PROSE_WORDS && block.linkChars < block.text.length * LINKED_SHARE;
}

/** The block stands on so many other pages that it says nothing about this one. */
export function isTemplate(share: number): boolean {
  return share >= (FIRST_SHARE + FULL_SHARE) / 2;
}

function keptBy(share: number): number {
  const certainty = Math.min(1, Math.max(0, (share - FIRST_SHARE) / (FULL_SHARE - FIRST_SHARE)));
  return 1 - FULL_DEMOTION * certainty;
}

/** Prices, counts: many pages of a site have the same. */
function isBareNumber({ words, text }: DemotedBlock): boolean {
  return words <= MAX_NUMBER_WORDS && /\d/.test(text) && !/\p{L}/u.test(text);
}

/** `Specifications`, `Address:` and the like, not the entries of a menu. */
function introduces({ kind, text, words, linkChars }: DemotedBlock): boolean {
  return words < LABEL_WORDS && kind !== 'button' && linkChars < text.length * LINKED_SHARE;
}

/** An `h1`, or what the title of the page is or begins with. */
function isPageHeading({ kind, level, text }: DemotedBlock, titles: readonly string[]): boolean {
  if (kind === 'heading' && level === 1) return true;
  const line = text.trim().toLowerCase();
  return titles.some((title) => title.startsWith(line) && !/^[\p{L}\p{N}]/u.test(title.slice(line.length).trimStart()));
}
