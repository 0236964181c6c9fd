import type { ExplainedBlock } from '../extraction.ts';
import type { TextBlock } from './blocks.ts';
import type { TemplateShare } from './template-blocks.ts';

const MAX_TEXT_CHARS = 120;

type Explained = {
  /** By block, after the vote of the site's other pages. */
  readonly scores: Float64Array;
  readonly chosen: readonly TextBlock[];
  readonly hashes: readonly string[];
  readonly shareOf: TemplateShare;
};

/** Every block of a page with its probability and what became of it, in document order. */
export function explainBlocks(
  blocks: readonly TextBlock[],
  { scores, chosen, hashes, shareOf }: Explained,
): readonly ExplainedBlock[] {
  const used = new Set(chosen);
  return blocks.map((block, at) => ({
    text: block.text.trim().slice(0, MAX_TEXT_CHARS),
    kind: block.kind,
    probability: scores[at],
    share: shareOf(hashes[at] ?? ''),
    rule: block.rule,
    chosen: used.has(block),
    why: used.has(block) ? whyChosen(block) : whyNot(block),
  }));
}

function whyChosen({ rule, kind }: TextBlock): string {
  if (rule === 'include') return 'a rule or mark includes it';
  return kind === 'heading' ? 'a heading of chosen text' : 'main text';
}

function whyNot({ rule, visibility, kind }: TextBlock): string {
  if (rule === 'exclude') return 'a rule excludes it';
  if (visibility === 'hidden') return 'a reader cannot see it, and it is hardly main text';
  return kind === 'heading' ? 'a heading without chosen text' : 'not main text';
}
