import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { type OfficeRelation, relationIdOf } from '../office-relations.ts';
import { type TableRow, tableBlocksOf, tableRow } from '../table-text.ts';
import { attributeOf, localName, scanXml } from '../xml-scan.ts';

export type SlideText = Pick<FileExtraction, 'links'> & {
  readonly blocks: readonly FileBlock[];
  /** False for a slide that a show leaves out. */
  readonly isShown: boolean;
};

export type SlideShape = {
  /** `''` for a shape that fills no place of its layout. */
  place: string;
  isHidden: boolean;
};
/** Lines of the text part at line feeds; `isListed` is undefined where its place says whether it is a point. */
export type SlideParagraph = { text: string; depth: number; isListed: boolean | undefined };

type SlideState = {
  readonly relations: ReadonlyMap<string, OfficeRelation>;
  readonly blocks: FileBlock[];
  readonly links: { url: string; text: string }[];
  isShown: boolean;
  shape: SlideShape;
  paragraph: SlideParagraph | undefined;
  rows: TableRow[] | undefined;
  cells: string[];
  cell: string[];
  link: { url: string; text: string } | undefined;
  /** Depth within what stands in for newer content, or is a number or date of the slide. */
  skipped: number;
  isText: boolean;
};

/** Slides after which nothing is read. */
export const MAX_SLIDES = 2_000;
export const TOO_MANY_SLIDES = { status: 'over-limit', reason: 'The file has too many slides' } as const;

/** Places that every slide repeats. */
const REPEATED = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const TITLE_LEVELS: ReadonlyMap<string, number> = new Map([
  ['ctrTitle', 1],
  ['title', 2],
]);
/** Places whose paragraphs are points unless they say otherwise. */
const LISTED = new Set(['body', 'obj']);
const MAX_DEPTH = 8;

/** Text of a slide or of its notes (ECMA-376 part 1, 19.3 and 21.1). */
export function readSlideXml(xml: string, relations: ReadonlyMap<string, OfficeRelation>): SlideText {
  const state: SlideState = {
    relations,
    blocks: [],
    links: [],
    isShown: true,
    shape: { place: '', isHidden: false },
    paragraph: undefined,
    rows: undefined,
    cells: [],
    cell: [],
    link: undefined,
    skipped: 0,
    isText: false,
  };
  scanXml(xml, {
    open: (name, attributes) => {
      const local = localName(name);
      if (state.skipped > 0 || isSkipped(local, attributes)) state.skipped++;
      else OPENED[local]?.(state, attributes);
    },
    close: (name) => {
      if (state.skipped > 0) state.skipped--;
      else CLOSED[localName(name)]?.(state, '');
    },
    text: (text) => {
      if (!state.isText || state.skipped > 0 || state.paragraph === undefined) return;
      state.paragraph.text += text;
      if (state.link !== undefined) state.link.text += text;
    },
  });
  const { blocks, links, isShown } = state;
  return { blocks, links, isShown };
}

function isSkipped(local: string, attributes: string): boolean {
  if (local === 'Fallback') return true;
  return local === 'fld' && /^(?:slidenum|datetime)/i.test(attributeOf(attributes, 'type') ?? '');
}

type Step = (state: SlideState, attributes: string) => void;

const OPENED: Readonly<Record<string, Step>> = {
  sld: (state, attributes) => {
    state.isShown = isOn(attributeOf(attributes, 'show') ?? '1');
  },
  sp: startShape,
  cxnSp: startShape,
  graphicFrame: startShape,
  cNvPr: ({ shape }, attributes) => {
    shape.isHidden = isOn(attributeOf(attributes, 'hidden') ?? '0');
  },
  ph: ({ shape }, attributes) => {
    shape.place = attributeOf(attributes, 'type') ?? 'obj';
  },
  tbl: (state) => {
    state.rows = [];
  },
  tr: (state) => {
    state.cells = [];
  },
  tc: (state) => {
    state.cell = [];
  },
  p: (state) => {
    state.paragraph = { text: '', depth: 0, isListed: undefined };
  },
  pPr: ({ paragraph }, attributes) => {
    if (paragraph !== undefined)
      paragraph.depth = Math.min(MAX_DEPTH, Number(attributeOf(attributes, 'lvl') ?? 0) || 0);
  },
  buChar: (state) => setListed(state, true),
  buAutoNum: (state) => setListed(state, true),
  buNone: (state) => setListed(state, false),
  br: ({ paragraph }) => {
    if (paragraph !== undefined) paragraph.text += '\n';
  },
  t: (state) => {
    state.isText = true;
  },
  hlinkClick: (state, attributes) => {
    const relation = state.relations.get(relationIdOf(attributes) ?? '');
    if (relation?.isExternal === true) state.link = { url: relation.target, text: '' };
  },
};

const CLOSED: Readonly<Record<string, Step>> = {
  t: (state) => {
    state.isText = false;
  },
  r: (state) => {
    if (state.link !== undefined) state.links.push(state.link);
    state.link = undefined;
  },
  p: closeParagraph,
  tc: (state) => {
    state.cells.push(state.cell.join(' '));
    state.cell = [];
  },
  tr: (state) => {
    state.rows?.push(tableRow(state.cells));
  },
  tbl: (state) => {
    state.blocks.push(...tableBlocksOf(state.rows ?? [], !state.shape.isHidden));
    state.rows = undefined;
  },
};

function startShape(state: SlideState): void {
  state.shape = { place: '', isHidden: false };
}

function setListed({ paragraph }: SlideState, isListed: boolean): void {
  if (paragraph !== undefined) paragraph.isListed = isListed;
}

function closeParagraph(state: SlideState): void {
  const { paragraph, shape, rows } = state;
  state.paragraph = undefined;
  state.isText = false;
  if (paragraph === undefined || REPEATED.has(shape.place)) return;
  const text = tidyLines(paragraph.text);
  if (text === '') return;
  if (rows === undefined) state.blocks.push(slideBlock({ ...paragraph, text }, shape));
  else state.cell.push(text);
}

/** Lines of a paragraph without the blanks around them. */
export function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '').join('\n');
}

/** A paragraph by its place: titles are headings, points of the body a list. */
export function slideBlock(
  { text, depth, isListed }: SlideParagraph,
  { place: position, isHidden }: SlideShape,
): FileBlock {
  const grounding = !isHidden;
  const level = TITLE_LEVELS.get(position);
  if (level !== undefined) return { kind: 'heading', level, text: text.replaceAll('\n', ' '), grounding };
  if (!(isListed ?? LISTED.has(position))) return { kind: 'paragraph', level: 0, text, grounding };
  return { kind: 'list', level: 0, text: '  '.repeat(depth) + text.replaceAll('\n', ' '), grounding };
}

const NOTES_LEVEL = 3;

/** What the speaker says is a section of its own below the slide. */
export function notesBlocks(blocks: readonly FileBlock[]): readonly FileBlock[] {
  if (blocks.length === 0) return [];
  const texts = blocks.map((block) => ({ ...block, kind: 'paragraph' as const, level: 0, text: block.text.trim() }));
  return [{ kind: 'heading', level: NOTES_LEVEL, text: 'Notes', grounding: true }, ...texts];
}

function isOn(value: string): boolean {
  return value === '1' || value === 'true';
}
