import type { FileBlock } from '../extraction.ts';
import { asideBlocks } from './file-asides.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

/** How the open paragraph is set. */
export type RtfStyle = { level: number | undefined; isListed: boolean; inTable: boolean };

/** Collects paragraphs, lists and tables in their order, notes and then remarks at the end. */
export type RtfBlocks = {
  readonly style: RtfStyle;
  readonly add: (text: string, isHidden: boolean) => void;
  /** `label` is the number of an entry of a list, or `''`. */
  readonly endParagraph: (label: string) => void;
  readonly endCell: () => void;
  readonly endRow: () => void;
  /** What is added until `closeNote` is a note of its own. */
  readonly openNote: () => void;
  /** The same for a remark. */
  readonly openRemark: () => void;
  readonly closeNote: () => void;
  readonly result: () => readonly FileBlock[];
};

/** Of a row. */
const MAX_CELLS = 1_000;

type Draft = { seen: string; hidden: string; readonly isRemark: boolean };

export function createRtfBlocks(): RtfBlocks {
  const blocks: FileBlock[] = [];
  const notes: FileBlock[] = [];
  const remarks: string[] = [];
  const outer: Draft[] = [];
  let draft: Draft = { seen: '', hidden: '', isRemark: false };
  let cells: string[] = [];
  let rows: TableRow[] = [];
  const style: RtfStyle = { level: undefined, isListed: false, inTable: false };

  const endTable = () => {
    blocks.push(...tableBlocksOf(rows));
    rows = [];
  };
  const flush = () => {
    if (outer.length === 0) endTable();
    const { seen, hidden, isRemark } = draft;
    const target = outer.length > 0 ? notes : blocks;
    if (isRemark) remarks.push(seen, hidden);
    else target.push(...blocksOf(seen, style, true), ...blocksOf(hidden, style, false));
    draft = { seen: '', hidden: '', isRemark };
  };
  const open = (isRemark: boolean) => {
    outer.push(draft);
    draft = { seen: '', hidden: '', isRemark };
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
    openNote: () => open(false),
    openRemark: () => open(true),
    closeNote,
    result() {
      while (outer.length > 0) closeNote();
      if (cells.length > 0) rows.push(tableRow(cells));
      flush();
      return [...blocks, ...notes, ...asideBlocks(remarks)];
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
