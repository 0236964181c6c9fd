import { compareCodePoints } from '../../../src/core/compare-text.ts';
import type { Alternative, MatchNode, WordNode } from '../../../src/search-index/query-plan.ts';
import { bestFuzzyTerms, DISTANCE_WEIGHTS, MAX_FUZZY_TERMS, maxEditsOf } from '../../../src/search-index/relevance.ts';
import type { FuzzyOptions, FuzzyTerm } from '../../../src/search-index/search-index.ts';
import { foldWord } from '../../../src/text/folding.ts';
import { editDistance } from './edit-distance.ts';
import { rarestOf, scoringLeaves } from './evaluate-match.ts';
import type { IndexedDocument } from './indexed-document.ts';

/** Surface words of searched text near a word. Compares it with every distinct one. */
export function findFuzzyTerms(
  live: readonly IndexedDocument[],
  word: string,
  { minDistance = 1, maxDistance, limit }: FuzzyOptions,
): readonly FuzzyTerm[] {
  const asked = foldWord(word);
  const found: FuzzyTerm[] = [];
  for (const [text, { documents, forms }] of surfacesOf(live)) {
    const distance = editDistance(asked, text);
    if (distance < minDistance || distance > maxDistance || /\d/.test(text)) continue;
    const [display = text] = [...forms].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))[0] ?? [];
    found.push({ text, display, documents, distance });
  }
  return bestFuzzyTerms(found, limit);
}

/** Documents in whose searched text a word is written, accents aside. */
export function surfaceFrequency(live: readonly IndexedDocument[], word: string): number {
  return surfacesOf(live).get(foldWord(word))?.documents ?? 0;
}

/** The tree with fuzzy terms as alternatives of the words that no document has, while another word has documents. */
export function withFuzzyTerms(match: MatchNode, live: readonly IndexedDocument[]): MatchNode {
  const present = scoringLeaves(match).some((leaf) => {
    if (leaf.kind === 'word') return leaf.role !== 'name' && rarestOf(live, [leaf.text]) > 0;
    return leaf.kind === 'phrase' && rarestOf(live, leaf.words) > 0;
  });
  return present ? replaceWords(match, (word) => ({ ...word, also: [...word.also, ...fuzzyOf(word, live)] })) : match;
}

function fuzzyOf({ text, fuzzy, also }: WordNode, live: readonly IndexedDocument[]): readonly Alternative[] {
  const maxDistance = maxEditsOf(foldWord(text));
  const isKnown = [{ words: [text] }, ...also].some(({ words }) => rarestOf(live, words) > 0);
  if (fuzzy === 'never' || maxDistance === 0 || isKnown) return [];
  return findFuzzyTerms(live, text, { maxDistance, limit: MAX_FUZZY_TERMS }).map((found) => {
    return { words: [found.text], slop: 0, weight: DISTANCE_WEIGHTS[found.distance] ?? 0, source: 'fuzzy' };
  });
}

/** Words under `not` stay as they are. */
function replaceWords(node: MatchNode, replace: (word: WordNode) => WordNode): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => replaceWords(part, replace));
  if (node.kind === 'word') return replace(node);
  if (node.kind === 'and' || node.kind === 'or') return { kind: node.kind, of: all(node.of) };
  if (node.kind === 'some') return { kind: 'some', must: all(node.must), should: all(node.should) };
  return node;
}

type Surface = { documents: number; readonly forms: Map<string, number> };

/** Folded words of searched text, each with its documents and how often each written form stands for it. */
function surfacesOf(live: readonly IndexedDocument[]): ReadonlyMap<string, Surface> {
  const surfaces = new Map<string, Surface>();
  for (const { runs } of live) {
    const written = runs.filter(({ textClass }) => textClass !== 'none').flatMap(({ tokens }) => tokens);
    for (const { surface } of written) {
      const folded = foldWord(surface);
      const { forms } = surfaces.get(folded) ?? { forms: new Map<string, number>() };
      forms.set(surface, (forms.get(surface) ?? 0) + 1);
      surfaces.set(folded, { documents: surfaces.get(folded)?.documents ?? 0, forms });
    }
    for (const folded of new Set(written.map(({ surface }) => foldWord(surface)))) {
      const found = surfaces.get(folded);
      if (found !== undefined) found.documents++;
    }
  }
  return surfaces;
}
