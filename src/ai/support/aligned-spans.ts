import type { ReadText, ReadWord } from './read-text.ts';
import { hasSameStem } from './same-stem.ts';
import { coveredShare, type SentenceWindow } from './sentence-window.ts';

/** A part of a claim that claims something by itself, and the sentences of a window that say it. */
export type AlignedSpan = {
  readonly words: readonly ReadWord[];
  /** Share of its words that stand in the best one of `sentences`, or in the frame. */
  readonly coverage: number;
  /** Sentences of the window that cover it as well as any, best first. */
  readonly sentences: readonly ReadText[];
};

/** Weight of words that say something by themselves: a shorter clause belongs to its neighbour. */
const MIN_WEIGHT = 2;
/** Of one that a joining word or a full stop sets apart. */
const MIN_APART_WEIGHT = 1;
/** How much less than the best sentence another one that says the same may cover. */
const SAME_COVERAGE = 0.12;

/** Cuts a claim where its clauses end and finds the sentences of the window that bear each part. */
export function alignedSpansOf(claim: ReadText, window: SentenceWindow): readonly AlignedSpan[] {
  return partsOf(claim.words).map((words) => bearersOf(words, window));
}

type Part = { words: ReadWord[]; weight: number; readonly isApart: boolean };

function partsOf(words: readonly ReadWord[]): readonly (readonly ReadWord[])[] {
  const parts: Part[] = [];
  for (const clause of clausesOf(words)) {
    const last = parts.at(-1);
    const least = clause.isApart ? MIN_APART_WEIGHT : MIN_WEIGHT;
    if (last === undefined || last.weight >= least) {
      parts.push(clause);
    } else if (clause.isApart && parts.length > 1) {
      parts.pop();
      addTo(parts.at(-1), last);
      parts.push(clause);
    } else addTo(last, clause);
  }
  const last = parts.at(-1);
  if (last !== undefined && parts.length > 1 && last.weight < (last.isApart ? MIN_APART_WEIGHT : MIN_WEIGHT)) {
    parts.pop();
    addTo(parts.at(-1), last);
  }
  return parts.map((part) => part.words);
}

function clausesOf(words: readonly ReadWord[]): readonly Part[] {
  const clauses: Part[] = [];
  for (const [i, word] of words.entries()) {
    const last = clauses.at(-1);
    if (last === undefined || word.clause !== words[i - 1]?.clause) {
      clauses.push({ words: [word], weight: word.weight, isApart: word.isApart });
    } else addTo(last, { words: [word], weight: word.weight, isApart: false });
  }
  return clauses;
}

function addTo(part: Part | undefined, { words, weight }: Part): void {
  part?.words.push(...words);
  if (part !== undefined) part.weight += weight;
}

function bearersOf(words: readonly ReadWord[], { sentences, source }: SentenceWindow): AlignedSpan {
  const stems = [...new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem))];
  const withHeadings = stems.filter((stem) => hasSameStem(source.headings.stems, stem));
  const rated = sentences.map(({ read }) => {
    const own = stems.filter((stem) => hasSameStem(read.stems, stem));
    const alone = coveredShare(words, new Set(own));
    return { read, alone, coverage: coveredShare(words, new Set([...withHeadings, ...own])) };
  });
  const best = Math.max(0, ...rated.map(({ alone }) => alone));
  const bearing = rated.filter(({ alone }) => alone >= best - SAME_COVERAGE).sort((a, b) => b.alone - a.alone);
  return {
    words,
    coverage: Math.max(0, ...rated.map(({ coverage }) => coverage)),
    sentences: bearing.map(({ read }) => read),
  };
}
