import type { ConcatenatedSources } from './concatenated-sources.ts';
import type { ReadText } from './read-text.ts';

/** Words that each half has at least. */
const MIN_WORDS = 2;

/**
 * Whether a claim is nothing but the beginning of one sentence's words and the end of another one's, cut where neither
 * pauses. Words of the claim × their places.
 */
export function isPrefixSuffixSplice(claim: ReadText, source: ConcatenatedSources): boolean {
  const { words } = claim;
  const heads = headsOf(
    words.map(({ word }) => word),
    source,
  );
  const tails = tailsOf(
    words.map(({ word }) => word),
    source,
  );
  const [head, tail] = [heads.length, tails.length];
  if (head >= words.length || tail >= words.length || head < MIN_WORDS || tail < MIN_WORDS) return false;
  if (head + tail < words.length) return false;
  for (let at = words.length - tail; at <= head; at++) {
    const ends = heads[at - 1] ?? [];
    const starts = tails[words.length - at - 1] ?? [];
    if (ends.some((end) => starts.some((start) => mayMeet(end, start, source)))) return false;
  }
  return true;
}

function mayMeet(end: number, start: number, { words }: ConcatenatedSources): boolean {
  const [last, first] = [words[end], words[start]];
  if (last === undefined || first === undefined) return false;
  if (last.sentence === first.sentence && start > end) return true;
  return last.endsClause && words[start - 1]?.sentence !== first.sentence;
}

/** For each length of a beginning of the words, where its last word stands in the source. */
function headsOf(words: readonly string[], source: ConcatenatedSources): readonly (readonly number[])[] {
  const heads: (readonly number[])[] = [];
  let ends: readonly number[] = source.places.get(words[0] ?? '') ?? [];
  for (let length = 1; ends.length > 0; length++) {
    heads.push(ends);
    ends = ends.map((end) => end + 1).filter((at) => continues(at, at - 1, { word: words[length], source }));
  }
  return heads;
}

/** For each length of an end of the words, where its first word stands in the source. */
function tailsOf(words: readonly string[], source: ConcatenatedSources): readonly (readonly number[])[] {
  const tails: (readonly number[])[] = [];
  let starts: readonly number[] = source.places.get(words.at(-1) ?? '') ?? [];
  for (let length = 1; starts.length > 0; length++) {
    tails.push(starts);
    const word = words.at(-length - 1);
    starts = starts.map((start) => start - 1).filter((at) => continues(at, at + 1, { word, source }));
  }
  return tails;
}

type Step = { readonly word: string | undefined; readonly source: ConcatenatedSources };

function continues(at: number, from: number, { word, source }: Step): boolean {
  const there = source.words[at];
  return word !== undefined && there?.word === word && there.sentence === source.words[from]?.sentence;
}
