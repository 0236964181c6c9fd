import type { FileBlock, FileExtraction } from '../extraction.ts';
import { addressOfField } from './extract-file.ts';
import { asideBlocks } from './file-asides.ts';
import { withMergedLists } from './file-status.ts';
import { mainPartOf, partsOfType, relationIdOf, relationsOf } from './office-relations.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';
import {
  depthOf,
  levelOf,
  listIdOf,
  type Numbering,
  type ParagraphRole,
  readNumbering,
  readStyles,
} from './word-numbering.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import type { ZipArchive } from './zip.ts';

export type WordText = Pick<FileExtraction, 'blocks' | 'links'> & {
  /** Remarks and descriptions of pictures. */
  readonly asides: readonly FileBlock[];
};

/** Paragraphs after which nothing is read. */
const MAX_PARAGRAPHS = 200_000;

/** Text of a Word document by its parts: the document, then footnotes and endnotes, beside them remarks. */
export function readWordXml(archive: ZipArchive): WordText {
  const main = wordPart(archive);
  const relations = relationsOf(archive, main);
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const textOf = (type: string) => archive.textOf(partsOfType(relations, type)[0] ?? `${folder}${type}.xml`);
  const reader = createReader({
    roleOfStyle: readStyles(textOf('styles')),
    numbering: readNumbering(textOf('numbering')),
    targetOf: (id) => (relations.get(id)?.isExternal === true ? relations.get(id)?.target : undefined),
  });
  for (const xml of [archive.textOf(main), textOf('footnotes'), textOf('endnotes')]) reader.read(xml);
  return { ...reader.result(), asides: asideBlocks([...reader.descriptions, ...remarksOf(textOf('comments'))]) };
}

/** Name of the part that holds the text; `''` when there is none. */
export function wordPart(archive: ZipArchive): string {
  const named = mainPartOf(archive, 'word/document.xml');
  return named ?? [...archive.names].find((name) => /^word\/document\d*\.xml$/i.test(name)) ?? '';
}

/** Paragraphs of `word/comments.xml`. */
function remarksOf(xml: string): readonly string[] {
  const reader = createReader({ roleOfStyle: () => NO_ROLE, numbering: readNumbering(''), targetOf: () => undefined });
  reader.read(xml);
  return reader.result().blocks.map(({ text }) => text);
}

type Paragraph = { role: ParagraphRole; text: string; hidden: string };
type Link = { readonly url: string; text: string };
/** A field by its code, `HYPERLINK "https://…"`, and what it shows. */
type Field = { instruction: string; text: string; isShown: boolean };

/** What is no text of the document: deleted and moved text, older properties, what stands in for newer content. */
const SKIPPED: ReadonlySet<string> = new Set([
  'del',
  'moveFrom',
  'pPrChange',
  'rPrChange',
  'tblPrChange',
  'sectPrChange',
  'numberingChange',
]);
const TEXT: ReadonlySet<string> = new Set(['w:t', 'm:t', 'a:t']);
const NO_ROLE: ParagraphRole = { level: undefined, styleId: '', numberId: '', depth: undefined };

function createReader(source: Pick<ReaderState, 'roleOfStyle' | 'numbering' | 'targetOf'>) {
  const state: ReaderState = {
    ...source,
    blocks: [],
    links: [],
    paragraphs: [],
    tables: [],
    link: undefined,
    fields: [],
    skipped: 0,
    isText: false,
    isInstruction: false,
    isHidden: false,
    inProperties: 0,
    count: 0,
    descriptions: [],
  };
  return {
    descriptions: state.descriptions,
    read(xml: string) {
      scanXml(xml, {
        isDone: () => state.count >= MAX_PARAGRAPHS,
        open: (name, attributes) => openElement(state, name, attributes),
        close: (name) => closeElement(state, name),
        text: (text) => {
          if (state.skipped > 0) return;
          if (state.isText) addText(state, text);
          else if (state.isInstruction) addInstruction(state, text);
        },
      });
      state.paragraphs.length = 0;
      state.skipped = 0;
      for (let table = state.tables.pop(); table !== undefined; table = state.tables.pop())
        pushBlocks(state, tableBlocks(table));
    },
    result(): Omit<WordText, 'asides'> {
      return { blocks: withMergedLists(state.blocks), links: state.links };
    },
  };
}

type ReaderState = {
  readonly roleOfStyle: (styleId: string) => ParagraphRole;
  readonly numbering: Numbering;
  /** Of a link, by the id of its relation. */
  readonly targetOf: (id: string) => string | undefined;
  readonly blocks: FileBlock[];
  readonly links: Link[];
  /** Open ones; a text box stands in a paragraph and has its own. */
  readonly paragraphs: Paragraph[];
  /** Open ones: rows of cells of blocks. */
  readonly tables: WordCell[][][];
  link: Link | undefined;
  /** Open ones. */
  readonly fields: Field[];
  /** Depth within what is skipped. */
  skipped: number;
  isText: boolean;
  isInstruction: boolean;
  /** The open run is not shown. */
  isHidden: boolean;
  inProperties: number;
  count: number;
  /** Of pictures, for those who cannot see them. */
  readonly descriptions: string[];
};

type Step = (state: ReaderState, attributes: string) => void;

const OPENED: Readonly<Record<string, Step>> = {
  p: (state) => {
    state.count++;
    state.paragraphs.push({ role: NO_ROLE, text: '', hidden: '' });
  },
  pPr: (state) => {
    state.inProperties++;
  },
  pStyle: (state, attributes) => setRole(state, state.roleOfStyle(attributeOf(attributes, 'w:val') ?? '')),
  numId: (state, attributes) => setRole(state, { numberId: listIdOf(attributeOf(attributes, 'w:val') ?? '') }),
  ilvl: (state, attributes) => setRole(state, { depth: depthOf(attributeOf(attributes, 'w:val') ?? '') }),
  outlineLvl: (state, attributes) => setRole(state, { level: levelOf(attributeOf(attributes, 'w:val') ?? '') }),
  r: (state) => {
    state.isHidden = false;
  },
  vanish: (state, attributes) => {
    const value = attributeOf(attributes, 'w:val');
    if (state.inProperties === 0) state.isHidden = value !== '0' && value !== 'false';
  },
  tab: (state) => {
    if (state.inProperties === 0) addText(state, '\t');
  },
  br: (state) => addText(state, '\n'),
  cr: (state) => addText(state, '\n'),
  noBreakHyphen: (state) => addText(state, '-'),
  docPr: ({ descriptions }, attributes) => {
    descriptions.push(attributeOf(attributes, 'title') ?? '', attributeOf(attributes, 'descr') ?? '');
  },
  hyperlink: (state, attributes) => {
    const url = state.targetOf(relationIdOf(attributes) ?? '');
    state.link = url === undefined ? undefined : { url, text: '' };
  },
  fldSimple: ({ fields }, attributes) => {
    fields.push({ instruction: attributeOf(attributes, 'w:instr') ?? '', text: '', isShown: true });
  },
  fldChar: (state, attributes) => {
    const type = attributeOf(attributes, 'w:fldCharType');
    const field = state.fields.at(-1);
    if (type === 'begin' && state.fields.length < MAX_FIELDS)
      state.fields.push({ instruction: '', text: '', isShown: false });
    else if (type === 'separate' && field !== undefined) field.isShown = true;
    else if (type === 'end') closeField(state);
  },
  tbl: (state) => {
    state.tables.push([]);
  },
  tr: (state) => {
    state.tables.at(-1)?.push([]);
  },
  tc: (state) => {
    state.tables.at(-1)?.at(-1)?.push([]);
  },
};

const MAX_INDENT = 8;

const CLOSED: Readonly<Record<string, Step>> = {
  p: closeParagraph,
  pPr: (state) => {
    state.inProperties = Math.max(0, state.inProperties - 1);
  },
  fldSimple: closeField,
  hyperlink: (state) => {
    if (state.link !== undefined) state.links.push({ ...state.link, text: state.link.text.trim() });
    state.link = undefined;
  },
  tbl: (state) => {
    const table = state.tables.pop();
    if (table !== undefined) pushBlocks(state, tableBlocks(table));
  },
};

function openElement(state: ReaderState, name: string, attributes: string): void {
  const local = localName(name);
  if (isSkipped(name, local)) state.skipped++;
  if (state.skipped > 0) return;
  state.isText = TEXT.has(name);
  state.isInstruction = local === 'instrText';
  OPENED[local]?.(state, attributes);
}

function closeElement(state: ReaderState, name: string): void {
  const local = localName(name);
  state.isText = false;
  state.isInstruction = false;
  if (isSkipped(name, local)) state.skipped = Math.max(0, state.skipped - 1);
  else if (state.skipped === 0) CLOSED[local]?.(state, '');
}

function isSkipped(name: string, local: string): boolean {
  return name === 'mc:Fallback' || SKIPPED.has(local);
}

function setRole({ paragraphs, inProperties }: ReaderState, change: Partial<ParagraphRole>): void {
  const paragraph = paragraphs.at(-1);
  if (paragraph !== undefined && inProperties > 0) paragraph.role = { ...paragraph.role, ...change };
}

function addText(state: ReaderState, text: string): void {
  const paragraph = state.paragraphs.at(-1);
  if (paragraph === undefined) return;
  if (state.isHidden) paragraph.hidden += text;
  else paragraph.text += text;
  if (state.link !== undefined) state.link.text += text;
  const field = state.fields.at(-1);
  if (field?.isShown === true && field.text.length < MAX_FIELD_CHARS) field.text += text;
}

/** Within each other. */
const MAX_FIELDS = 100;
const MAX_FIELD_CHARS = 4_000;

function addInstruction({ fields }: ReaderState, text: string): void {
  const field = fields.at(-1);
  if (field?.isShown === false && field.instruction.length < MAX_FIELD_CHARS) field.instruction += text;
}

function closeField({ fields, links }: ReaderState): void {
  const field = fields.pop();
  const url = addressOfField(field?.instruction ?? '');
  if (field !== undefined && url !== undefined) links.push({ url, text: field.text.trim() });
}

function closeParagraph(state: ReaderState): void {
  const paragraph = state.paragraphs.pop();
  if (paragraph === undefined) return;
  const { role, hidden } = paragraph;
  const { numberId, styleId } = role;
  const depth = role.depth ?? state.numbering.depthOf(numberId, styleId) ?? 0;
  const isNumbered = numberId !== '' && paragraph.text.trim() !== '';
  const label = isNumbered ? state.numbering.next(numberId, depth) : '';
  const text = label === '' ? paragraph.text : `${label} ${paragraph.text}`;
  pushBlocks(state, [...blockOf({ ...role, depth }, text, true), ...blockOf({ ...role, depth }, hidden, false)]);
}

function blockOf({ level, numberId, depth = 0 }: ParagraphRole, raw: string, grounding: boolean): readonly FileBlock[] {
  const text = raw
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
  if (text === '') return [];
  if (level !== undefined) return [{ kind: 'heading', level, text: text.replaceAll('\n', ' '), grounding }];
  if (numberId === '') return [{ kind: 'paragraph', level: 0, text, grounding }];
  const indent = '  '.repeat(Math.min(MAX_INDENT, depth));
  return [{ kind: 'list', level: 0, text: indent + text.replaceAll('\n', ' '), grounding }];
}

function pushBlocks({ blocks, tables }: ReaderState, added: readonly FileBlock[]): void {
  const target = tables.at(-1)?.at(-1)?.at(-1) ?? blocks;
  for (const block of added) target.push(block);
}

/** Blocks of a cell, in order. */
type WordCell = FileBlock[];

/** Text of a cell of data is short. */
const MAX_CELL_CHARS = 1_000;

/** Rows for a table of data; the blocks of all cells for a table that only places them. */
function tableBlocks(rows: readonly (readonly WordCell[])[]): readonly FileBlock[] {
  const cells = rows.flat();
  if (isLayout(rows, cells)) return cells.flat();
  return [true, false].flatMap((grounding) =>
    tableBlocksOf(
      rows.map((row) => rowOf(row, grounding)),
      grounding,
    ),
  );
}

function isLayout(rows: readonly (readonly WordCell[])[], cells: readonly WordCell[]): boolean {
  const columns = rows.reduce((most, row) => Math.max(most, row.filter((cell) => cell.length > 0).length), 0);
  const isLong = (cell: WordCell) => cell.reduce((chars, { text }) => chars + text.length, 0) > MAX_CELL_CHARS;
  return columns < 2 || cells.some((cell) => isLong(cell) || cell.some(({ kind }) => kind === 'heading'));
}

function rowOf(row: readonly WordCell[], grounding: boolean): TableRow {
  const own = row.map((cell) => cell.filter((block) => block.grounding === grounding));
  return tableRow(own.map((cell) => cell.map(({ text }) => text).join(' ')));
}
