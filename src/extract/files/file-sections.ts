import type { Section, SectionBlock, SectionHeading } from '../../core/document.ts';
import type { FileBlock } from '../extraction.ts';
import { sectionIds } from '../html/sections.ts';

/** A line per block and per line within it, a blank line between pages; the same line never twice in a row. */
export function contentOf(blocks: readonly FileBlock[]): string {
  const lines: string[] = [];
  let page: number | undefined;
  for (const block of blocks) {
    if (page !== undefined && block.page !== page) lines.push('');
    page = block.page;
    if (lines.at(-1) !== block.text) lines.push(block.text);
  }
  return lines.join('\n');
}

type SectionSource = {
  /** Stands above text that has no heading. */
  readonly title: string;
  readonly blocks: readonly FileBlock[];
  /** False when the site forbids to quote the file. */
  readonly isQuotable: boolean;
};

/** Sections by heading path, page and whether a reader sees them; a heading without text below it has none. */
export function sectionsOf(documentId: string, { title, blocks, isQuotable }: SectionSource): readonly Section[] {
  const root: readonly SectionHeading[] = title === '' ? [] : [{ level: 1, text: title }];
  const drafts: { path: readonly SectionHeading[]; page?: number; grounding: boolean; blocks: SectionBlock[] }[] = [];
  let path: readonly SectionHeading[] = [];
  for (const { kind, level, text, page, grounding: isSeen } of blocks) {
    if (kind === 'heading') {
      path = [...path.filter((above) => above.level < level), { level, text }];
      continue;
    }
    const grounding = isSeen && isQuotable;
    const last = drafts.at(-1);
    if (last !== undefined && last.path === path && last.page === page && last.grounding === grounding)
      last.blocks.push({ kind, text });
    else drafts.push({ path, grounding, blocks: [{ kind, text }], ...(page === undefined ? {} : { page }) });
  }
  const idOf = sectionIds(documentId);
  return drafts.map(({ path: own, ...draft }) => {
    const headings = own.length > 0 ? own : root;
    return { id: idOf(headings), headings, ...draft };
  });
}
