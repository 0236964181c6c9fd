import { escapeHtml } from '../core/escape-html.ts';
import type { HighlightSettings } from '../core/records.ts';
import type { MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { tokenizeSpans } from '../text/tokenizer.ts';
import { createWordFinder, type QueryPattern, type QueryPhrase, type WordFinder } from './word-finder.ts';

export type HighlightRules = {
  readonly matched: readonly MatchedWord[];
  /** Splits compounds of the text whose parts were matched. */
  readonly vocabulary?: Vocabulary | undefined;
  readonly patterns: readonly QueryPattern[];
  /** Set when the query is one phrase, whose words are `matched`: they are marked only where it stands. */
  readonly phraseSlop?: number | undefined;
  /** Language of the document. */
  readonly language: string;
  readonly settings: HighlightSettings;
};

/**
 * Fragments of a field's values with the matched words in tags; everything else is escaped first, so that no other
 * markup can occur. `[]` when nothing matched, unless `noMatchSize` asks for the beginning of a text. Contract: 2.8.
 */
export function highlightField(field: string, values: readonly string[], rules: HighlightRules): readonly string[] {
  const { settings } = rules;
  const uncut = field === 'Title' || settings.numberOfFragments === 0;
  const fragments = values.flatMap((value) => {
    const marks = markWords(field, value, rules);
    if (marks.length === 0) return [];
    const chosen = uncut ? [{ start: 0, end: value.length, marks }] : chooseFragments(value, marks, settings);
    return chosen.map((fragment) => render(value, fragment, settings));
  });
  if (fragments.length > 0) return uncut ? fragments.slice(0, 1) : fragments.slice(0, settings.numberOfFragments);
  return field === 'Title' ? [] : beginning(values[0] ?? '', settings.noMatchSize);
}

/** Where words of the query stand in a text, in its order; `highlightField` marks the same ones. */
export function markWords(field: string, value: string, rules: HighlightRules): readonly HighlightSpan[] {
  const finder = createWordFinder(field, value, rules);
  if (finder === undefined) return [];
  return findHighlightSpans(value, { finder, phrase: phraseOf(rules), windowChars: rules.settings.fragmentSize });
}

/** The one fragment of a text that holds most of what is marked in it, escaped and in tags; its beginning without marks. */
export function bestFragment(value: string, marks: readonly HighlightSpan[], settings: HighlightSettings): string {
  const nowhere = { ...windowAround(value, NOWHERE, settings.fragmentSize), marks: [] };
  const [best = nowhere] = chooseFragments(value, marks, { ...settings, numberOfFragments: 1 });
  return render(value, best, settings);
}

function phraseOf({ matched, phraseSlop }: HighlightRules): HighlightSpanRules['phrase'] {
  return phraseSlop === undefined ? undefined : { words: [...matched.keys()], slop: phraseSlop };
}

function render(value: string, { start, end, marks }: Fragment, { preTag, postTag }: HighlightSettings): string {
  let html = '';
  let at = start;
  for (const mark of marks) {
    html += escapeHtml(value.slice(at, mark.start)) + preTag + escapeHtml(value.slice(mark.start, mark.end)) + postTag;
    at = mark.end;
  }
  return html + escapeHtml(value.slice(at, end));
}

function beginning(value: string, chars: number): readonly string[] {
  if (chars === 0 || value === '') return [];
  return [escapeHtml([...value.slice(0, 2 * chars)].slice(0, chars).join(''))];
}

/** A marked part of a text: `[start, end)`, and which word of the query it stands for. */
export type HighlightSpan = { readonly start: number; readonly end: number; readonly word: number };

type HighlightSpanRules = {
  readonly finder: WordFinder;
  /** Set when words are marked only where they stand in this order. */
  readonly phrase: Pick<QueryPhrase, 'words' | 'slop'> | undefined;
  /** About the length of a fragment. */
  readonly windowChars: number;
};

/** A word of the text that stands for words of the query. */
type Candidate = {
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly words: readonly number[];
};

/** Texts above this are read in blocks until there are enough windows (search-engine design 15). */
const LONG_TEXT_CHARS = 100_000;
const BLOCK_CHARS = 20_000;
/** Windows with a match that are chosen from in a long text. */
const ENOUGH_WINDOWS = 20;

/** Marks of a text in its order, none over another; of a long text those of its first 20 windows with a match. */
function findHighlightSpans(value: string, rules: HighlightSpanRules): readonly HighlightSpan[] {
  const marks: HighlightSpan[] = [];
  const isLong = value.length > LONG_TEXT_CHARS;
  for (let from = 0; from < value.length; ) {
    const to = isLong ? blockEnd(value, from) : value.length;
    const candidates = candidatesIn(value, { from, to, finder: rules.finder });
    marks.push(...spansOf(candidates, rules));
    if (isLong && windowsOf(marks, rules.windowChars) >= ENOUGH_WINDOWS) break;
    from = to;
  }
  return withoutOverlaps(marks);
}

type Block = { readonly from: number; readonly to: number; readonly finder: WordFinder };

function candidatesIn(value: string, { from, to, finder }: Block): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const block = value.slice(from, to);
  if (value.length > LONG_TEXT_CHARS && !finder.mayStandIn(block)) return candidates;
  tokenizeSpans(block, {
    token(units, length, position, _hash, start, end) {
      if (!finder.mayBegin(units[0] ?? 0)) return;
      const words = finder.wordsOf(wordOf(units, length));
      if (words.length > 0) candidates.push({ start: from + start, end: from + end, position, words });
    },
    bigram(units, length, position, start, end) {
      if (finder.phrases.length === 0) return;
      const words = finder.bigramsOf(wordOf(units, length));
      if (words.length > 0) candidates.push({ start: from + start, end: from + end, position, words });
    },
  });
  return candidates;
}

/** Adding letters up costs less than spreading them as arguments. */
function wordOf(units: Uint16Array, length: number): string {
  let word = '';
  for (let i = 0; i < length; i++) word += String.fromCharCode(units[i] ?? 0);
  return word;
}

/** A block ends at a blank, or in a text without blanks before a whole character. */
function blockEnd(value: string, from: number): number {
  const limit = from + BLOCK_CHARS;
  if (limit >= value.length) return value.length;
  const blank = value.lastIndexOf(' ', limit);
  if (blank > from) return blank;
  const unit = value.charCodeAt(limit);
  return unit >= 0xdc00 && unit < 0xe000 ? limit - 1 : limit;
}

function windowsOf(marks: readonly HighlightSpan[], windowChars: number): number {
  let windows = 0;
  let end = 0;
  for (const mark of marks) {
    if (mark.start < end) continue;
    windows++;
    end = mark.start + windowChars;
  }
  return windows;
}

function spansOf(candidates: readonly Candidate[], { phrase, finder }: HighlightSpanRules): readonly HighlightSpan[] {
  if (phrase !== undefined) return phraseSpans(candidates, phrase);
  const together = finder.phrases.flatMap((phrase) => phraseSpans(candidates, phrase));
  return [...wordSpans(candidates, finder.alone), ...together].sort((a, b) => a.start - b.start);
}

function wordSpans(candidates: readonly Candidate[], alone: number): readonly HighlightSpan[] {
  return candidates.flatMap(({ start, end, words }) => {
    const word = words.find((number) => number < alone);
    return word === undefined ? [] : [{ start, end, word }];
  });
}

/** The words of each place where the phrase stands. */
function phraseSpans(
  candidates: readonly Candidate[],
  { words, slop, as, isOneSpan }: Pick<QueryPhrase, 'words' | 'slop'> & Partial<QueryPhrase>,
): readonly HighlightSpan[] {
  const ordered = candidates.toSorted((a, b) => a.position - b.position);
  const byWord = words.map((word) => ordered.filter((candidate) => candidate.words.includes(word)));
  const cursors = byWord.map(() => 0);
  return (byWord[0] ?? []).flatMap((first) => {
    const chain: Candidate[] = [first];
    for (let word = 1; word < byWord.length; word++) {
      const next = nextBehind(byWord[word] ?? [], chain.at(-1)?.position ?? 0, cursors, word);
      if (next === undefined) return [];
      chain.push(next);
    }
    const between = (chain.at(-1)?.position ?? 0) - first.position - (chain.length - 1);
    if (between > slop) return [];
    if (isOneSpan === true) return [{ start: first.start, end: chain.at(-1)?.end ?? first.end, word: as ?? 0 }];
    return chain.map(({ start, end }, index) => ({ start, end, word: as ?? words[index] ?? 0 }));
  });
}

/** The first candidate behind a position; cursors only move on, as the starts of the chains do. */
function nextBehind(
  candidates: readonly Candidate[],
  position: number,
  cursors: number[],
  word: number,
): Candidate | undefined {
  let at = cursors[word] ?? 0;
  while (at < candidates.length && (candidates[at]?.position ?? 0) <= position) at++;
  cursors[word] = at;
  return candidates[at];
}

/** In text order; of overlapping marks (a joined form and its parts) the longer ones win. */
function withoutOverlaps(marks: readonly HighlightSpan[]): readonly HighlightSpan[] {
  const kept: HighlightSpan[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (mark.start >= (kept.at(-1)?.end ?? 0)) kept.push(mark);
  }
  return kept;
}

/** A part `[start, end)` of a text with its marks. */
type Fragment = { readonly start: number; readonly end: number; readonly marks: readonly HighlightSpan[] };

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
function chooseFragments(
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
