import type { ExtractionStatus, FileBlock, FileExtraction } from '../extraction.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';

/** A file without text: why. */
export function unreadFile(status: ExtractionStatus, reason: string): FileExtraction {
  return { status, reason, properties: {}, blocks: [], pageCount: undefined, links: [], notes: [], cuts: [] };
}

/** A file that was read to its end: `ok`, or `empty` for `reason` when it has no blocks. */
export function fileOf(read: Partial<FileExtraction>, reason: string): FileExtraction {
  const isEmpty = (read.blocks ?? []).length === 0;
  return { ...unreadFile(isEmpty ? 'empty' : 'ok', isEmpty ? reason : ''), ...read };
}

/** One paragraph per text that is not blank. */
export function paragraphsOf(texts: readonly string[], page?: number): readonly FileBlock[] {
  const position = page === undefined ? {} : { page };
  return texts
    .map((text) => ({ kind: 'paragraph' as const, level: 0, text: text.trim(), grounding: true, ...position }))
    .filter(({ text }) => text !== '');
}

/** Entries of a list that follow each other on a page become one block, one per line. */
export function withMergedLists(blocks: readonly FileBlock[]): readonly FileBlock[] {
  const merged: FileBlock[] = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    const isSame =
      last?.kind === 'list' && block.kind === 'list' && last.page === block.page && last.grounding === block.grounding;
    if (isSame) merged[merged.length - 1] = { ...last, text: `${last.text}\n${block.text}` };
    else merged.push(block);
  }
  return merged;
}

/** Text that leaves a parser (reliability: file parsers). */
const MAX_TEXT_CHARS = 5 * 1024 * 1024;
export const MAX_BLOCKS = 100_000;
export const MAX_LINKS = 20_000;

/** Cuts a file at the text limit; what was cut is over the limit, and its text is kept. */
export function withinTextLimit(file: FileExtraction): FileExtraction {
  const links = file.links.slice(0, MAX_LINKS);
  let left = MAX_TEXT_CHARS;
  const blocks: FileBlock[] = [];
  for (const block of file.blocks) {
    if (left <= 0 || blocks.length === MAX_BLOCKS) break;
    blocks.push(block.text.length <= left ? block : { ...block, text: block.text.slice(0, left) });
    left -= block.text.length;
  }
  if (left >= 0 && blocks.length === file.blocks.length) return { ...file, links };
  return { ...file, status: 'over-limit', reason: 'The text is longer than 5 MiB', blocks, links };
}

const MAX_TEXTS = 2_000;

/** Texts of a diagram (`diagramData`) as one list. */
export function diagramBlocks(xml: string): readonly FileBlock[] {
  return listOf(paragraphsIn(xml));
}

/** Titles of a chart and its axes; its labels and values are data, as those of a picture are. */
export function chartBlocks(xml: string): readonly FileBlock[] {
  return paragraphsOf(paragraphsIn(xml));
}

/**
 * Text of the paragraphs of DrawingML (`a:p`), those without text and those of controls left out: shapes that run
 * a macro (ECMA-376 part 1, 20.5.2.29), and stand-ins for form controls.
 */
export function paragraphsIn(xml: string): readonly string[] {
  const texts: string[] = [];
  let paragraph = '';
  let isText = false;
  let skipped = 0;
  let isControl = false;
  scanXml(xml, {
    isDone: () => texts.length >= MAX_TEXTS,
    open: (name, attributes) => {
      const local = localName(name);
      if (skipped > 0 || local === 'Fallback') skipped++;
      if (local === 'sp') isControl = (attributeOf(attributes, 'macro') ?? '') !== '';
      else if (local === 'compatExt') isControl = true;
      if (name === 'a:p') paragraph = '';
      isText = name === 'a:t' && skipped === 0 && !isControl;
      if (name === 'a:br') paragraph += ' ';
    },
    text: (text) => {
      if (isText) paragraph += text;
    },
    close: (name) => {
      isText = false;
      skipped = Math.max(0, skipped - 1);
      if (name !== 'a:p') return;
      const text = paragraph.replace(/\s+/g, ' ').trim();
      if (text !== '') texts.push(text);
      paragraph = '';
    },
  });
  return texts;
}

function listOf(texts: readonly string[]): readonly FileBlock[] {
  return texts.length === 0 ? [] : [{ kind: 'list', level: 0, text: texts.join('\n'), grounding: true }];
}
