import { stemHash } from '../text/stem-hashes.ts';
import type { QuestionTerm, Terms } from './retrieved-passages.ts';

/** Words that stand side by side in the question, by their places among its terms. */
type Pair = { readonly first: number; readonly second: number; readonly weight: number };

/** Words between two of the question, and of a text, that do not part them. */
const MAX_BETWEEN = { question: 1, text: 2 } as const;

/**
 * Share of the weight of the question's neighbouring words that are neighbours in one of the sentences too, in either
 * order: `log file`, `file of the log`. 0 for a question of one word. O(stems of the sentences).
 */
export type PairScorer = (sentences: readonly Terms[]) => number;

export function createPairScorer(
  { terms, written }: { readonly terms: readonly QuestionTerm[]; readonly written: readonly string[] },
  language: string,
): PairScorer {
  const pairs = pairsOf(terms, written);
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return () => 0;
  const wanted = new Map<number, Map<number, Pair>>();
  const hashes = terms.map(({ text }) => stemHash(text, language));
  for (const pair of pairs) {
    const [first = 0, second = 0] = [hashes[pair.first], hashes[pair.second]];
    wanted.set(first, (wanted.get(first) ?? new Map()).set(second, pair));
    wanted.set(second, (wanted.get(second) ?? new Map()).set(first, pair));
  }
  return (sentences) => {
    const found = new Set<Pair>();
    for (const sentence of sentences) addFound(found, wanted, sentence);
    return [...found].reduce((sum, { weight }) => sum + weight, 0) / total;
  };
}

function pairsOf(terms: readonly QuestionTerm[], written: readonly string[]): readonly Pair[] {
  const positions = new Map(terms.map(({ text }, index) => [text, index]));
  const inOrder = written.flatMap((word, at) => {
    const term = positions.get(word);
    return term === undefined ? [] : [{ term, at }];
  });
  return inOrder.slice(1).flatMap(({ term: second, at }, index): readonly Pair[] => {
    const before = inOrder[index];
    if (before === undefined || at - before.at > MAX_BETWEEN.question + 1 || before.term === second) return [];
    const weight = Math.min(terms[before.term]?.weight ?? 0, terms[second]?.weight ?? 0);
    return [{ first: before.term, second, weight }];
  });
}

function addFound(found: Set<Pair>, wanted: ReadonlyMap<number, ReadonlyMap<number, Pair>>, sentence: Terms): void {
  for (const [at, hash] of sentence.entries()) {
    const partners = wanted.get(hash);
    if (partners === undefined) continue;
    for (const other of sentence.subarray(at + 1, at + MAX_BETWEEN.text + 2)) {
      const pair = partners.get(other);
      if (pair !== undefined) found.add(pair);
    }
  }
}
