import type { FileBlock, FileExtraction } from '../extraction.ts';
import { asideBlocks } from './file-asides.ts';
import { withMergedLists } from './file-status.ts';
import { cellText, type TableRow, tableBlocksOf } from './table-text.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';

export type OpenDocumentText = Pick<FileExtraction, 'blocks' | 'links'> & {
  readonly slides: number;
  /** Names of sheets among the blocks. */
  readonly sheets: number;
  /** Cells or paragraphs were left out at a limit. */
  readonly isCut: boolean;
};

type Paragraph = { text: string; readonly level: number | undefined };
type Table = {
  readonly rows: TableRow[];
  row: Map<number, string>;
  column: number;
  /** Blocks of the open cell; undefined between cells. */
  cell: FileBlock[] | undefined;
  repeatedColumns: number;
  readonly isHidden: boolean;
};
type Frame = { readonly role: string };

type TextState = {
  readonly blocks: FileBlock[];
  readonly notes: FileBlock[];
  /** Remarks, and what describes pictures. */
  readonly asides: string[];
  readonly links: { url: string; text: string }[];
  /** Open ones: a text box or note stands within a paragraph and has its own. */
  readonly paragraphs: Paragraph[];
  readonly tables: Table[];
  readonly frames: Frame[];
  readonly hiddenStyles: Set<string>;
  style: string;
  link: { url: string; text: string } | undefined;
  lists: number;
  noteBodies: number;
  remarks: number;
  speakerNotes: number;
  isSpreadsheet: boolean;
  slides: number;
  sheets: number;
  /** Of the sheet among all. */
  place: number;
  skipped: number;
  cellsLeft: number;
  paragraphsLeft: number;
  charsLeft: number;
};

const MAX_CELLS = 50_000;
const MAX_COLUMNS = 16_384;
const MAX_PARAGRAPHS = 200_000;
/** More than a file may give. */
const MAX_CHARS = 6 * 1024 * 1024;
const MAX_DEPTH = 8;
const MAX_SPACES = 100;
const MAX_LEVEL = 9;
const SLIDE_TITLE_LEVEL = 2;
const NOTES_LEVEL = 3;

/** What is no text of the document: text that was deleted, marks of notes, styles, scripts, older forms of an object. */
const SKIPPED: ReadonlySet<string> = new Set(
  (
    'tracked-changes note-citation ruby-text scripts event-listeners forms master-styles ' +
    'bibliography-source table-of-content-source illustration-index-source date-time-decl header-decl footer-decl ' +
    'alphabetical-index-source'
  ).split(' '),
);

/**
 * Text of `content.xml` in its order (ODF 1.3 part 3); notes at the end, those of a speaker below their slide, then
 * remarks and what describes pictures.
 */
export function readOpenDocumentXml(xml: string): OpenDocumentText {
  const state: TextState = {
    blocks: [],
    notes: [],
    asides: [],
    links: [],
    paragraphs: [],
    tables: [],
    frames: [],
    hiddenStyles: new Set(),
    style: '',
    link: undefined,
    lists: 0,
    noteBodies: 0,
    remarks: 0,
    speakerNotes: 0,
    isSpreadsheet: false,
    slides: 0,
    sheets: 0,
    place: 0,
    skipped: 0,
    cellsLeft: MAX_CELLS,
    paragraphsLeft: MAX_PARAGRAPHS,
    charsLeft: MAX_CHARS,
  };
  const isCut = () => state.cellsLeft <= 0 || state.paragraphsLeft <= 0 || state.charsLeft <= 0;
  scanXml(xml, {
    isDone: isCut,
    open: (name, attributes) => {
      const local = localName(name);
      if (state.skipped > 0 || SKIPPED.has(local)) state.skipped++;
      else if (ASIDES.has(name)) openAside(state, name);
      else OPENED[local]?.(state, attributes);
    },
    close: (name) => {
      if (state.skipped > 0) state.skipped--;
      else if (ASIDES.has(name)) closeAside(state, name);
      else CLOSED[localName(name)]?.(state, '');
    },
    text: (text) => {
      if (state.skipped === 0) addText(state, text.replace(/\s+/g, ' '));
    },
  });
  for (let table = state.tables.at(-1); table !== undefined; table = state.tables.at(-1)) closeTable(state);
  const { blocks, notes, asides, links, slides, sheets } = state;
  return {
    blocks: withMergedLists([...blocks, ...notes, ...asideBlocks(asides)]),
    links,
    slides,
    sheets,
    isCut: isCut(),
  };
}

const REMARK = 'office:annotation';
/** With their prefix: `text:title` shows the title of the document. */
const ASIDES: ReadonlySet<string> = new Set([REMARK, 'svg:title', 'svg:desc']);

type Step = (state: TextState, attributes: string) => void;

const OPENED: Readonly<Record<string, Step>> = {
  spreadsheet: (state) => {
    state.isSpreadsheet = true;
  },
  style: (state, attributes) => {
    state.style = attributeOf(attributes, 'style:name') ?? '';
  },
  'table-properties': (state, attributes) => {
    if (attributeOf(attributes, 'table:display') === 'false') state.hiddenStyles.add(state.style);
  },
  page: (state) => {
    state.slides++;
  },
  notes: (state) => {
    state.speakerNotes++;
  },
  frame: openFrame,
  'custom-shape': openFrame,
  h: (state, attributes) => {
    const level = Number(attributeOf(attributes, 'text:outline-level') ?? 1) || 1;
    openParagraph(state, Math.min(MAX_LEVEL, Math.max(1, level)));
  },
  p: (state) => openParagraph(state, undefined),
  list: (state) => {
    state.lists++;
  },
  'note-body': (state) => {
    state.noteBodies++;
  },
  s: (state, attributes) => {
    addText(state, ' '.repeat(Math.min(MAX_SPACES, Number(attributeOf(attributes, 'text:c') ?? 1) || 1)));
  },
  tab: (state) => addText(state, '\t'),
  'line-break': (state) => addText(state, '\n'),
  a: (state, attributes) => {
    const url = attributeOf(attributes, 'xlink:href');
    state.link = url === undefined ? undefined : { url, text: '' };
  },
  table: openTable,
  'table-row': ({ tables }) => {
    const table = tables.at(-1);
    if (table === undefined) return;
    table.row = new Map();
    table.column = 0;
  },
  'table-cell': openCell,
  'covered-table-cell': openCell,
};

const CLOSED: Readonly<Record<string, Step>> = {
  notes: (state) => {
    state.speakerNotes = Math.max(0, state.speakerNotes - 1);
  },
  frame: ({ frames }) => void frames.pop(),
  'custom-shape': ({ frames }) => void frames.pop(),
  h: closeParagraph,
  p: closeParagraph,
  list: (state) => {
    state.lists = Math.max(0, state.lists - 1);
  },
  'note-body': (state) => {
    state.noteBodies = Math.max(0, state.noteBodies - 1);
  },
  a: (state) => {
    if (state.link !== undefined) state.links.push(state.link);
    state.link = undefined;
  },
  'table-cell': closeCell,
  'covered-table-cell': closeCell,
  'table-row': ({ tables }) => {
    const table = tables.at(-1);
    if (table !== undefined && table.row.size > 0) table.rows.push(table.row);
  },
  table: closeTable,
};

/** Text that stands in no paragraph of it describes a picture, or says who wrote a remark and when. */
function openAside(state: TextState, name: string): void {
  state.paragraphs.push({ text: '', level: undefined });
  if (name === REMARK) state.remarks++;
}

function closeAside(state: TextState, name: string): void {
  const text = state.paragraphs.pop()?.text ?? '';
  if (name === REMARK) state.remarks = Math.max(0, state.remarks - 1);
  else state.asides.push(text);
}

function openFrame({ frames }: TextState, attributes: string): void {
  frames.push({ role: attributeOf(attributes, 'presentation:class') ?? '' });
}

function openParagraph(state: TextState, level: number | undefined): void {
  state.paragraphsLeft--;
  state.paragraphs.push({ text: '', level });
}

function addText(state: TextState, text: string): void {
  const { paragraphs, link, remarks } = state;
  const paragraph = paragraphs.at(-1);
  if (paragraph === undefined) return;
  state.charsLeft -= text.length;
  paragraph.text += text;
  if (link !== undefined && remarks === 0) link.text += text;
}

function closeParagraph(state: TextState): void {
  const paragraph = state.paragraphs.pop();
  if (paragraph === undefined) return;
  const lines = paragraph.text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines.filter((line) => line !== '').join('\n');
  if (text !== '') pushBlock(state, blockOf(state, text, paragraph.level));
}

function blockOf({ lists, frames }: TextState, text: string, level: number | undefined): FileBlock {
  const role = frames.at(-1)?.role ?? '';
  const ownLevel = level ?? (role === 'title' ? SLIDE_TITLE_LEVEL : undefined);
  if (ownLevel !== undefined)
    return { kind: 'heading', level: ownLevel, text: text.replaceAll('\n', ' '), grounding: true };
  if (lists === 0) return { kind: 'paragraph', level: 0, text, grounding: true };
  const indent = '  '.repeat(Math.min(MAX_DEPTH, lists - 1));
  return { kind: 'list', level: 0, text: indent + text.replaceAll('\n', ' '), grounding: true };
}

function pushBlock(state: TextState, block: FileBlock): void {
  const { tables, slides } = state;
  if (state.remarks > 0) {
    state.asides.push(block.text);
    return;
  }
  const cell = tables.at(-1)?.cell;
  if (cell !== undefined) {
    cell.push(block);
    return;
  }
  const position = slides === 0 ? {} : { page: slides };
  if (state.speakerNotes > 0) pushSpeakerNote(state, { ...block, ...position });
  else (state.noteBodies > 0 ? state.notes : state.blocks).push({ ...block, ...position });
}

/** What the speaker says is a section of its own below the slide. */
function pushSpeakerNote({ blocks }: TextState, block: FileBlock): void {
  const last = blocks.findLast(({ kind }) => kind === 'heading');
  const isOpen = last?.level === NOTES_LEVEL && last.text === 'Notes' && last.page === block.page;
  if (!isOpen) blocks.push({ ...block, kind: 'heading', level: NOTES_LEVEL, text: 'Notes' });
  blocks.push({ ...block, kind: 'paragraph', level: 0, text: block.text.trim() });
}

function openTable(state: TextState, attributes: string): void {
  const { tables, hiddenStyles, blocks, paragraphs } = state;
  const isHidden = hiddenStyles.has(attributeOf(attributes, 'table:style-name') ?? '');
  const name = attributeOf(attributes, 'table:name') ?? '';
  const isSheet = tables.length === 0 && paragraphs.length === 0 && state.isSpreadsheet;
  if (isSheet) {
    state.place++;
    if (!isMadeUp(name, state.place)) {
      blocks.push({ kind: 'heading', level: 1, text: name.trim(), grounding: !isHidden });
      state.sheets++;
    }
  }
  tables.push({ rows: [], row: new Map(), column: 0, cell: undefined, repeatedColumns: 1, isHidden });
}

/** `Sheet1`, `Tabelle2`: names that programs give say nothing. */
function isMadeUp(name: string, position: number): boolean {
  return name.trim() === '' || /^\p{L}+ ?(\d+)$/u.exec(name.trim())?.[1] === String(position);
}

function openCell({ tables }: TextState, attributes: string): void {
  const table = tables.at(-1);
  if (table === undefined) return;
  table.cell = [];
  table.repeatedColumns = Math.max(1, Number(attributeOf(attributes, 'table:number-columns-repeated') ?? 1) || 1);
}

/** A cell that is repeated is read once: places of cells that follow are kept. */
function closeCell(state: TextState): void {
  const table = state.tables.at(-1);
  if (table?.cell === undefined) return;
  const text = cellText(table.cell.map((block) => block.text).join(' '));
  table.cell = undefined;
  if (text !== '' && table.column < MAX_COLUMNS) {
    state.cellsLeft--;
    table.row.set(table.column, text);
  }
  table.column += table.repeatedColumns;
}

function closeTable(state: TextState): void {
  const table = state.tables.pop();
  if (table === undefined) return;
  for (const block of tableBlocksOf(table.rows, !table.isHidden)) pushBlock(state, block);
}
