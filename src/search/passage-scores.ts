import { definedTerm } from '../text/definitions.ts';
import { contentHashes, stemHash } from '../text/stem-hashes.ts';
import type { AnalysedPassage, QuestionTerm, Terms } from './passage.ts';

/** Without headings and titles rank ≤ 5 drops by 11 points (answers design 3). */
const HEADING_WEIGHT = 1.6;
const TITLE_WEIGHT = 0.9;
/** b between 0.4 and 0.75 makes no difference (answers design 3). */
const K1 = 1.2;
const B = 0.6;
/** Stems of a usual passage: constant, so that a passage scores the same beside any others. */
const AVERAGE_TERMS = 60;
const LENGTH_OFFSET = 5;

export type PassageScorer = (analysed: AnalysedPassage) => number;

/** BM25 of a passage for a question: a term counts by the best of what satisfies it. O(stems of the passage). */
export function createPassageScorer(terms: readonly QuestionTerm[]): PassageScorer {
  const matchers = new Map<string, TermMatcher>();
  const matcherOf = (language: string) => {
    const matcher = matchers.get(language) ?? createTermMatcher(terms, language);
    matchers.set(language, matcher);
    return matcher;
  };
  return ({ passage, sentences, headings, title }) => {
    const matcher = matcherOf(passage.language);
    const counts = matcher.newCounts();
    let isFound = matcher.add(counts, headings, HEADING_WEIGHT);
    isFound = matcher.add(counts, title, TITLE_WEIGHT) || isFound;
    let length = LENGTH_OFFSET;
    for (const sentence of sentences) {
      isFound = matcher.add(counts, sentence, 1) || isFound;
      length += sentence.length;
    }
    if (!isFound) return 0;
    const norm = K1 * (1 - B + (B * length) / AVERAGE_TERMS);
    const saturate = (count: number) => (count * (K1 + 1)) / (count + norm);
    return terms.reduce((sum, { weight }, term) => sum + weight * matcher.best(term, counts, saturate), 0);
  };
}

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
  /** How many of the stems are a term, or what may stand for one. O(terms), a byte is looked up for most. */
  countOf(terms: Terms): number;
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
    countOf(hashes) {
      let count = 0;
      for (const hash of hashes) if (mayBe[hash % RESIDUES] !== 0 && atoms.has(hash)) count++;
      return count;
    },
  };
}

function leastOf(atoms: readonly number[], counts: Counts): number {
  let least = Number.POSITIVE_INFINITY;
  for (const atom of atoms) least = Math.min(least, counts[atom] ?? 0);
  return Number.isFinite(least) ? least : 0;
}

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
  const mayBe = new Uint8Array(RESIDUES);
  const hashes = terms.map(({ text }) => stemHash(text, language));
  for (const pair of pairs) {
    const [first = 0, second = 0] = [hashes[pair.first], hashes[pair.second]];
    wanted.set(first, (wanted.get(first) ?? new Map()).set(second, pair));
    wanted.set(second, (wanted.get(second) ?? new Map()).set(first, pair));
    mayBe[first % RESIDUES] = 1;
    mayBe[second % RESIDUES] = 1;
  }
  return (sentences) => {
    const found = new Set<Pair>();
    for (const sentence of sentences) addFound(found, { wanted, mayBe }, sentence);
    if (found.size === 0) return 0;
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

type WantedPairs = {
  readonly wanted: ReadonlyMap<number, ReadonlyMap<number, Pair>>;
  /** 0 at the residues that none of the wanted words has. */
  readonly mayBe: Uint8Array;
};

function addFound(found: Set<Pair>, { wanted, mayBe }: WantedPairs, sentence: Terms): void {
  for (let at = 0; at < sentence.length; at++) {
    const hash = sentence[at] ?? 0;
    if (mayBe[hash % RESIDUES] === 0) continue;
    const partners = wanted.get(hash);
    if (partners === undefined) continue;
    const end = Math.min(sentence.length, at + MAX_BETWEEN.text + 2);
    for (let other = at + 1; other < end; other++) {
      const pair = partners.get(sentence[other] ?? 0);
      if (pair !== undefined) found.add(pair);
    }
  }
}

/** A name with more words than the subject and this many is another thing. */
const SPARE_WORDS = 1;

export type SubjectSentence = { readonly text: string; readonly terms: Terms; readonly language: string };

/**
 * Whether a sentence says what the subject is: its name, of nearly no other words, before a verb of defining. The
 * words of the subject are looked for first, which settles nearly all sentences.
 */
export function definesSubject(subject: readonly string[], { text, terms, language }: SubjectSentence): boolean {
  if (subject.length === 0) return false;
  const wanted = hashesOf(subject, language);
  if (!wanted.every((hash) => terms.includes(hash))) return false;
  const name = definedTerm(text, language);
  if (name === undefined) return false;
  const named = contentHashes(name, language);
  return named.length <= wanted.length + SPARE_WORDS && wanted.every((hash) => named.includes(hash));
}

/** Kept with the subject: it is compared with hundreds of sentences. */
const hashesBySubject = new WeakMap<readonly string[], Map<string, readonly number[]>>();

function hashesOf(subject: readonly string[], language: string): readonly number[] {
  const byLanguage = hashesBySubject.get(subject) ?? new Map<string, readonly number[]>();
  hashesBySubject.set(subject, byLanguage);
  const hashes = byLanguage.get(language) ?? [...new Set(subject.map((word) => stemHash(word, language)))];
  byLanguage.set(language, hashes);
  return hashes;
}
