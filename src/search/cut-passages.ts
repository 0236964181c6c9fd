import { hash } from 'node:crypto';
import { firstValue, type SectionBlock, type StoredDocument } from '../core/document.ts';
import { countWords, endOfWords } from '../text/count-words.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Passage, PassageSentence } from './passage.ts';
import { sectionsOfPlainText } from './plain-sections.ts';

/** Says whether a sentence addresses an assistant instead of a reader. */
export type IsInjected = (sentence: string, language: string) => boolean;

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
  let ordinal = 0;
  for (const part of partsOf(row, rules.sourceFields, () => ordinal > 0)) {
    const { blocks, ...position } = part;
    for (const pieces of cutBlocks(blocks, language)) {
      if (ordinal === MAX_PASSAGES) return;
      const text = textOf(pieces);
      const sentences = pieces.map((piece) => sentenceOf(piece, language, rules.isInjected));
      yield { ...common, ...position, ordinal, text, sentences, hash: hashOf(text, position.headings) };
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
  readonly isCode: boolean;
  /** First of its line. */
  readonly startsLine: boolean;
};

/** A block in units; `words` is their sum. */
type Measured = { readonly kind: SectionBlock['kind']; readonly pieces: readonly Piece[]; readonly words: number };

/** Whole blocks up to the target; a longer block alone, in pieces. One that ends in a colon stays with the next. */
function* cutBlocks(blocks: readonly SectionBlock[], language: string): Generator<readonly Piece[]> {
  let open: Measured[] = [];
  const piecesOf = (measured: readonly Measured[]) => measured.flatMap(({ pieces }) => pieces);
  for (const block of blocks) {
    const next = measure(block, language);
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

function measure({ kind, text }: SectionBlock, language: string): Measured {
  const pieces: Piece[] = [];
  for (const line of text.split('\n')) {
    for (const [index, sentence] of sentencesOf(line, kind, language).entries()) {
      for (const piece of cutLongSentence(sentence)) {
        pieces.push({ ...piece, isCode: kind === 'code', startsLine: index === 0 });
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

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text, startsLine }, index) => (index === 0 ? '' : startsLine ? '\n' : ' ') + text).join('');
}

/** Whether it is suspicious is found out when it is asked first: that costs more than all else together. */
function sentenceOf({ text, isCode }: Piece, language: string, isInjected: IsInjected): PassageSentence {
  let isSuspicious: boolean | undefined;
  return {
    text,
    isCode,
    get isSuspicious() {
      isSuspicious ??= isInjected(text, language);
      return isSuspicious;
    },
  };
}

function hashOf(text: string, headings: readonly string[]): string {
  return hash('sha256', `${headings.join('\n')}\n\n${text}`, 'hex').slice(0, HASH_CHARS);
}
