import { isAbbreviation } from '../text/sentences.ts';
import { coveredShare, hasSameStem, type SourceText } from './support/check.ts';
import { areSameNumber, identifiersOf } from './support/numbers.ts';
import { plainText, type ReadText, readText } from './support/read-text.ts';

type LeadIn = { readonly text: string; readonly read: ReadText; readonly kind: Exclude<SegmentKind, 'claim'> };

/** Text that waits for the next verified segment, and the blanks between what is sent. */
export type LeadInBuffer = {
  readonly buffer: (leadIn: LeadIn) => undefined;
  /** Blank text: its line feeds count. */
  readonly pass: (text: string) => undefined;
  /** What is held goes with a dropped segment. */
  readonly drop: (text: string) => undefined;
  /** The verified segment with what stands before it; `read` is undefined for code. */
  readonly release: (text: string, read: ReadText | undefined) => string;
};

/** Of the words of a heading, in one source or the question. */
const FOUNDED = 0.5;
const MAX_BUFFERED_CHARS = 600;
const LIST_MARK = /^[ \t]{0,12}(?:[-*+•]|\d{1,3}[.)])[ \t]+/;

type Buffered = { readonly text: string; readonly before: string; readonly answer: 'yes' | 'no' | undefined };

export function createLeadInBuffer(sources: readonly SourceText[], question: string): LeadInBuffer {
  let buffered: Buffered | undefined;
  let gap = '';
  let hasBegun = false;
  /** Mark of the list item whose beginning was dropped. */
  let mark = '';
  const pass = (text: string): undefined => {
    gap = wider(gap, gapOf(text));
    if (gap.includes('\n')) mark = '';
  };
  return {
    pass,
    buffer({ text, read, kind }) {
      const isBuffered = kind !== 'empty' && (kind !== 'opening' || isFounded(read, sources, question));
      if (!isBuffered || (buffered?.text.length ?? 0) > MAX_BUFFERED_CHARS) return pass(text);
      const answer = kind === 'yes' || kind === 'no' ? kind : buffered?.answer;
      buffered = {
        text: (buffered === undefined ? '' : buffered.text + gap) + text.trimEnd(),
        before: buffered?.before ?? gap,
        answer,
      };
      gap = gapOf(text);
    },
    drop(text) {
      gap = wider(buffered?.before ?? gap, gapOf(text));
      buffered = undefined;
      mark = LIST_MARK.exec(text)?.[0] ?? mark;
      if (gap.includes('\n')) mark = '';
    },
    release(text, read) {
      const isContrary = buffered?.answer !== undefined && (buffered.answer === 'no') !== isDenial(read);
      const kept = isContrary ? undefined : buffered;
      const body = mark + (hasBegun || kept !== undefined ? text.trimEnd() : text.trim());
      const before = kept?.before ?? wider(buffered?.before ?? '', gap);
      const result = (hasBegun ? before : '') + (kept === undefined ? '' : kept.text + gap) + body;
      buffered = undefined;
      mark = '';
      gap = gapOf(text);
      hasBegun = true;
      return result;
    },
  };
}

function gapOf(text: string): string {
  const [blanks = ''] = /\s*$/.exec(text) ?? [];
  const feeds = blanks.split('\n').length - 1;
  return feeds > 1 ? '\n\n' : feeds === 1 ? '\n' : blanks === '' ? '' : ' ';
}

const GAPS = ['', ' ', '\n', '\n\n'];

function wider(a: string, b: string): string {
  return GAPS.indexOf(a) >= GAPS.indexOf(b) ? a : b;
}

function isDenial(read: ReadText | undefined): boolean {
  return read?.words.some(({ negation }) => negation !== undefined) ?? false;
}

/** Half of its words, and all its numbers and identifiers, stand in the question or in one of the sources. */
function isFounded(read: ReadText, sources: readonly SourceText[], question: string): boolean {
  return sources.some((source) => {
    const texts = [
      ...source.sentences.map((sentence) => sentence.read),
      source.headings,
      readText(question, source.language),
    ];
    const has = (stem: string) => texts.some(({ stems }) => hasSameStem(stems, stem));
    const covered = new Set(read.stems.values().filter(has));
    const words = texts.flatMap((text) => text.words);
    return (
      (read.stems.size === 0 || coveredShare(read.words, covered) >= FOUNDED) &&
      identifiersOf(read.text).every((identifier) =>
        texts.some(({ plain }) => plain.includes(plainText(identifier))),
      ) &&
      read.words.every((word) => word.numbers.length === 0 || words.some((other) => areSameNumber(other, word)))
    );
  });
}

type SegmentKind =
  /** Says something that a source has to say. */
  | 'claim'
  /** A heading or an opening as "You need:", sent in front of what it opens. */
  | 'opening'
  /** A bare yes or no, sent in front of a statement of the same polarity. */
  | 'yes'
  | 'no'
  /** Rules and rows of dashes: sent in front of what follows. */
  | 'rule'
  /** Nothing to read. */
  | 'empty';

const HEADING = /^\s{0,3}#{1,6}\s/;
const RULE = /^[\s|:*_=-]+$/;
const MAX_OPENING_WORDS = 3;
const YES = /^(?:yes|ja|oui|s[ií]|sì|sim|jo|kyllä|tak|joo|jes)[.,!:]?$/iu;
const NO = /^(?:no|nein|non|nee|não|nej|nei|ei|nie)[.,!:]?$/iu;

/** What a segment is to the guard. `text` is sanitised and has no markers; `read` is it as read. */
export function segmentKindOf(text: string, read: ReadText): SegmentKind {
  const bare = text.replace(/[*_#>]+/g, ' ').trim();
  if (bare === '' || RULE.test(bare)) return /[-|=_*]/.test(text) && /-{3}|\|/.test(text) ? 'rule' : 'empty';
  if (!/[\p{L}\p{N}]/u.test(bare)) return 'empty';
  if (YES.test(bare)) return 'yes';
  if (NO.test(bare)) return 'no';
  if (HEADING.test(text)) return 'opening';
  return bare.endsWith(':') && isShort(read) ? 'opening' : 'claim';
}

function isShort({ words }: ReadText): boolean {
  return words.filter(({ weight }) => weight > 0).length <= MAX_OPENING_WORDS;
}

/** Above it a segment is cut at its last blank; a fenced block above `MAX_FENCE_CHARS` is given up. */
export const MAX_SEGMENT_CHARS = 1_200;
const MAX_FENCE_CHARS = 8_000;
/** A bracket that is longer is no marker. */
const MAX_MARKER_CHARS = 300;

export type RawSegment = {
  /** With the line feeds and blanks behind it. */
  readonly text: string;
  readonly kind: 'prose' | 'code' | 'broken-code';
};

/** Reads deltas; `end` gives what is left. */
export type SegmentSplitter = { push(delta: string): readonly RawSegment[]; end(): readonly RawSegment[] };

/**
 * Cuts a text that comes in deltas into segments: sentences with the markers behind them, rows, lines, fenced blocks. Where a
 * segment ends depends on the text alone: any split into deltas gives the same segments. Holds back at most one segment.
 * Linear; 0.05 ms for a delta of a word.
 */
export function createSegmentSplitter(language: string): SegmentSplitter {
  let buffer = '';
  let from = 0;
  const read = (isEnd: boolean): readonly RawSegment[] => {
    const segments: RawSegment[] = [];
    while (buffer.length > 0) {
      const found = nextBoundary({ text: buffer, isEnd, language }, from);
      if (found.end === undefined) {
        from = found.from;
        break;
      }
      segments.push({ text: buffer.slice(0, found.end), kind: found.kind });
      buffer = buffer.slice(found.end);
      from = 0;
    }
    return segments;
  };
  return {
    push(delta) {
      buffer += delta;
      return read(false);
    },
    end: () => read(true),
  };
}

type Reading = { readonly text: string; readonly isEnd: boolean; readonly language: string };
/** Where the segment ends; or, when the text that came does not tell, from where on to go on reading. */
type Boundary =
  | { readonly end: number; readonly kind: RawSegment['kind'] }
  | { readonly end: undefined; readonly from: number };

const FENCE = /^[ \t]{0,3}(```|~~~)/;
const MIN_FENCE_CHARS = 6;

function nextBoundary(reading: Reading, from: number): Boundary {
  const { text, isEnd } = reading;
  if (text.length < MIN_FENCE_CHARS && !isEnd) return { end: undefined, from: 0 };
  const [, fence] = FENCE.exec(text) ?? [];
  return fence === undefined ? proseBoundary(reading, from) : fenceBoundary(reading, fence);
}

function fenceBoundary({ text, isEnd }: Reading, fence: string): Boundary {
  const head = text.indexOf('\n');
  for (let at = head; at >= 0 && at < MAX_FENCE_CHARS; at = text.indexOf('\n', at + 1)) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next < 0 ? text.length : next);
    if (line.trim() === fence && (next >= 0 || isEnd)) {
      return endOfBlanks({ text, isEnd }, next < 0 ? text.length : next, 'code');
    }
  }
  if (text.length > MAX_FENCE_CHARS) return { end: MAX_FENCE_CHARS, kind: 'broken-code' };
  return isEnd ? { end: text.length, kind: 'broken-code' } : { end: undefined, from: 0 };
}

function proseBoundary(reading: Reading, from: number): Boundary {
  const { text, isEnd } = reading;
  for (let at = from; at < text.length; at++) {
    if (at >= MAX_SEGMENT_CHARS) return { end: cutAt(text), kind: 'prose' };
    const end = endAt(reading, at);
    if (end === 'unknown') return { end: undefined, from: at };
    if (end !== undefined) return { end, kind: 'prose' };
  }
  return isEnd ? { end: text.length, kind: 'prose' } : { end: undefined, from: text.length };
}

/** Between cells, or before the first one. */
const BORDER_OR_BRACKET = /(?:^|\s)\|(?=\s)|[{[(]|[}\])]/g;

/** Whether a cell ends before `end` or begins there; bars between brackets part choices of a command: `{ ON | OFF }`. */
function isInRow(text: string, end: number): boolean {
  let open = 0;
  for (const [mark] of text.slice(0, end + 1).matchAll(BORDER_OR_BRACKET)) {
    if (!mark.endsWith('|')) open += '{[('.includes(mark) ? 1 : -1;
    else if (open <= 0) return true;
  }
  return false;
}

/** Where a segment ends whose last visible character is at `at`. */
function endAt(reading: Reading, at: number): number | 'unknown' | undefined {
  const char = reading.text[at] ?? '';
  if (char === '\n') return endOfBlanks(reading, at, 'prose').end ?? 'unknown';
  return TERMINATORS.has(char) ? sentenceEnd(reading, at) : undefined;
}

/** At the last blank; never inside a surrogate pair. */
function cutAt(text: string): number {
  const blank = text.lastIndexOf(' ', MAX_SEGMENT_CHARS);
  if (blank > 0) return blank + 1;
  const last = text.charCodeAt(MAX_SEGMENT_CHARS - 1);
  return last >= 0xd800 && last < 0xdc00 ? MAX_SEGMENT_CHARS - 1 : MAX_SEGMENT_CHARS;
}

const TERMINATORS = new Set('.!?。！？');
const WIDE_TERMINATORS = new Set('。！？');

/** Behind the line feeds from `at` on; the indentation of the next line is its own. */
function endOfBlanks({ text, isEnd }: Pick<Reading, 'text' | 'isEnd'>, at: number, kind: RawSegment['kind']): Boundary {
  let end = at;
  while (end < text.length && end - at < MAX_SEGMENT_CHARS && BLANK.test(text[end] ?? '')) end++;
  if (end === text.length && !isEnd) return { end: undefined, from: at };
  const lastFeed = text.lastIndexOf('\n', end - 1);
  return { end: lastFeed >= at ? lastFeed + 1 : end, kind };
}

const BLANK = /\s/;
const CLOSING = new Set('"\'’”»)]*_』」');

/**
 * Behind terminator, closing marks, markers and blanks; undefined = no end, `unknown` = what follows has not come. What
 * cells of a row say they say together, up to its markers.
 */
function sentenceEnd(reading: Reading, at: number): number | 'unknown' | undefined {
  const { text, isEnd } = reading;
  let end = at + 1;
  while (TERMINATORS.has(text[end] ?? '') || CLOSING.has(text[end] ?? '')) end++;
  const behindMarkers = skipMarkers(reading, end);
  if (behindMarkers === 'unknown') return 'unknown';
  const next = skipInlineBlanks(text, behindMarkers);
  // A bar tells by what is behind it whether a cell begins.
  if (!isEnd && next + Number(text[next] === '|') >= text.length) return 'unknown';
  if (next === text.length) return text.length;
  const isApart = next > behindMarkers || WIDE_TERMINATORS.has(text[at] ?? '');
  const hasMarkers = behindMarkers > end;
  if (text[next] === '\n' || !isApart || (!hasMarkers && isInRow(text, next + 1))) return undefined;
  return isSentenceEnd(reading, { at, next, hasMarkers }) ? next : undefined;
}

function skipInlineBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < MAX_SEGMENT_CHARS && text[at] !== '\n' && BLANK.test(text[at] ?? '')) at++;
  return at;
}

function isSentenceEnd(
  { text, language }: Reading,
  { at, next, hasMarkers }: { readonly at: number; readonly next: number; readonly hasMarkers: boolean },
): boolean {
  if (hasMarkers || text[at] !== '.') return true;
  if (/\p{Ll}/u.test(text[next] ?? '')) return false;
  const head = text.slice(Math.max(0, at - MAX_ABBREVIATION_CHARS), at);
  if (/(?:^|[^\p{L}])no$/iu.test(head)) return !/\d/.test(text[next] ?? '');
  return !endsInAbbreviation(head, { isSegmentStart: head.length === at, language });
}

/** Languages that write ordinals and dates with a full stop: 14. August, 1. klasse. */
const DOTS_ORDINALS = new Set([
  'de',
  'da',
  'nb',
  'nn',
  'no',
  'fi',
  'pl',
  'cs',
  'sk',
  'hu',
  'sl',
  'hr',
  'lv',
  'et',
  'is',
]);

/** An abbreviation, initials, an ordinal or the number of an item. */
function endsInAbbreviation(
  head: string,
  { isSegmentStart, language }: { readonly isSegmentStart: boolean; readonly language: string },
): boolean {
  const [word = ''] = /[\p{L}\p{N}.]+$/u.exec(head) ?? [];
  if (/^\p{L}$/u.test(word) || /^(?:\p{L}\.){1,4}\p{L}$/u.test(word)) return true;
  if (/^\d{1,3}$/.test(word)) {
    return (isSegmentStart && head.trimStart() === word) || (word.length < 3 && DOTS_ORDINALS.has(language));
  }
  return word !== '' && isAbbreviation(word.toLowerCase(), language);
}

const MAX_ABBREVIATION_CHARS = 24;

/** Behind the markers that follow, each with the blanks before it; `from` when there are none. */
function skipMarkers({ text, isEnd }: Reading, from: number): number | 'unknown' {
  let end = from;
  for (;;) {
    const at = skipInlineBlanks(text, end);
    if (at === text.length) return isEnd ? end : 'unknown';
    const length = markerLength(text, at, isEnd);
    if (length === 'unknown') return 'unknown';
    if (length === 0) return end;
    end = at + length;
  }
}

const MARKER =
  /^(?:\[{1,2}\^?(?:source |sources |ref\.? |quelle |kilde )?\d{1,4}(?:\s{0,2}[,;–-]\s{0,2}\d{1,4}){0,9}(?:\s{0,2}\|[^\n\]]{0,240})?\]{1,2}|【[^】\n]{1,60}】)(?:\([^)\n]{0,200}\))?/i;

/** Length of the marker at `at`, its link included; 0 = none there; `unknown` = it has not come whole. */
function markerLength(text: string, at: number, isEnd: boolean): number | 'unknown' {
  if (text[at] !== '[' && text[at] !== '【') return 0;
  const rest = text.slice(at, at + MAX_MARKER_CHARS * 2);
  const isAll = isEnd || rest.length === MAX_MARKER_CHARS * 2;
  const found = MARKER.exec(rest)?.[0];
  if (isAll) return found?.length ?? 0;
  if (found === undefined) return /\]\]|[^[]\](?!$)|】|\n/.test(rest) ? 0 : 'unknown';
  const behind = rest.slice(found.length);
  const mayGoOn = behind === '' || (behind.startsWith('(') && !found.endsWith(')') && !/[)\n]/.test(behind));
  return mayGoOn ? 'unknown' : found.length;
}
