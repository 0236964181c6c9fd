import { escapeHtml } from '../core/escape-html.ts';
import type { HighlightSettings } from '../core/records.ts';
import { textClassOfValue } from '../search-index/relevance.ts';
import type { MatchedWord } from '../search-index/search-index.ts';
import { analyzeText } from '../text/analyzer.ts';
import { type AskedWords, type Mark, phraseMarks, wordMarks } from './highlight-marks.ts';

export type HighlightRules = {
  readonly matched: readonly MatchedWord[];
  /** Set when the query is one phrase, whose words are `matched`: they are marked only where it stands. */
  readonly phraseSlop?: number | undefined;
  /** Language of the document. */
  readonly language: string;
  readonly settings: HighlightSettings;
};

/** Borders that windows start and end at, in text order. */
type Words = { readonly start: number; readonly end: number }[];

type Fragment = { readonly start: number; readonly end: number; readonly marks: readonly Mark[] };

/** Texts are read in blocks of this size; after the first, the first 20 marks are enough (search-engine design 15). */
const BLOCK_CHARS = 100_000;
const ENOUGH_MARKS = 20;
const DISTINCT_WORD_VALUE = 4;

/**
 * Fragments of a field's values with the matched words in tags; everything else is escaped first, so that no other
 * markup can occur. `[]` when nothing matched, unless `noMatchSize` asks for the beginning of a text. Contract: 2.8.
 */
export function highlightField(field: string, values: readonly string[], rules: HighlightRules): readonly string[] {
  const { settings } = rules;
  const uncut = field === 'Title' || settings.numberOfFragments === 0;
  const fragments = values.flatMap((value) => {
    const { marks, words } = readMarks(field, value, rules);
    if (marks.length === 0) return [];
    const whole = { start: 0, end: value.length, marks };
    const chosen = uncut ? [whole] : chooseFragments(value, { marks, words }, settings);
    return chosen.map((fragment) => render(value, fragment, settings));
  });
  if (fragments.length > 0) return uncut ? fragments.slice(0, 1) : fragments.slice(0, settings.numberOfFragments);
  return field === 'Title' ? [] : beginning(values[0] ?? '', settings.noMatchSize);
}

/** Marks and words of a value, block by block until there are enough. */
function readMarks(field: string, value: string, { matched, phraseSlop, language }: HighlightRules) {
  const marks: Mark[] = [];
  const words: Words = [];
  const asked = askedWords(field, value, matched);
  if (asked.every((stems) => stems === undefined)) return { marks, words };
  for (let from = 0; from < value.length && (from === 0 || marks.length < ENOUGH_MARKS); ) {
    const to = blockEnd(value, from);
    const { tokens } = analyzeText(value.slice(from, to), language);
    for (const { start, end } of tokens) {
      // A joined form comes after its parts, whose borders are enough.
      if (from + start >= (words.at(-1)?.start ?? 0)) words.push({ start: from + start, end: from + end });
    }
    const found = phraseSlop === undefined ? wordMarks(tokens, asked) : phraseMarks(tokens, asked, phraseSlop);
    for (const { start, end, word } of found) marks.push({ start: from + start, end: from + end, word });
    from = to;
  }
  return { marks: withoutOverlaps(marks), words };
}

/** Words without a field are asked of searched texts, words with one of their field only. */
function askedWords(field: string, value: string, matched: readonly MatchedWord[]): AskedWords {
  const searched = textClassOfValue(field, value) !== 'none';
  return matched.map((word) => ((word.field === undefined ? searched : word.field === field) ? word.forms : undefined));
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

/** In text order; of overlapping marks (a joined form and its parts) the longer ones win. */
function withoutOverlaps(marks: readonly Mark[]): readonly Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (mark.start >= (kept.at(-1)?.end ?? 0)) kept.push(mark);
  }
  return kept;
}

/** The best windows that do not overlap, by distinct words × 4 + marks, in text order. */
function chooseFragments(
  value: string,
  { marks, words }: { readonly marks: readonly Mark[]; readonly words: Words },
  { fragmentSize, numberOfFragments }: HighlightSettings,
): readonly Fragment[] {
  const candidates = marks.slice(0, value.length > BLOCK_CHARS ? ENOUGH_MARKS : marks.length).map((mark) => {
    const window = windowAround(value, { mark, words, size: fragmentSize });
    const inside = marks.filter(({ start, end }) => start >= window.start && end <= window.end);
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

function distinctWords(marks: readonly Mark[]): number {
  return new Set(marks.map(({ word }) => word)).size;
}

/** About `size` characters from a word border, with a quarter of them before the mark, and never without the mark. */
function windowAround(
  value: string,
  { mark, words, size }: { readonly mark: Mark; readonly words: Words; readonly size: number },
): { readonly start: number; readonly end: number } {
  if (value.length <= size) return { start: 0, end: value.length };
  const earliest = Math.max(0, Math.min(mark.start - Math.floor(size / 4), value.length - size));
  const first = words[lowerBound(words, earliest)];
  const start = earliest === 0 ? 0 : Math.min(first?.start ?? mark.start, mark.start);
  if (start + size >= value.length) return { start, end: value.length };
  let last = lowerBound(words, start + size + 1) - 1;
  while (last >= 0 && (words[last]?.end ?? 0) > start + size) last--;
  return { start, end: Math.max(words[last]?.end ?? 0, mark.end) };
}

/** Index of the first word that starts at `from` or later. */
function lowerBound(words: Words, from: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
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
