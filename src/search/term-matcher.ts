import { stemHash } from '../text/stem-hashes.ts';
import type { QuestionTerm, Terms } from './retrieved-passages.ts';

/** How often each stem that a question asks for was found, times the weight of where it stands. */
export type Counts = Float32Array;

/** Finds the words of a question, and what may stand for them, among the stems of one language. */
export type TermMatcher = {
  /** Nothing found; the caller's own. */
  newCounts(): Counts;
  /** Adds what stands in `terms`; false when that is nothing. O(terms). */
  add(counts: Counts, terms: Terms, weight: number): boolean;
  /** The best share, 0 to 1, to which counts satisfy the term of this index. */
  strength(term: number, counts: Counts): number;
  /** Highest value over the ways to satisfy a term: weight of the way times `saturate` of its count. */
  best(term: number, counts: Counts, saturate: (count: number) => number): number;
  /** Whether a term, or what may stand for one, is this hash. */
  has(hash: number): boolean;
};

type Way = { readonly atoms: readonly number[]; readonly weight: number };

/** Most words of a text are none of a question: a byte per residue tells it without a look-up. */
const RESIDUES = 4_096;

/** O(terms · alternatives) to make. */
export function createTermMatcher(terms: readonly QuestionTerm[], language: string): TermMatcher {
  const atoms = new Map<number, number>();
  const mayBe = new Uint8Array(RESIDUES);
  const atomOf = (word: string) => {
    const hash = stemHash(word, language);
    const atom = atoms.get(hash) ?? atoms.size;
    atoms.set(hash, atom);
    mayBe[hash % RESIDUES] = 1;
    return atom;
  };
  const ways = terms.map(({ text, alternatives }): readonly Way[] => [
    { atoms: [atomOf(text)], weight: 1 },
    ...alternatives.map(({ words, weight }) => ({ atoms: words.map(atomOf), weight })),
  ]);
  const best: TermMatcher['best'] = (term, found, saturate) => {
    let highest = 0;
    for (const way of ways[term] ?? []) {
      const count = leastOf(way.atoms, found);
      if (count > 0) highest = Math.max(highest, way.weight * saturate(count));
    }
    return highest;
  };
  return {
    newCounts: () => new Float32Array(atoms.size),
    add(counts, hashes, weight) {
      let isFound = false;
      for (const hash of hashes) {
        if (mayBe[hash % RESIDUES] === 0) continue;
        const atom = atoms.get(hash);
        if (atom === undefined) continue;
        isFound = true;
        counts[atom] = (counts[atom] ?? 0) + weight;
      }
      return isFound;
    },
    strength: (term, found) => best(term, found, () => 1),
    best,
    has: (hash) => atoms.has(hash),
  };
}

function leastOf(atoms: readonly number[], counts: Counts): number {
  let least = Number.POSITIVE_INFINITY;
  for (const atom of atoms) least = Math.min(least, counts[atom] ?? 0);
  return Number.isFinite(least) ? least : 0;
}
