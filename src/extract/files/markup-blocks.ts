import type { FileBlock, FileExtraction } from '../extraction.ts';
import { collectBlocks, type TextBlock } from '../html/blocks.ts';
import { type PageElement, parsePage, textOf, walkTree } from '../html/page-tree.ts';

const MAX_LINKS = 20_000;

/** Blocks and links of HTML that stands in a file or is made from one; all of its text, nothing is left out as boilerplate. */
export function markupBlocks(html: string): Pick<FileExtraction, 'links' | 'notes'> & { readonly blocks: FileBlock[] } {
  const tree = parsePage(html);
  const { blocks, notes } = collectBlocks(tree);
  return { blocks: mergedBlocks(blocks), links: linksOf(tree.root), notes: [...tree.notes, ...notes] };
}

/** Entries of one list and rows of one table become one block. */
function mergedBlocks(blocks: readonly TextBlock[]): FileBlock[] {
  const merged: { block: FileBlock; group: PageElement | undefined }[] = [];
  for (const { kind, level, text, group, visibility } of blocks) {
    const last = merged.at(-1);
    const own = kind === 'button' ? 'paragraph' : kind;
    if (last !== undefined && group !== undefined && last.group === group && last.block.kind === own)
      last.block = { ...last.block, text: `${last.block.text}\n${text}` };
    else merged.push({ block: { kind: own, level, text, grounding: visibility !== 'hidden' }, group });
  }
  return merged.map(({ block }) => block);
}

function linksOf(root: PageElement): FileExtraction['links'] {
  const links: { url: string; text: string }[] = [];
  walkTree(root, {
    isDone: () => links.length >= MAX_LINKS,
    enter: (element) => {
      const url = element.name === 'a' ? element.attributes['href'] : undefined;
      if (url !== undefined) links.push({ url, text: textOf(element) });
      return undefined;
    },
  });
  return links;
}
