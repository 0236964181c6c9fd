import type { ExplainedBlock } from '../extraction.ts';
import type { TextBlock } from './blocks.ts';

const MAX_TEXT_CHARS = 120;
const PROBABILITY_DIGITS = 4;
const LIKELY = 0.5;

export type ScoredChoice = {
  readonly blocks: readonly TextBlock[];
  /** Of each block, before rules. */
  readonly selection: Float64Array;
  readonly chosen: readonly TextBlock[];
  /** Of each block: what of the site's other pages, or of its folder's, repeats it. */
  readonly shares: Float64Array;
};

/** Every block of a page with what became of it, in document order. */
export function explainBlocks(choice: ScoredChoice): readonly ExplainedBlock[] {
  const { blocks, selection, chosen, shares } = choice;
  const used = new Set(chosen);
  return blocks.map((block, at) => {
    const score = selection[at] ?? 0;
    return {
      text: block.text.trim().slice(0, MAX_TEXT_CHARS),
      kind: block.kind,
      probability: Number(score.toFixed(PROBABILITY_DIGITS)),
      share: shares[at] ?? 0,
      rule: block.rule,
      chosen: used.has(block),
      why: used.has(block) ? whyChosen(block) : whyNot(block, score),
    };
  });
}

function whyChosen({ rule, kind }: TextBlock): string {
  if (rule === 'include') return 'a rule or mark includes it';
  return kind === 'heading' ? 'a heading of chosen text' : 'main text';
}

function whyNot({ rule, visibility, kind }: TextBlock, score: number): string {
  if (rule === 'exclude') return 'a rule excludes it';
  if (kind === 'heading') return 'a heading without chosen text';
  if (score >= LIKELY) return 'a copy of chosen text, or less likely than the rest of the page';
  return visibility === 'hidden' ? 'a reader cannot see it' : 'not main text';
}
