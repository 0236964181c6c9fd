import type { TextBlock } from './blocks.ts';
import type { TemplateShare } from './template-blocks.ts';

/** A block as the vote sees it. */
export type VotedBlock = Pick<TextBlock, 'kind' | 'level' | 'text' | 'words' | 'linkChars'>;

type Site = {
  /** By block. */
  readonly hashes: readonly string[];
  readonly shareOf: TemplateShare;
  /** What the page says that it is called. */
  readonly titles: readonly string[];
};

/** Shares from which a block counts as repeated, and at which it is a template for certain; what then is left of p. */
const FIRST_SHARE = 0.3;
const FULL_SHARE = 0.7;
const FULL_VOTE = 0.9;
/** Shorter blocks may be labels, which repeat on purpose. */
const LABEL_WORDS = 4;
/** Texts of more words say something beside their numbers. */
const MAX_VALUE_WORDS = 12;
const LINKED_SHARE = 0.5;

/**
 * Probabilities of main text after the vote of the site's other pages: what stands on many of them becomes less
 * likely. The page's heading keeps what it has; a label has the share of the block that it introduces.
 */
export function voteTemplates(
  blocks: readonly VotedBlock[],
  probabilities: ArrayLike<number>,
  { hashes, shareOf, titles }: Site,
): Float64Array {
  const voted = Float64Array.from(probabilities);
  const named = titles.map((title) => title.trim().toLowerCase());
  let below = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined) continue;
    const isLabel = at < blocks.length - 1 && introduces(block);
    below = isLabel ? below : shareOf(hashes[at] ?? '');
    // Few blocks repeat, and only of these it matters what they are.
    if (below <= FIRST_SHARE || isValue(block) || isPageHeading(block, named)) continue;
    voted[at] = (voted[at] ?? 0) * keptBy(below);
  }
  return voted;
}

/** The block stands on so many other pages that it says nothing about this one. */
export function isTemplate(share: number): boolean {
  return share >= (FIRST_SHARE + FULL_SHARE) / 2;
}

function keptBy(share: number): number {
  const certainty = Math.min(1, Math.max(0, (share - FIRST_SHARE) / (FULL_SHARE - FIRST_SHARE)));
  return 1 - FULL_VOTE * certainty;
}

/** Prices, dates, counts: their numbers are their text, which the hash does not tell apart. */
function isValue({ text, words }: VotedBlock): boolean {
  if (words > MAX_VALUE_WORDS || !/\d/.test(text)) return false;
  return (text.match(/\p{L}{2,}/gu)?.length ?? 0) < LABEL_WORDS;
}

/** `Specifications`, `Address:` and the like, not the entries of a menu. */
function introduces({ kind, text, words, linkChars }: VotedBlock): boolean {
  return words < LABEL_WORDS && kind !== 'button' && linkChars < text.length * LINKED_SHARE;
}

/** An `h1`, or what the title of the page is or begins with. */
function isPageHeading({ kind, level, text }: VotedBlock, titles: readonly string[]): boolean {
  if (kind === 'heading' && level === 1) return true;
  const line = text.trim().toLowerCase();
  return titles.some((title) => title.startsWith(line) && !/^[\p{L}\p{N}]/u.test(title.slice(line.length).trimStart()));
}
