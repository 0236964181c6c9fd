import { tokenizeSpans } from '../text/tokenizer.ts';
import type { QueryPhrase, WordFinder } from './word-finder.ts';

/** A marked part of a text: `[start, end)`, and which word of the query it stands for. */
export type HighlightSpan = { readonly start: number; readonly end: number; readonly word: number };

export type HighlightSpanRules = {
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
export const LONG_TEXT_CHARS = 100_000;
const BLOCK_CHARS = 20_000;
/** Windows with a match that are chosen from in a long text. */
export const ENOUGH_WINDOWS = 20;

/** Marks of a text in its order, none over another; of a long text those of its first 20 windows with a match. */
export function findHighlightSpans(value: string, rules: HighlightSpanRules): readonly HighlightSpan[] {
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
  const together = finder.phrases.flatMap((asked) => phraseSpans(candidates, asked));
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
