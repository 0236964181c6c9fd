import { escapeHtml } from '../core/escape-html.ts';
import type { HighlightSettings } from '../core/records.ts';
import type { MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { tokenizeSpans } from '../text/tokenizer.ts';
import {
  chooseFragments,
  ENOUGH_WINDOWS,
  foldBlanks,
  type HighlightSpan,
  LONG_TEXT_CHARS,
  markWhole,
} from './fragments.ts';
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
 * markup can occur. A fragment is one line. `[]` when nothing matched, unless `noMatchSize` asks for the beginning of a
 * text; a title and a whole value (`numberOfFragments` 0) stay as they are stored. Contract: 2.8.
 */
export function highlightField(field: string, values: readonly string[], rules: HighlightRules): readonly string[] {
  const { settings, language } = rules;
  const uncut = field === 'Title' || settings.numberOfFragments === 0;
  const fragments = values.flatMap((value) => {
    const marks = markWords(field, value, rules);
    if (marks.length === 0) return [];
    return uncut ? [markWhole(value, marks, settings)] : chooseFragments(value, { marks, settings, language });
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

function phraseOf({ matched, phraseSlop }: HighlightRules): HighlightSpanRules['phrase'] {
  return phraseSlop === undefined ? undefined : { words: [...matched.keys()], slop: phraseSlop };
}

function beginning(value: string, chars: number): readonly string[] {
  if (chars === 0 || value === '') return [];
  return [escapeHtml(foldBlanks([...value.slice(0, 2 * chars)].slice(0, chars).join('')))];
}

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

const BLOCK_CHARS = 20_000;

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
