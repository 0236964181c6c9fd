import type { FileExtraction } from '../extraction.ts';
import { addressOfField } from './extract-file.ts';
import { fileOf, withMergedLists } from './file-status.ts';
import { charsetOfFont, charsetOfPage, decodeBytes, SYMBOL_CHARSET } from './legacy/code-pages.ts';
import { createRtfBlocks, createRtfInfo, type RtfBlocks, type RtfInfo, scanRtf } from './rtf-blocks.ts';

/** Where the text of a group goes. */
type Destination = 'text' | 'skip' | 'fonts' | 'styles' | 'info' | 'instruction' | 'label';
type Field = { instruction: string; text: string };

type Group = {
  destination: Destination;
  /** What an inner group may turn back to. */
  readonly outer: Destination;
  uc: number;
  font: number;
  isHidden: boolean;
  field: Field | undefined;
  isNote: boolean;
  isField: boolean;
};

type RtfState = {
  readonly blocks: RtfBlocks;
  readonly info: RtfInfo;
  readonly links: { url: string; text: string }[];
  readonly groups: Group[];
  /** Groups beyond the depth that is kept. */
  tooDeep: number;
  group: Group;
  /** Nothing stands in the group yet: only here `\\*` says that the next word names what may be left out. */
  isFresh: boolean;
  isOptional: boolean;
  /** Characters that stand for the bytes of one font. */
  pending: string;
  /** Of a character that follows as `\u`, to be left out. */
  replaced: number;
  charset: string;
  readonly fontCharsets: Map<number, number>;
  readonly fontPages: Map<number, number>;
  readonly headingStyles: Map<number, number>;
  style: number;
  styleName: string;
  label: string;
  charsLeft: number;
};

const MAX_GROUPS = 1_000;
/** More than a file may give. */
const MAX_CHARS = 6 * 1024 * 1024;
const MAX_LINKS = 20_000;
/** Bytes of one character each may be decoded at any place. */
const MAX_PENDING_CHARS = 64 * 1024;
const MAX_INSTRUCTION_CHARS = 4_000;
const MAX_LEVEL = 9;

/** Text and properties of RTF: paragraphs, headings by style or outline level, lists, tables, notes and remarks at the end. */
export function readRtf(bytes: Uint8Array): FileExtraction {
  const group = newGroup('text');
  const state: RtfState = {
    blocks: createRtfBlocks(),
    info: createRtfInfo(),
    links: [],
    groups: [],
    tooDeep: 0,
    group,
    isFresh: false,
    isOptional: false,
    pending: '',
    replaced: 0,
    charset: 'windows-1252',
    fontCharsets: new Map(),
    fontPages: new Map(),
    headingStyles: new Map(),
    style: 0,
    styleName: '',
    label: '',
    charsLeft: MAX_CHARS,
  };
  scanRtf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), {
    open: () => openGroup(state),
    close: () => closeGroup(state),
    control: (word, value) => control(state, word, value),
    bytes: (run) => addBytes(state, run),
    isDone: () => state.charsLeft <= 0,
  });
  flush(state);
  const { properties, pageCount } = state.info.result();
  const read = { properties, pageCount, blocks: withMergedLists(state.blocks.result()), links: state.links };
  const file = fileOf(read, 'The document has no text');
  return state.charsLeft > 0 ? file : { ...file, status: 'over-limit', reason: 'The document is too long' };
}

function newGroup(destination: Destination): Group {
  const plain = { uc: 1, font: -1, isHidden: false, field: undefined, isNote: false, isField: false };
  return { destination, outer: destination, ...plain };
}

function openGroup(state: RtfState): void {
  flush(state);
  state.isFresh = true;
  state.isOptional = false;
  if (state.groups.length >= MAX_GROUPS) {
    state.tooDeep++;
    return;
  }
  state.groups.push(state.group);
  state.group = { ...state.group, outer: state.group.destination, isNote: false, isField: false };
}

function closeGroup(state: RtfState): void {
  flush(state);
  state.replaced = 0;
  if (state.tooDeep > 0) {
    state.tooDeep--;
    return;
  }
  const { group, blocks } = state;
  if (group.destination === 'styles') endStyle(state);
  if (group.isNote) blocks.closeNote();
  if (group.isField) endField(state, group.field);
  state.info.close(state.groups.length);
  state.group = state.groups.pop() ?? newGroup('text');
}

function endField({ links }: RtfState, field: Field | undefined): void {
  const url = addressOfField(field?.instruction ?? '');
  if (field !== undefined && url !== undefined && links.length < MAX_LINKS)
    links.push({ url, text: field.text.trim() });
}

/** `heading 1;` in the style sheet. */
function endStyle(state: RtfState): void {
  const level = Number(/^\s*heading ([1-9])\b/i.exec(state.styleName)?.[1] ?? 0);
  const isTitle = /^\s*title\s*;/i.test(state.styleName);
  if (level > 0 || isTitle) state.headingStyles.set(state.style, isTitle ? 1 : level);
  state.styleName = '';
  state.style = 0;
}

function addBytes(state: RtfState, run: string): void {
  const skipped = Math.min(state.replaced, run.length);
  state.replaced -= skipped;
  state.isFresh = false;
  state.isOptional = false;
  if (state.group.destination === 'skip') return;
  state.pending += run.slice(skipped);
  state.charsLeft -= run.length;
  if (state.pending.length > MAX_PENDING_CHARS && !/^(?:shift|euc|gb|big5|utf)/.test(charsetOf(state))) flush(state);
}

/** Bytes that follow each other are decoded together: a character may have several. */
function flush(state: RtfState): void {
  if (state.pending === '') return;
  const { pending, group } = state;
  state.pending = '';
  const isAscii = !/[^\0-\x7f]/.test(pending);
  const charset = isAscii ? '' : charsetOf(state);
  addText(state, isAscii ? pending : decodeBytes(pending, charset), group);
}

function charsetOf({ group, fontPages, fontCharsets, charset }: RtfState): string {
  const page = charsetOfPage(fontPages.get(group.font) ?? 0);
  return page ?? charsetOfFont(fontCharsets.get(group.font) ?? 0) ?? charset;
}

function addText(state: RtfState, text: string, group: Group): void {
  switch (group.destination) {
    case 'text':
      state.blocks.add(text, group.isHidden);
      if (group.field !== undefined) group.field.text += text;
      break;
    case 'styles':
      state.styleName += text;
      break;
    case 'info':
      state.info.add(text);
      break;
    case 'instruction':
      if (group.field !== undefined && group.field.instruction.length < MAX_INSTRUCTION_CHARS)
        group.field.instruction += text;
      break;
    case 'label':
      state.label += state.fontCharsets.get(group.font) === SYMBOL_CHARSET ? ' ' : text;
      break;
    case 'skip':
    case 'fonts':
      break;
    default:
  }
}

type Step = (state: RtfState, value: number | undefined) => void;

function control(state: RtfState, word: string, value: number | undefined): void {
  // Bytes around a control belong to the same character only within `\'`.
  flush(state);
  const isFresh = state.isFresh;
  state.isFresh = false;
  if (word === '*') {
    state.isOptional = isFresh;
    return;
  }
  if (state.replaced > 0 && word.length === 1 && !/[a-z]/i.test(word)) {
    state.replaced--;
    return;
  }
  const { group } = state;
  const isOptional = state.isOptional;
  state.isOptional = false;
  const step = STEPS.get(word);
  if (step !== undefined) step(state, value);
  else if (isOptional || SKIPPED.has(word) || SKIPPED_START.test(word)) group.destination = 'skip';
  else if (group.destination === 'info') state.info.control(word, value, state.groups.length);
}

/** Groups that are no text of the document. */
const SKIPPED = new Set(
  (
    'colortbl pict nonshppict shprslt sp template listtable listoverridetable revtbl rsidtbl xe rxe tc tcn ' +
    'ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn private objdata objclass atnid atnauthor'
  ).split(' '),
);
/** Headers and footers of every kind. */
const SKIPPED_START = /^(?:header|footer)[lrf]?$/;

/** A character that a word stands for; `''` flows by. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '{': '{',
  '}': '}',
  '\\': '\\',
  '~': '\u00a0',
  _: '-',
  '-': '',
  line: '\n',
  lbr: '\n',
  '\n': '\n',
  '\r': '\n',
  tab: '\t',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  nestcell: ' ',
  nestrow: '\n',
};

const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ...Object.entries(CHARACTERS).map(
    ([word, text]) => [word, (state: RtfState) => addText(state, text, state.group)] as const,
  ),
  ['ansicpg', (state, value) => setCharset(state, charsetOfPage(value ?? 0))],
  ['mac', (state) => setCharset(state, 'macintosh')],
  ['u', addUnicode],
  [
    'uc',
    ({ group }, value) => {
      group.uc = Math.min(100, Math.max(0, value ?? 1));
    },
  ],
  [
    'f',
    ({ group }, value) => {
      group.font = value ?? -1;
    },
  ],
  ['fcharset', ({ group, fontCharsets }, value) => void fontCharsets.set(group.font, value ?? 0)],
  ['cpg', ({ group, fontPages }, value) => void fontPages.set(group.font, value ?? 0)],
  [
    'v',
    ({ group }, value) => {
      group.isHidden = value !== 0;
    },
  ],
  [
    'deleted',
    ({ group }, value) => {
      if (group.destination === 'text' && value !== 0) group.destination = 'skip';
    },
  ],
  [
    'plain',
    ({ group }) => {
      group.isHidden = false;
      group.font = -1;
    },
  ],
  ['par', endParagraph],
  ['sect', endParagraph],
  ['page', endParagraph],
  ['cell', ({ blocks }) => blocks.endCell()],
  ['row', ({ blocks }) => blocks.endRow()],
  ['pard', resetParagraph],
  [
    'intbl',
    ({ blocks }) => {
      blocks.style.inTable = true;
    },
  ],
  ['s', setStyle],
  ['ds', setStyle],
  [
    'ls',
    ({ blocks }, value) => {
      blocks.style.isListed = (value ?? 0) > 0;
    },
  ],
  [
    'outlinelevel',
    ({ blocks }, value) => {
      const level = (value ?? MAX_LEVEL) + 1;
      if (level <= MAX_LEVEL) blocks.style.level = level;
    },
  ],
  ['fonttbl', ({ group }) => setDestination(group, 'fonts')],
  ['stylesheet', ({ group }) => setDestination(group, 'styles')],
  ['info', ({ group }) => setDestination(group, 'info')],
  ['listtext', ({ group }) => setDestination(group, 'label')],
  ['pntext', ({ group }) => setDestination(group, 'label')],
  ['footnote', ({ group, blocks }) => openNote(group, blocks.openNote)],
  ['annotation', ({ group, blocks }) => openNote(group, blocks.openRemark)],
  [
    'field',
    ({ group }) => {
      group.isField = true;
      group.field = { instruction: '', text: '' };
    },
  ],
  ['fldinst', ({ group }) => setDestination(group, 'instruction')],
  ['fldrslt', () => undefined],
  ['shpinst', () => undefined],
  ['upr', ({ group }) => setDestination(group, 'skip')],
  [
    'ud',
    ({ group, groups }) => {
      group.destination = groups.at(-1)?.outer ?? 'text';
    },
  ],
]);

function openNote(group: Group, open: () => void): void {
  if (group.destination !== 'text' || group.isNote) return;
  group.isNote = true;
  open();
}

/** Within what is left out everything is. */
function setDestination(group: Group, destination: Destination): void {
  if (group.destination !== 'skip') group.destination = destination;
}

function setCharset(state: RtfState, charset: string | undefined): void {
  state.charset = charset ?? state.charset;
}

/** Surrogates come one after the other. */
function addUnicode(state: RtfState, value: number | undefined): void {
  const code = ((value ?? 0) + 0x10000) % 0x10000;
  addText(state, String.fromCharCode(code), state.group);
  state.replaced = state.group.uc;
}

function endParagraph(state: RtfState): void {
  if (state.group.destination !== 'text') return;
  const { style } = state.blocks;
  if (state.label !== '') style.isListed = true;
  state.blocks.endParagraph(/[\p{L}\p{N}]/u.test(state.label) ? state.label.trim() : '');
  state.label = '';
}

function resetParagraph({ blocks, group }: RtfState): void {
  if (group.destination === 'text') Object.assign(blocks.style, { level: undefined, isListed: false, inTable: false });
}

function setStyle(state: RtfState, value: number | undefined): void {
  const { group, blocks, headingStyles } = state;
  if (group.destination === 'styles') state.style = value ?? 0;
  else if (group.destination === 'text') blocks.style.level = headingStyles.get(value ?? 0) ?? blocks.style.level;
}
