import type { ReadWord } from './read-text.ts';

/** Words of a claim and of a sentence that stand for each other, between words that are the same. */
export type Difference = { readonly mine: readonly ReadWord[]; readonly theirs: readonly ReadWord[] };

/** The stretch of a claim that repeats a stretch of a sentence, and where it does not. `[start, end)` of the claim. */
export type Alignment = {
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** Behind the stretch of the sentence. */
  readonly theirEnd: number;
  readonly differences: readonly Difference[];
};

const MATCH = 2;
const GAP = -1;

/**
 * The best local alignment of two word lists (Smith and Waterman 1981): same words count 2, a word left out, put in or
 * exchanged costs 1. Words of the one × words of the other.
 */
export function alignWords(mine: readonly ReadWord[], theirs: readonly ReadWord[]): Alignment {
  const width = theirs.length + 1;
  const scores = new Int16Array((mine.length + 1) * width);
  let best = 0;
  for (let i = 1; i <= mine.length; i++) {
    for (let j = 1; j <= theirs.length; j++) {
      const at = i * width + j;
      const isSame = mine[i - 1]?.word === theirs[j - 1]?.word;
      const diagonal = (scores[at - width - 1] ?? 0) + (isSame ? MATCH : GAP);
      const score = Math.max(0, diagonal, (scores[at - width] ?? 0) + GAP, (scores[at - 1] ?? 0) + GAP);
      scores[at] = score;
      if (score > (scores[best] ?? 0)) best = at;
    }
  }
  return trace({ mine, theirs, scores, width }, best);
}

type Table = {
  readonly mine: readonly ReadWord[];
  readonly theirs: readonly ReadWord[];
  readonly scores: Int16Array;
  readonly width: number;
};

/** Follows the best score back to its beginning and collects what differs on the way. */
function trace({ mine, theirs, scores, width }: Table, best: number): Alignment {
  const differences: { mine: ReadWord[]; theirs: ReadWord[] }[] = [];
  let isOpen = false;
  let at = best;
  while ((scores[at] ?? 0) > 0) {
    const [word, other] = [mine[Math.floor(at / width) - 1], theirs[(at % width) - 1]];
    const isSame = word?.word === other?.word;
    const step = stepBack({ scores, width, at, isSame });
    const isDifferent = step !== width + 1 || !isSame;
    if (isDifferent && !isOpen) differences.push({ mine: [], theirs: [] });
    isOpen = isDifferent;
    if (isDifferent && word !== undefined && step !== 1) differences.at(-1)?.mine.push(word);
    if (isDifferent && other !== undefined && step !== width) differences.at(-1)?.theirs.push(other);
    at -= step;
  }
  return {
    score: scores[best] ?? 0,
    start: Math.floor(at / width),
    end: Math.floor(best / width),
    theirEnd: best % width,
    differences,
  };
}

type Cell = Pick<Table, 'scores' | 'width'> & { readonly at: number; readonly isSame: boolean };

/** To the cell that the score of this one comes from: both words, a word of the claim, a word of the sentence. */
function stepBack({ scores, width, at, isSame }: Cell): number {
  const score = scores[at] ?? 0;
  if (score === (scores[at - width - 1] ?? 0) + (isSame ? MATCH : GAP)) return width + 1;
  return score === (scores[at - width] ?? 0) + GAP ? width : 1;
}
