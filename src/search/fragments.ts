import type { HighlightSettings } from '../core/records.ts';
import { ENOUGH_WINDOWS, type HighlightSpan, LONG_TEXT_CHARS } from './highlight-spans.ts';

/** A part `[start, end)` of a text with its marks. */
export type Fragment = { readonly start: number; readonly end: number; readonly marks: readonly HighlightSpan[] };

const DISTINCT_WORD_VALUE = 4;
/** Windows that one text is cut into at most before the best are chosen. */
const MAX_CANDIDATES = 500;
/** A sentence is begun with when its start leaves the mark in this part of the window. */
const SENTENCE_RATIO = 0.6;
const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|[。！？]|\n\s*/g;
const WORD_CHAR = /[\p{L}\p{M}\p{N}]/u;
/** A border is looked for within so many characters; beyond it, text without blanks is cut anywhere. */
const BOUNDARY_CHARS = 40;

/** The best windows that do not overlap, by distinct words × 4 + marks, in text order. */
export function chooseFragments(
  value: string,
  marks: readonly HighlightSpan[],
  { fragmentSize, numberOfFragments }: HighlightSettings,
): readonly Fragment[] {
  const limit = value.length > LONG_TEXT_CHARS ? ENOUGH_WINDOWS : MAX_CANDIDATES;
  const candidates = candidateSpans(marks, limit, fragmentSize).map((index) => {
    const window = windowAround(value, marks[index] ?? NOWHERE, fragmentSize);
    const inside = spansInside(marks, index, window);
    return { ...window, marks: inside, value: DISTINCT_WORD_VALUE * distinctWords(inside) + inside.length };
  });
  const chosen: Fragment[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.value - a.value || a.start - b.start)) {
    if (chosen.length === numberOfFragments) break;
    const free = chosen.every(({ start, end }) => candidate.end <= start || candidate.start >= end);
    if (free) chosen.push(candidate);
  }
  return chosen.sort((a, b) => a.start - b.start);
}

const NOWHERE: HighlightSpan = { start: 0, end: 0, word: 0 };

/** Every mark of a text with few; else the first of each window's length. */
function candidateSpans(marks: readonly HighlightSpan[], limit: number, size: number): readonly number[] {
  if (marks.length <= limit) return marks.map((_, index) => index);
  const spread: number[] = [];
  let end = 0;
  for (const [index, mark] of marks.entries()) {
    if (mark.start < end) continue;
    spread.push(index);
    end = mark.start + size / 4;
    if (spread.length === limit) break;
  }
  return spread;
}

function spansInside(
  marks: readonly HighlightSpan[],
  index: number,
  window: { readonly start: number; readonly end: number },
): readonly HighlightSpan[] {
  let first = index;
  while ((marks[first - 1]?.start ?? -1) >= window.start) first--;
  let last = index;
  while ((marks[last + 1]?.end ?? Number.POSITIVE_INFINITY) <= window.end) last++;
  return marks.slice(first, last + 1);
}

function distinctWords(marks: readonly HighlightSpan[]): number {
  return new Set(marks.map(({ word }) => word)).size;
}

/**
 * About `size` characters that hold the mark: from the start of its sentence when that is near, else from a word
 * border a quarter before it; to a word border.
 */
function windowAround(
  value: string,
  mark: HighlightSpan,
  size: number,
): { readonly start: number; readonly end: number } {
  if (value.length <= size) return { start: 0, end: value.length };
  const start = windowStart(value, mark, size);
  if (start + size >= value.length) return { start, end: value.length };
  return { start, end: Math.max(mark.end, boundaryBefore(value, start + size)) };
}

function windowStart(value: string, mark: HighlightSpan, size: number): number {
  const lastStart = Math.max(0, value.length - size);
  const sentence = sentenceStart(value, mark, size);
  if (sentence !== undefined && sentence <= lastStart) return sentence;
  const earliest = Math.max(0, Math.min(mark.start - Math.floor(size / 4), lastStart));
  return Math.min(mark.start, boundaryFrom(value, earliest));
}

/** Start of the sentence that holds the mark; undefined when it is far away. */
function sentenceStart(value: string, mark: HighlightSpan, size: number): number | undefined {
  const reach = Math.max(0, mark.start - Math.floor(size * SENTENCE_RATIO));
  let start = reach === 0 ? 0 : undefined;
  for (const { index, 0: end } of value.slice(reach, mark.start).matchAll(SENTENCE_END)) {
    start = reach + index + end.length;
  }
  return start;
}

/** The first word border at or behind a place. */
function boundaryFrom(value: string, at: number): number {
  const last = Math.min(value.length, at + BOUNDARY_CHARS);
  for (let i = at; i < last; i++) if (isBoundary(value, i) && !isBlank(value, i)) return i;
  return wholeCharacter(value, at);
}

/** The last word border at or before a place, without the blank that ends it. */
function boundaryBefore(value: string, at: number): number {
  const first = Math.max(0, at - BOUNDARY_CHARS);
  for (let i = at; i > first; i--) if (isBoundary(value, i) && !isBlank(value, i - 1)) return i;
  return wholeCharacter(value, at);
}

/** Between two characters that do not belong to one word. */
function isBoundary(value: string, at: number): boolean {
  return !isLowSurrogate(value, at) && !(WORD_CHAR.test(charBefore(value, at)) && WORD_CHAR.test(charAt(value, at)));
}

function isBlank(value: string, at: number): boolean {
  return value.charAt(at).trim() === '';
}

function charAt(value: string, at: number): string {
  const point = value.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function charBefore(value: string, at: number): string {
  return at === 0 ? '' : charAt(value, isLowSurrogate(value, at - 1) ? at - 2 : at - 1);
}

function isLowSurrogate(value: string, at: number): boolean {
  const unit = value.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}

function wholeCharacter(value: string, at: number): number {
  return isLowSurrogate(value, at) ? at - 1 : at;
}
