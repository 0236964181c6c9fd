import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { PageRules } from '../extract-settings.ts';
import { countWide } from '../text-script.ts';
import type { TextBlock } from './blocks.ts';
import { isTemplate } from './boilerplate-detection.ts';

const MIN_WORDS = 3;
/** Characters of Chinese and Japanese, which have no blanks between words. */
const MIN_WIDE = 6;

type Beside = {
  readonly chosen: readonly TextBlock[];
  /** By block: how much of the site, or of its folder, repeats it. */
  readonly shares: Float64Array;
  readonly rules: Pick<PageRules, 'searchesHidden'>;
};

/**
 * Text that was neither chosen nor excluded and that no template of the site repeats: visible first, then hidden.
 * Found by search with low weight, never shown.
 */
export function secondaryTextOf(
  blocks: readonly TextBlock[],
  { chosen, shares, rules: { searchesHidden } }: Beside,
): string {
  const used = new Set(chosen);
  const rest = blocks.filter(
    (block, at) =>
      !used.has(block) &&
      block.rule !== 'exclude' &&
      (block.words >= MIN_WORDS || countWide(block.text) >= MIN_WIDE) &&
      !isTemplate(shares[at] ?? 0),
  );
  const ordered = [
    ...rest.filter(({ visibility }) => visibility !== 'hidden'),
    ...rest.filter(({ visibility }) => searchesHidden && visibility === 'hidden'),
  ];
  const lines = [...new Set(ordered.map(({ text }) => text.trim()))];
  return lines.join('\n').slice(0, EXTRACT_LIMITS.secondaryTextChars);
}
