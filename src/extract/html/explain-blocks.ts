import type { ExplainedBlock } from '../extraction.ts';
import type { TextBlock } from './blocks.ts';
import type { ChosenText } from './choose-blocks.ts';

const MAX_TEXT_CHARS = 120;

/** Every block of a page with what became of it, in document order. */
export function explainBlocks(blocks: readonly TextBlock[], chosen: ChosenText): readonly ExplainedBlock[] {
  const used = new Set(chosen.blocks);
  return blocks.map((block) => ({
    text: block.text.trim().slice(0, MAX_TEXT_CHARS),
    kind: block.kind,
    probability: undefined,
    rule: block.rule,
    chosen: used.has(block),
    why: used.has(block) ? whyChosen(block, chosen) : whyNot(block, chosen),
  }));
}

function whyChosen({ rule, kind }: TextBlock, { source }: ChosenText): string {
  if (rule === 'include') return 'a rule or mark includes it';
  return kind === 'heading' ? 'a heading of chosen text' : `main text (${source})`;
}

function whyNot({ rule, visibility, element, kind }: TextBlock, { isNavigation }: ChosenText): string {
  if (rule === 'exclude') return 'a rule excludes it';
  if (visibility === 'hidden') return 'a reader cannot see it';
  if (kind === 'heading') return 'a heading without chosen text';
  return isNavigation(element) ? 'around the main text (navigation, footer, notice)' : 'not main text';
}
