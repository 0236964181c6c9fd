import { hasNear } from './near-stem.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import { type SourceSentence, type SourceText, sentencesNear } from './source-text.ts';

const WINDOW_SENTENCES = 3;
const TRIED_WINDOWS = 4;

/** Consecutive sentences of a source that may support a unit. */
export type EvidenceWindow = {
  readonly sentences: readonly SourceSentence[];
  readonly source: SourceText;
  /** Weight of the unit's words that stand in the window or in the frame, of the weight of all: 0 to 1. */
  readonly coverage: number;
  /** Whether the stem of a word of the unit occurs in the window or the frame. */
  readonly isCovered: (word: ReadWord) => boolean;
};

/** The windows of a source that cover most of a unit, best first, at most four. Stems of the unit × sentences. */
export function bestWindows(unit: ReadText, source: SourceText): readonly EvidenceWindow[] {
  const stems = [...unit.stems];
  const hits = source.sentences.map(() => new Set<string>());
  for (const stem of stems) for (const sentence of sentencesNear(source, stem)) hits[sentence]?.add(stem);
  const framed = new Set(stems.filter((stem) => hasNear(source.frame.stems, stem)));
  const windows = hits.map((_, start) => {
    const covered = new Set([...framed, ...hits.slice(start, start + WINDOW_SENTENCES).flatMap((hit) => [...hit])]);
    return { start, covered, own: hits[start]?.size ?? 0, coverage: coveredShare(unit.words, covered) };
  });
  return windows
    .filter(({ own }) => own > 0)
    .sort((a, b) => b.coverage - a.coverage || b.own - a.own)
    .slice(0, TRIED_WINDOWS)
    .map(({ start, covered, coverage }) => ({
      sentences: source.sentences.slice(start, start + WINDOW_SENTENCES),
      source,
      coverage,
      isCovered: ({ stem }) => covered.has(stem),
    }));
}

/** Weight of the covered words, of the weight of all; each stem counts once. 0 for a text without content. */
export function coveredShare(words: readonly ReadWord[], covered: ReadonlySet<string>): number {
  const seen = new Set<string>();
  let total = 0;
  let found = 0;
  for (const { stem, weight } of words) {
    if (weight === 0 || seen.has(stem)) continue;
    seen.add(stem);
    total += weight;
    if (covered.has(stem)) found += weight;
  }
  return total === 0 ? 0 : found / total;
}
