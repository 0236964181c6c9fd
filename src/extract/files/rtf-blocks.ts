import type { FileBlock } from '../extraction.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

/** How the open paragraph is set. */
export type RtfStyle = { level: number | undefined; isListed: boolean; inTable: boolean };

/** Collects paragraphs, lists and tables in their order, notes at the end. */
export type RtfBlocks = {
  readonly style: RtfStyle;
  readonly add: (text: string, isHidden: boolean) => void;
  /** `label` is the number of an entry of a list, or `''`. */
  readonly endParagraph: (label: string) => void;
  readonly endCell: () => void;
  readonly endRow: () => void;
  /** What is added until `closeNote` is a note of its own. */
  readonly openNote: () => void;
  readonly closeNote: () => void;
  readonly result: () => readonly FileBlock[];
};

/** Of a row. */
const MAX_CELLS = 1_000;

type Draft = { seen: string; hidden: string };

export function createRtfBlocks(): RtfBlocks {
  const blocks: FileBlock[] = [];
  const notes: FileBlock[] = [];
  const outer: Draft[] = [];
  let draft: Draft = { seen: '', hidden: '' };
  let cells: string[] = [];
  let rows: TableRow[] = [];
  const style: RtfStyle = { level: undefined, isListed: false, inTable: false };

  const endTable = () => {
    blocks.push(...tableBlocksOf(rows));
    rows = [];
  };
  const flush = () => {
    if (outer.length === 0) endTable();
    const target = outer.length > 0 ? notes : blocks;
    target.push(...blocksOf(draft.seen, style, true), ...blocksOf(draft.hidden, style, false));
    draft = { seen: '', hidden: '' };
  };
  const closeNote = () => {
    flush();
    draft = outer.pop() ?? draft;
  };
  return {
    style,
    add(text, isHidden) {
      if (isHidden) draft.hidden += text;
      else draft.seen += text;
    },
    endParagraph(label) {
      if (label !== '' && draft.seen.trim() !== '') draft.seen = `${label} ${draft.seen.trimStart()}`;
      if (style.inTable && outer.length === 0) draft.seen += ' ';
      else flush();
    },
    endCell() {
      if (cells.length < MAX_CELLS) cells.push(draft.seen);
      draft.seen = '';
    },
    endRow() {
      rows.push(tableRow(cells));
      cells = [];
    },
    openNote() {
      outer.push(draft);
      draft = { seen: '', hidden: '' };
    },
    closeNote,
    result() {
      while (outer.length > 0) closeNote();
      if (cells.length > 0) rows.push(tableRow(cells));
      flush();
      return [...blocks, ...notes];
    },
  };
}

function blocksOf(raw: string, { level, isListed }: RtfStyle, grounding: boolean): readonly FileBlock[] {
  const lines = raw.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines.filter((line) => line !== '').join('\n');
  if (text === '') return [];
  if (level !== undefined) return [{ kind: 'heading', level, text: text.replaceAll('\n', ' '), grounding }];
  return [{ kind: isListed ? 'list' : 'paragraph', level: 0, text, grounding }];
}
