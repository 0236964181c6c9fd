import type { TermsOfWord } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { forEachDocument, TermSaturation } from './evaluate-terms.ts';
import { type Intersection, intersectWords } from './intersect.ts';
import { matchesPhrase } from './phrase.ts';
import type { WordPostings } from './postings-of.ts';

export type PhraseOfTerms = {
  readonly words: readonly TermsOfWord[];
  readonly slop: number;
  /** Undefined = searched text, -1 = a field that no document has. */
  readonly field: number | undefined;
};

/** Visits the documents with a phrase, ascending, each with the Ts of its words. O(rarest df + its positions). */
export function forEachPhrase(
  scope: LeafScope,
  phrase: PhraseOfTerms,
  visit: (document: number, saturations: readonly TermSaturation[]) => void,
): void {
  const { words, field } = phrase;
  if (words.length === 0 || field === -1) return;
  const saturations = words.map((terms) => new TermSaturation(scope, terms));
  const { segment, segmentIndex, accept } = scope;
  const candidates = (lists: (terms: TermsOfWord) => TermsOfWord['plain']): Intersection => {
    const sources = words.map((terms) => ({ lists: lists(terms)[segmentIndex]!, group: undefined }));
    return intersectWords(segment, sources, accept);
  };
  const plain = candidates((terms) => terms.plain);
  const hidden = field === undefined ? NOWHERE : candidates((terms) => terms.hidden);
  const inPlain = matchesPhrase(segment, phrase, false);
  const inHidden = matchesPhrase(segment, phrase, true);
  forEachDocument(rowsOf(plain), rowsOf(hidden), (document, i, j) => {
    const matches =
      (i >= 0 && inPlain(document, plain.postings, i)) || (j >= 0 && inHidden(document, hidden.postings, j));
    if (matches) visit(document, saturations);
  });
}

const NOWHERE: Intersection = { count: 0, documents: new Uint32Array(0), postings: [] };

/** Documents with their places in the intersection. */
function rowsOf({ count, documents }: Intersection): WordPostings {
  const postings = new Uint32Array(count);
  for (let i = 0; i < count; i++) postings[i] = i;
  return { count, documents, postings };
}
