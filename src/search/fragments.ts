import { escapeHtml } from '../core/escape-html.ts';
import type { HighlightSettings } from '../core/records.ts';
import { classOf, JOINER } from '../text/characters.ts';
import { sentenceStarts } from '../text/sentences.ts';

/** A marked part of a text: `[start, end)`, and which word of the query it stands for. */
export type HighlightSpan = { readonly start: number; readonly end: number; readonly word: number };

export type FragmentRules = {
  /** In text order, none over another. */
  readonly marks: readonly HighlightSpan[];
  readonly settings: HighlightSettings;
  /** Whose abbreviations end no sentence. */
  readonly language: string;
};

/** Texts above this are read in blocks until there are enough windows (search-engine design 15). */
export const LONG_TEXT_CHARS = 100_000;
/** Windows with a match that are chosen from in a long text. */
export const ENOUGH_WINDOWS = 20;

/** A part `[start, end)` of a text with its marks. */
type Fragment = {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly HighlightSpan[];
  /** Whether something is left out before it, and behind it, that its reader should know of. */
  readonly isCutBefore: boolean;
  readonly isCutBehind: boolean;
};

type Window = { readonly start: number; readonly end: number; readonly isSentence: boolean };

const DISTINCT_WORD_VALUE = 4;
/** Windows that one text is cut into at most before the best are chosen. */
const MAX_CANDIDATES = 500;
/** A sentence is begun with when its start leaves the mark in this part of the window. */
const SENTENCE_RATIO = 0.6;
/** A sentence ends a fragment that is filled to this part. */
const FILLED_RATIO = 0.4;
/** What an abbreviation before a window, and the blanks behind it, may have. */
const CONTEXT_CHARS = 16;
const ELLIPSIS = '…';
/** Two ellipses, each with its blank. */
const ELLIPSES_CHARS = 4;
/** A border is looked for within so many characters; beyond it, text without blanks is cut anywhere. */
const BOUNDARY_CHARS = 40;
const WORD_CHAR = /[\p{L}\p{M}\p{N}]/u;
const LOWER_CASE = /\p{Ll}/u;
/** Signs that belong to nothing behind them; opening ones before a word, and `--` of an option, stay with it. */
const LOOSE_SIGNS = /[\s\p{P}\p{S}]{0,200}[\s\p{Pe}\p{Pf},;:!?…·•|。、]/uy;
/** What a sentence begins with. */
const SENTENCE_BEGINNING = /^[\p{Pi}\p{Ps}"'¿¡]*(?!\p{Ll})[\p{L}\p{N}]/u;
/** What leads to words that are cut off. */
const HANGING_SIGN = /[\s\p{Pi}\p{Ps},;:|·–—]/u;
const BETWEEN_CELLS = / \| /g;
/** Characters around a fragment in which neighbouring rows of a table are looked for. */
const ROW_CHARS = 300;

/**
 * The best windows of a text that do not overlap, by distinct words × 4 + marks, in text order, as escaped lines in
 * tags. Each has at most `fragmentSize` characters, ellipses included, or the whole word that is longer. It starts with
 * the sentence of its first mark when that is near, and ends with a sentence when that loses no word of the query; else an
 * ellipsis stands there. O(marks · fragmentSize) for at most 500 marks, less than finding the marks costs.
 */
export function chooseFragments(value: string, rules: FragmentRules): readonly string[] {
  return bestFragments(value, rules).map((fragment) => render(value, fragment, rules.settings));
}

/** The one fragment of a text that holds most of what is marked in it; its beginning without marks. */
export function bestFragment(value: string, { marks, settings, language }: FragmentRules): string {
  const rules = { marks, settings: { ...settings, numberOfFragments: 1 }, language };
  const nowhere = () => fragmentIn(value, { window: windowAround(value, NOWHERE, rules), marks: [] }, rules);
  const [best = nowhere()] = bestFragments(value, rules);
  return render(value, best, settings);
}

/** A whole text, escaped and in tags. */
export function markWhole(value: string, marks: readonly HighlightSpan[], settings: HighlightSettings): string {
  return inTags(value, { start: 0, marks }, { ...settings, shown: (text) => text });
}

/** Each run of blanks and line breaks as one blank. */
export function foldBlanks(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function bestFragments(value: string, rules: FragmentRules): readonly Fragment[] {
  const { marks, settings } = rules;
  const limit = value.length > LONG_TEXT_CHARS ? ENOUGH_WINDOWS : MAX_CANDIDATES;
  const candidates = candidateSpans(marks, limit, settings.fragmentSize).map((index) => {
    const window = windowAround(value, marks[index] ?? NOWHERE, rules);
    const inside = spansInside(marks, index, window);
    return { window, marks: inside, value: DISTINCT_WORD_VALUE * distinctWords(inside) + inside.length };
  });
  const chosen: typeof candidates = [];
  for (const candidate of candidates.toSorted((a, b) => b.value - a.value || a.window.start - b.window.start)) {
    if (chosen.length === settings.numberOfFragments) break;
    if (chosen.every(({ window }) => areApart(window, candidate.window))) chosen.push(candidate);
  }
  return chosen.sort((a, b) => a.window.start - b.window.start).map((candidate) => fragmentIn(value, candidate, rules));
}

function areApart(a: Window, b: Window): boolean {
  return a.end <= b.start || a.start >= b.end;
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
  window: Pick<Window, 'start' | 'end'>,
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

/** The room of a fragment with the mark, from the sentence or word that it begins with. */
function windowAround(value: string, mark: HighlightSpan, rules: FragmentRules): Window {
  const { fragmentSize } = rules.settings;
  if (value.length <= fragmentSize) {
    const start = Math.min(mark.start, behindLooseSigns(value, 0));
    return { start, end: value.length, isSentence: true };
  }
  const room = Math.max(0, fragmentSize - ELLIPSES_CHARS);
  const lastStart = value.length - room;
  const sentence = sentenceStart(value, mark, { ...rules, room, lastStart });
  const earliest = Math.max(0, Math.min(mark.start - Math.floor(room / 4), lastStart));
  const found = sentence ?? Math.min(mark.start, boundaryFrom(value, earliest));
  const start = Math.min(mark.start, behindLooseSigns(value, found));
  return { start, end: Math.min(value.length, Math.max(mark.end, start + room)), isSentence: sentence !== undefined };
}

type SentenceRules = Pick<FragmentRules, 'language'> & { readonly room: number; readonly lastStart: number };

/** Start of the sentence that holds the mark, or of one before it that fills the window up; undefined = none is near. */
function sentenceStart(
  value: string,
  mark: HighlightSpan,
  { language, room, lastStart }: SentenceRules,
): number | undefined {
  const reach = Math.max(0, mark.start - Math.floor(room * SENTENCE_RATIO));
  const from = Math.max(0, reach - CONTEXT_CHARS);
  let best = reach === 0 ? 0 : undefined;
  for (const place of sentenceStarts(value.slice(from, mark.start + 1), language)) {
    if (from + place < reach) continue;
    best = from + place;
    if (best >= lastStart) break;
  }
  return best;
}

function behindLooseSigns(value: string, at: number): number {
  LOOSE_SIGNS.lastIndex = at;
  return LOOSE_SIGNS.test(value) ? LOOSE_SIGNS.lastIndex : at;
}

type Candidate = { readonly window: Window; readonly marks: readonly HighlightSpan[] };

function fragmentIn(value: string, { window, marks }: Candidate, { language }: FragmentRules): Fragment {
  const { start, isSentence } = window;
  const opensWell = isSentence && SENTENCE_BEGINNING.test(value.slice(start, start + BOUNDARY_CHARS));
  const isCutBefore = !opensWell && start > behindLooseSigns(value, 0);
  if (window.end === value.length) {
    return { start, end: start + value.slice(start).trimEnd().length, marks, isCutBefore, isCutBehind: false };
  }
  const sentence = sentenceEnd(value, { window, marks, language });
  const end = sentence ?? cutEnd(value, window, marks.at(-1)?.end ?? start);
  const inside = marks.filter((mark) => mark.end <= end);
  return { start, end, marks: inside, isCutBefore, isCutBehind: sentence === undefined };
}

/** The last end of a sentence in a window that loses no word of the query; undefined when it would leave too little. */
function sentenceEnd(
  value: string,
  { window, marks, language }: Candidate & Pick<FragmentRules, 'language'>,
): number | undefined {
  const { start, end: limit } = window;
  const filled = start + Math.floor((limit - start) * FILLED_RATIO);
  const text = value.slice(start, limit + CONTEXT_CHARS);
  return sentenceStarts(text, language)
    .filter((place) => !LOWER_CASE.test(text.charAt(place)))
    .map((place) => start + text.slice(0, place).trimEnd().length)
    .findLast((end) => end >= Math.max(filled, lastNewWordEnd(marks)) && end <= limit);
}

function lastNewWordEnd(marks: readonly HighlightSpan[]): number {
  const words = new Set<number>();
  let end = 0;
  for (const mark of marks) {
    if (!words.has(mark.word)) end = mark.end;
    words.add(mark.word);
  }
  return end;
}

/** The last word border in a window, without signs that lead on. */
function cutEnd(value: string, { start, end }: Window, lastMarkEnd: number): number {
  let border = Math.max(lastMarkEnd, boundaryBefore(value, end));
  while (border > start && HANGING_SIGN.test(value.charAt(border - 1))) border--;
  return border;
}

function render(value: string, fragment: Fragment, settings: HighlightSettings): string {
  const text = withoutBars(value, fragment);
  const html = inTags(text, fragment, { ...settings, shown: foldBlanks });
  return `${fragment.isCutBefore ? `${ELLIPSIS} ` : ''}${html}${fragment.isCutBehind ? ` ${ELLIPSIS}` : ''}`;
}

type Marked = Pick<Fragment, 'start' | 'marks'>;
type Shown = Pick<HighlightSettings, 'preTag' | 'postTag'> & { shown(text: string): string };

/** Escaped text in tags; the marks are places in what it is a part of, from `start` on. */
function inTags(text: string, { start, marks }: Marked, { preTag, postTag, shown }: Shown): string {
  let html = '';
  let at = 0;
  for (const mark of withoutInnerTags(text, { start, marks })) {
    html += escapeHtml(shown(text.slice(at, mark.start)));
    html += preTag + escapeHtml(text.slice(mark.start, mark.end)) + postTag;
    at = mark.end;
  }
  return html + escapeHtml(shown(text.slice(at)));
}

/** Marks as places in the text; neighbours that one sign joins (`LUMO_READY`, `wi-fi`) are one. */
function withoutInnerTags(text: string, { start, marks }: Marked): readonly Pick<HighlightSpan, 'start' | 'end'>[] {
  const merged: { start: number; end: number }[] = [];
  for (const mark of marks) {
    const last = merged.at(-1);
    const from = mark.start - start;
    const to = mark.end - start;
    const isJoined = last !== undefined && from === last.end + 1 && classOf(text.charCodeAt(last.end)) === JOINER;
    if (isJoined) last.end = to;
    else merged.push({ start: from, end: to });
  }
  return merged;
}

/** A fragment's text, of the same length: between cells of a table there is a middle dot. */
function withoutBars(value: string, { start, end }: Pick<Fragment, 'start' | 'end'>): string {
  const text = value.slice(start, end);
  if (!text.includes(' | ')) return text;
  const from = Math.max(0, start - ROW_CHARS);
  const rows = value.slice(from, end + ROW_CHARS).split('\n');
  const hasCells = rows.map((row) => row.includes(' | '));
  // A lone line with bars may be a command or a type.
  const isRow = (index: number) => hasCells[index - 1] === true || hasCells[index + 1] === true;
  const shown = rows.map((row, index) => (isRow(index) ? row.replace(BETWEEN_CELLS, ' · ') : row)).join('\n');
  return shown.slice(start - from, end - from);
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
