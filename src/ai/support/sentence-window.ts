import type { ReadText, ReadWord } from './read-text.ts';
import { hasSameStem } from './same-stem.ts';
import { type SourceSentence, type SourceText, sentencesAround } from './source-text.ts';

const WINDOW_SENTENCES = 3;
const COMPARED_WINDOWS = 4;

/** Consecutive sentences of a source that may support a claim. */
export type SentenceWindow = {
  readonly sentences: readonly SourceSentence[];
  readonly source: SourceText;
  /** Weight of the claim's words that stand in the window or in the frame, of the weight of all: 0 to 1. */
  readonly coverage: number;
  /** Whether the stem of a word of the claim occurs in the window or the frame. */
  readonly isCovered: (word: ReadWord) => boolean;
};

/** The windows of a source that cover most of a claim, best first, at most four. Stems of the claim × sentences. */
export function bestWindows(claim: ReadText, source: SourceText): readonly SentenceWindow[] {
  const stems = [...claim.stems];
  const hits = source.sentences.map(() => new Set<string>());
  for (const stem of stems) for (const sentence of sentencesAround(source, stem)) hits[sentence]?.add(stem);
  const withHeadings = new Set(stems.filter((stem) => hasSameStem(source.headings.stems, stem)));
  const windows = hits.map((_, start) => {
    const covered = new Set([
      ...withHeadings,
      ...hits.slice(start, start + WINDOW_SENTENCES).flatMap((hit) => [...hit]),
    ]);
    return { start, covered, own: hits[start]?.size ?? 0, coverage: coveredShare(claim.words, covered) };
  });
  return windows
    .filter(({ own }) => own > 0)
    .sort((a, b) => b.coverage - a.coverage || b.own - a.own)
    .slice(0, COMPARED_WINDOWS)
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
