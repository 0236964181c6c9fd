import { hash } from 'node:crypto';
import { firstValue, type SectionBlock, type StoredDocument } from '../core/document.ts';
import { countWords, endOfWords } from '../text/count-words.ts';
import { splitSentences } from '../text/sentences.ts';
import { type IsInjected, JudgedSentence, type SentenceJudging } from './judged-sentence.ts';
import type { Passage, PassageSentence } from './passage.ts';

export type CuttingRules = {
  /** Of documents that tell none. */
  readonly language: string;
  /** By name, as they are written. */
  readonly sourceFields: readonly string[];
  readonly isInjected: IsInjected;
};

/** Fields of contract 4.1 and 5.1 when a request names none. */
export const DEFAULT_SOURCE_FIELDS: readonly string[] = ['Title', 'Description', 'Content'];

/** Words of a passage: 60, 110 and 200 give the same rank ≤ 5, 110 the best rank 1 (answers design 3). */
const TARGET_WORDS = 110;
const MAX_WORDS = 180;
/** Shorter values of other fields are labels. */
const MIN_FIELD_WORDS = 4;
/** Passages of one document: 100,000 words. What comes later grounds nothing. */
export const MAX_PASSAGES = 1_000;
const HASH_CHARS = 32;
/** Fewer lines, or more that are no headings, are a list like any other. */
const MIN_CONTENTS_LINES = 2;
const CONTENTS_RATIO = 0.8;

/** What stands under one heading of one field. */
type Part = Pick<Passage, 'field' | 'headings' | 'anchor' | 'page'> & { readonly blocks: readonly SectionBlock[] };

/**
 * The passages of a document that may ground an answer, in its order; pure. Made one at a time, so that the caller may
 * pause between them. O(length), some 40 MB/s.
 */
export function* cutPassages(row: StoredDocument, rules: CuttingRules): Generator<Passage> {
  const language = row.language === '' ? rules.language : row.language;
  const common = {
    rid: row.rid,
    crawlerId: row.crawlerId,
    documentId: row.id,
    seq: row.seq,
    language,
    url: firstValue(row.fields, 'Url'),
    title: firstValue(row.fields, 'Title'),
  };
  const judging = { language, isInjected: rules.isInjected };
  let ordinal = 0;
  for (const part of partsOf(row, rules.sourceFields, () => ordinal > 0)) {
    const { blocks, field, headings, anchor, page } = part;
    for (const pieces of cutBlocks(blocks, language)) {
      if (ordinal === MAX_PASSAGES) return;
      const text = textOf(pieces);
      const sentences = sentencesFrom(pieces, judging);
      const hash = hashOf(text, headings);
      yield { ...common, field, headings, anchor, page, ordinal, text, sentences, hash };
      ordinal++;
    }
  }
}

/** Content comes first, as answers mostly stand there; the title alone only where there is nothing else. */
function* partsOf(row: StoredDocument, fields: readonly string[], hasPassages: () => boolean): Generator<Part> {
  if (fields.includes('Content')) yield* contentParts(row);
  for (const field of new Set(fields)) {
    const isSaid = field === 'Description' && fields.includes('Content') && isInContent(row);
    if (field !== 'Content' && field !== 'Title' && !isSaid) yield* fieldParts(row, field);
  }
  const title = firstValue(row.fields, 'Title');
  if (!fields.includes('Title') || hasPassages() || countWords(title) < MIN_FIELD_WORDS) return;
  const blocks = [{ kind: 'paragraph', text: title }] as const;
  yield { field: 'Title', headings: [], anchor: undefined, page: undefined, blocks };
}

/** Under the name of the field, which says what its text is about. */
function* fieldParts(row: StoredDocument, field: string): Generator<Part> {
  const text = (row.fields.get(field) ?? []).join('\n');
  if (countWords(text) < MIN_FIELD_WORDS) return;
  const heading = field === 'Description' ? [] : [field];
  for (const { headings, blocks } of sectionsOfPlainText(text)) {
    yield { field, headings: [...heading, ...headings], anchor: undefined, page: undefined, blocks };
  }
}

function* contentParts({ structure, fields }: StoredDocument): Generator<Part> {
  if (structure !== undefined && structure.sections.length > 0) {
    const isContents = contentsTest(structure.sections.flatMap(({ headings }) => headings.map(({ text }) => text)));
    for (const { headings, page, grounding, blocks } of structure.sections) {
      if (!grounding) continue;
      const anchor = headings.findLast((heading) => heading.anchor !== undefined)?.anchor;
      const own = blocks.filter((block) => !isContents(block));
      yield { field: 'Content', headings: headings.map(({ text }) => text), anchor, page, blocks: own };
    }
    return;
  }
  for (const { headings, blocks } of sectionsOfPlainText((fields.get('Content') ?? []).join('\n\n'))) {
    yield { field: 'Content', headings, anchor: undefined, page: undefined, blocks };
  }
}

/** Whether a block only lists headings of its own document: it repeats words of the answers and answers nothing. */
function contentsTest(headings: readonly string[]): (block: SectionBlock) => boolean {
  const known = new Set(headings.map(plainLine));
  return ({ kind, text }) => {
    if (kind === 'code') return false;
    const lines = text.split('\n').map(plainLine);
    const listed = lines.filter((line) => known.has(line)).length;
    return lines.length >= MIN_CONTENTS_LINES && listed >= CONTENTS_RATIO * lines.length;
  };
}

/** Without number, sign of an item and blanks. */
function plainLine(line: string): string {
  return line.replace(/^[\s\p{P}\p{N}]+|[\s\p{P}]+$/gu, '').toLowerCase();
}

/** Most descriptions are the beginning of the page. */
function isInContent({ fields }: StoredDocument): boolean {
  const description = (fields.get('Description') ?? []).join('\n');
  return firstValue(fields, 'Content').includes(description.trim().replace(/(?:…|\.{3})$/, ''));
}

/** A sentence with what stands before it. */
type Piece = {
  readonly text: string;
  readonly words: number;
  readonly kind: SectionBlock['kind'];
  /** Number of its block in what the passages are cut from. */
  readonly block: number;
  /** First of its line. */
  readonly startsLine: boolean;
};

/** A block in units; `words` is their sum. */
type Measured = { readonly kind: SectionBlock['kind']; readonly pieces: readonly Piece[]; readonly words: number };

/** Whole blocks up to the target; a longer block alone, in pieces. One that ends in a colon stays with the next. */
function* cutBlocks(blocks: readonly SectionBlock[], language: string): Generator<readonly Piece[]> {
  let open: Measured[] = [];
  const piecesOf = (measured: readonly Measured[]) => measured.flatMap(({ pieces }) => pieces);
  for (const [number, block] of blocks.entries()) {
    const next = measure(block, number, language);
    if (next.pieces.length === 0) continue;
    if (wordsOf(open) + next.words > MAX_WORDS) {
      const lead = open.slice(open.findLastIndex((measured) => !introduces(measured)) + 1);
      const done = open.slice(0, open.length - lead.length);
      if (done.length > 0) yield piecesOf(done);
      open = [...lead, next];
      if (wordsOf(open) > MAX_WORDS) {
        yield* cutLongBlock(next, piecesOf(lead));
        open = [];
      }
    } else {
      open.push(next);
    }
    if (wordsOf(open) >= TARGET_WORDS && !introduces(next)) {
      yield piecesOf(open);
      open = [];
    }
  }
  if (open.length > 0) yield piecesOf(open);
}

function wordsOf(measured: readonly { readonly words: number }[]): number {
  return measured.reduce((sum, { words }) => sum + words, 0);
}

function introduces({ pieces }: Measured): boolean {
  return /[:：]$/.test(pieces.at(-1)?.text ?? '');
}

/** Lists and tables between their lines, with the first row of a table repeated; prose with a sentence of overlap. */
function* cutLongBlock({ kind, pieces }: Measured, lead: readonly Piece[]): Generator<readonly Piece[]> {
  let repeated: readonly Piece[] = [];
  let fresh = [...lead];
  for (const group of groupsOf(kind, pieces)) {
    if (wordsOf(repeated) + wordsOf(fresh) + wordsOf(group) > MAX_WORDS && fresh.length > 0) {
      yield [...repeated, ...fresh];
      const overlap = kind === 'table' ? pieces.slice(0, 1) : kind === 'paragraph' ? fresh.slice(-1) : [];
      repeated = wordsOf(overlap) + wordsOf(group) > MAX_WORDS ? [] : overlap;
      fresh = [];
    }
    fresh.push(...group);
  }
  if (fresh.length > 0) yield [...repeated, ...fresh];
}

/** What must not be cut: lines of lists and tables, unless one alone is too long, else sentences. */
function groupsOf(kind: SectionBlock['kind'], pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    const isWhole = kind === 'list' || kind === 'table';
    if (!isWhole || piece.startsLine || last === undefined || wordsOf(last) + piece.words > MAX_WORDS)
      groups.push([piece]);
    else last.push(piece);
  }
  return groups;
}

function measure({ kind, text }: SectionBlock, block: number, language: string): Measured {
  const pieces: Piece[] = [];
  for (const line of text.split('\n')) {
    for (const [index, sentence] of sentencesOf(line, kind, language).entries()) {
      for (const piece of cutLongSentence(sentence)) {
        pieces.push({ ...piece, kind, block, startsLine: index === 0 });
      }
    }
  }
  return { kind, pieces, words: wordsOf(pieces) };
}

function sentencesOf(line: string, kind: SectionBlock['kind'], language: string): readonly string[] {
  if (kind === 'code') return [line.trimEnd()];
  return kind === 'table' ? [line.replace(/\s+/g, ' ').trim()] : splitSentences(line, language);
}

/** Nothing of an empty sentence. */
function cutLongSentence(sentence: string): readonly { readonly text: string; readonly words: number }[] {
  const words = countWords(sentence);
  if (words <= MAX_WORDS) return words === 0 ? [] : [{ text: sentence, words }];
  const pieces: { text: string; words: number }[] = [];
  for (let at = 0; at < sentence.length; ) {
    const rest = sentence.slice(at);
    const end = endOfWords(rest, MAX_WORDS);
    const text = rest.slice(0, end).trim();
    if (text !== '') pieces.push({ text, words: countWords(text) });
    at += end;
  }
  return pieces;
}

/** The text of a passage from its sentences. */
export function textOf(pieces: readonly Pick<PassageSentence, 'text' | 'startsLine'>[]): string {
  return pieces.map(({ text, startsLine }, index) => (index === 0 ? '' : startsLine ? '\n' : ' ') + text).join('');
}

function sentencesFrom(pieces: readonly Piece[], judging: SentenceJudging): readonly PassageSentence[] {
  const first = pieces[0]?.block ?? 0;
  return pieces.map((piece, at) => {
    const textBeside = (other: Piece | undefined) => (other?.block === piece.block ? other.text : undefined);
    const beside = { before: textBeside(pieces[at - 1]), next: textBeside(pieces[at + 1]) };
    return new JudgedSentence({ ...piece, block: piece.block - first }, beside, judging);
  });
}

function hashOf(text: string, headings: readonly string[]): string {
  return hash('sha256', `${headings.join('\n')}\n\n${text}`, 'hex').slice(0, HASH_CHARS);
}

/** Blocks under the headings that are open there, outermost first. */
export type PlainSection = { readonly headings: readonly string[]; readonly blocks: readonly SectionBlock[] };

/** A heading by its shape (answers design 3; 2 points of rank ≤ 5 behind real headings). */
const MAX_HEADING_CHARS = 110;
const MAX_HEADING_WORDS = 16;
const HAS_LETTER = /\p{L}/u;
const NO_HEADING_START = /^[-–—*•·#>\d([{<$.]/;
/** Signs of code, and of the cells of a row. */
const NO_HEADING_SIGN = /[|=;{}]/;
const NO_HEADING_END = /[.:;,!…。：；，、！|=]["'”’)\]]*$/;
/** Lines that look like headings, one behind another, are a path of headings when they are few, else a list of links. */
const MAX_HEADINGS_IN_ROW = 3;

const ITEM = /^\s*(?:[-*•·–]|\d{1,3}[.)])\s/;
/** Of a row of a table. */
const MIN_PIPES = 2;
const CODE = /^(?: {4}|\t)/;
const FENCE = /^\s*(?:```|~~~)[\w+#-]{0,20}\s*$/;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/;
const LOWER_CASE_START = /^\s*[\p{Ll}]/u;
/** A shorter line was not broken because the line was full. */
const MIN_WRAPPED_CHARS = 40;

type Kind = SectionBlock['kind'];
type Line = { readonly kind: Kind; readonly text: string; readonly isHeading: boolean; readonly isAfterGap: boolean };

/**
 * Sections of a text without markup: headings by their shape, lists, tables and code by their signs, and lines that
 * were broken at a margin put together. O(length).
 */
export function sectionsOfPlainText(text: string): readonly PlainSection[] {
  const lines = linesOf(text);
  const sections: { headings: readonly string[]; blocks: SectionBlock[] }[] = [];
  for (let at = 0; at < lines.length; ) {
    const run = headingRun(lines, at);
    const isHeading = at + run.length < lines.length && run.length > 0;
    const own = isHeading ? run.slice(run.length > MAX_HEADINGS_IN_ROW ? -1 : 0) : [];
    const plain = run.slice(0, run.length - own.length);
    const body = bodyFrom(lines, at + run.length);
    const before = sections.at(-1);
    if (plain.length > 0) {
      const blocks = blocksOf(plain);
      if (before === undefined) sections.push({ headings: [], blocks });
      else before.blocks.push(...blocks);
    }
    if (body.length > 0) sections.push({ headings: own.map((line) => line.text.trim()), blocks: blocksOf(body) });
    at += run.length + body.length;
  }
  return sections;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let isFenced = false;
  let isAfterGap = false;
  for (const written of text.split(/\r\n?|\n/)) {
    if (FENCE.test(written)) {
      isFenced = !isFenced;
      continue;
    }
    if (written.trim() === '') {
      isAfterGap = true;
      continue;
    }
    const kind = isFenced ? 'code' : kindOf(written);
    lines.push({
      kind,
      text: written,
      isHeading: kind === 'paragraph' && looksLikeHeading(written.trim()),
      isAfterGap,
    });
    isAfterGap = false;
  }
  return lines;
}

function kindOf(line: string): Kind {
  if (ITEM.test(line)) return 'list';
  if (CODE.test(line)) return 'code';
  return line.split('|').length > MIN_PIPES ? 'table' : 'paragraph';
}

function looksLikeHeading(line: string): boolean {
  if (line.length > MAX_HEADING_CHARS || NO_HEADING_START.test(line) || NO_HEADING_END.test(line)) return false;
  return HAS_LETTER.test(line) && !NO_HEADING_SIGN.test(line) && countWords(line) <= MAX_HEADING_WORDS;
}

/** The lines from `at` on that look like headings; those that end the text are none. */
function headingRun(lines: readonly Line[], at: number): readonly Line[] {
  let end = at;
  while (isHeadingAt(lines, end)) end++;
  return lines.slice(at, end);
}

/** A line that goes on in the next one is the beginning of a paragraph. */
function isHeadingAt(lines: readonly Line[], index: number): boolean {
  const line = lines[index];
  const next = lines[index + 1];
  return line?.isHeading === true && (next === undefined || !continues(line, next));
}

/** The lines from `at` on up to the next that looks like a heading. */
function bodyFrom(lines: readonly Line[], at: number): readonly Line[] {
  let end = at;
  while (end < lines.length && (!isHeadingAt(lines, end) || isContinued(lines, end, at))) end++;
  return lines.slice(at, end);
}

/** A short line in the middle of a paragraph that was broken at a margin. */
function isContinued(lines: readonly Line[], index: number, first: number): boolean {
  const line = lines[index];
  const before = lines[index - 1];
  return index > first && line !== undefined && before !== undefined && continues(before, line);
}

function blocksOf(lines: readonly Line[]): SectionBlock[] {
  const blocks: { kind: Kind; text: string }[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last !== undefined && before !== undefined && continues(before, line)) last.text += ` ${line.text.trim()}`;
    else if (last !== undefined && last.kind === line.kind && line.kind !== 'paragraph') last.text += `\n${line.text}`;
    else blocks.push({ kind: line.kind, text: line.text });
    before = line;
  }
  return blocks;
}

/** Whether a line goes on with the sentence of the line before, which was full. */
function continues(before: Line, line: Line): boolean {
  if (line.kind !== 'paragraph' || line.isAfterGap || before.kind === 'code' || before.kind === 'table') return false;
  return before.text.length >= MIN_WRAPPED_CHARS && LOWER_CASE_START.test(line.text) && !SENTENCE_END.test(before.text);
}
