import { coveredShare, type EvidenceWindow } from './evidence-window.ts';
import { hasNear } from './near-stem.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** A part of a unit that claims something by itself, and the sentences of a window that say it. */
export type Segment = {
  readonly words: readonly ReadWord[];
  /** Share of its words that stand in the best one of `sentences`, or in the frame. */
  readonly coverage: number;
  /** Sentences of the window that cover it as well as any, best first. */
  readonly sentences: readonly ReadText[];
};

/** Weight of words that say something by themselves: a shorter clause belongs to its neighbour. */
const MIN_WEIGHT = 2.5;
/** How much less than the best sentence another one that says the same may cover. */
const SAME_COVERAGE = 0.12;

/** Cuts a unit where its clauses end and finds the sentences of the window that bear each part. */
export function segmentsOf(unit: ReadText, window: EvidenceWindow): readonly Segment[] {
  return partsOf(unit.words).map((words) => bearersOf(words, window));
}

function partsOf(words: readonly ReadWord[]): readonly (readonly ReadWord[])[] {
  const parts: ReadWord[][] = [];
  let weight = 0;
  for (const [i, word] of words.entries()) {
    const last = parts.at(-1);
    const isNew = last === undefined || (word.clause !== words[i - 1]?.clause && weight >= MIN_WEIGHT);
    if (isNew) parts.push([word]);
    else last.push(word);
    weight = isNew ? word.weight : weight + word.weight;
  }
  const [last, before] = [parts.at(-1), parts.at(-2)];
  if (last !== undefined && before !== undefined && weight < MIN_WEIGHT) {
    before.push(...last);
    parts.pop();
  }
  return parts;
}

function bearersOf(words: readonly ReadWord[], { sentences, source }: EvidenceWindow): Segment {
  const stems = [...new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem))];
  const framed = stems.filter((stem) => hasNear(source.frame.stems, stem));
  const rated = sentences.map(({ read }) => {
    const own = stems.filter((stem) => hasNear(read.stems, stem));
    const alone = coveredShare(words, new Set(own));
    return { read, alone, coverage: coveredShare(words, new Set([...framed, ...own])) };
  });
  const best = Math.max(0, ...rated.map(({ alone }) => alone));
  const bearing = rated.filter(({ alone }) => alone >= best - SAME_COVERAGE).sort((a, b) => b.alone - a.alone);
  return {
    words,
    coverage: Math.max(0, ...rated.map(({ coverage }) => coverage)),
    sentences: bearing.map(({ read }) => read),
  };
}
