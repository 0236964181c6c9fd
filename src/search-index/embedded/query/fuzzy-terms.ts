import { foldWord } from '../../../text/folding.ts';
import { bestFuzzyTerms } from '../../relevance.ts';
import type { FuzzyOptions, FuzzyTerm } from '../../search-index.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { checkStop } from '../stop-point.ts';
import { forEachFuzzySurface } from '../term-dictionary/surface-scan.ts';

/** A fuzzy term over the segments seen so far; `most` = documents of the segment whose written form it takes. */
type Candidate = { distance: number; documents: number; most: number; display: string };

/**
 * Words of searched text near a word that live documents have. O(words of similar length per segment), and the
 * documents of the candidates where a segment has dead ones.
 */
export function findFuzzyTerms(
  { segments }: Snapshot,
  counts: LiveCounts,
  word: string,
  { minDistance = 1, maxDistance, limit }: FuzzyOptions,
): readonly FuzzyTerm[] {
  const candidates = new Map<string, Candidate>();
  for (const view of segments) {
    const { dictionary } = view.segment;
    forEachFuzzySurface(view.segment, foldWord(word), maxDistance, (entry, distance) => {
      checkStop();
      if (distance < minDistance || dictionary.hasDigit(entry)) return;
      const documents = counts.ofSurface(view, entry);
      if (documents === 0) return;
      const text = dictionary.entries.at(entry);
      const known = candidates.get(text) ?? { distance, documents: 0, most: 0, display: text };
      candidates.set(text, known);
      known.documents += documents;
      if (documents <= known.most) return;
      known.most = documents;
      known.display = dictionary.surfaces.displayOf(entry) ?? text;
    });
  }
  const words = [...candidates].map(([text, { display, documents, distance }]) => {
    return { text, display, documents, distance };
  });
  return bestFuzzyTerms(words, limit);
}

/** Live documents that have a word as it is written, accents aside, in searched text. O(log entries) per segment. */
export function surfaceFrequency({ segments }: Snapshot, counts: LiveCounts, word: string): number {
  const folded = foldWord(word);
  let documents = 0;
  for (const view of segments) {
    const { dictionary } = view.segment;
    const entry = dictionary.entries.find(folded);
    if (entry >= 0 && dictionary.isSurface(entry)) documents += counts.ofSurface(view, entry);
  }
  return documents;
}
