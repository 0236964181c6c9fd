import { foldWord } from '../../text/folding.ts';
import { type Alternative, isPattern, type MatchNode, type PatternNode, type WordNode } from '../query-plan.ts';
import { DISTANCE_WEIGHTS, MAX_FUZZY_TERMS, maxEditsOf } from '../relevance.ts';
import { type QueryWord, queryWords } from '../rerank.ts';
import { dropStopWords } from '../stop-words.ts';
import { withoutAbsentName, withWordForms } from '../word-forms.ts';
import type { Engine } from './engine.ts';
import { countDocuments, wordFrequencies } from './frequencies.ts';
import { findFuzzyTerms } from './fuzzy-terms.ts';
import { type Expansion, expandPattern, patternQuery } from './plan/pattern.ts';

/** A node that adds score. */
export type Leaf = Exclude<MatchNode, { kind: 'and' | 'or' | 'some' | 'not' | 'none' }>;

/** What a plan matches, with all that the generation says about its words. */
export type Prepared = {
  /** With word forms and fuzzy terms, without stop words. */
  readonly match: MatchNode;
  readonly leaves: readonly Leaf[];
  /** Words of searched text, stop words too, with what satisfies them. */
  readonly words: readonly QueryWord[];
  readonly frequencyOf: (word: string) => number;
  readonly patterns: ReadonlyMap<PatternNode, { readonly expansion: Expansion; readonly documents: number }>;
};

/** Up to four requests: frequencies of the words, near words and their frequencies, forms of patterns. */
export async function prepareMatch(engine: Engine, asked: MatchNode): Promise<Prepared> {
  const words = withWordForms(asked, engine.generation.words);
  const first = await wordFrequencies(engine, [...allWords(words)]);
  const selecting = withoutAbsentName(dropStopWords(words), first);
  const match = await withFuzzyTerms(engine, selecting, first);
  const frequencyOf = await wordFrequencies(engine, [...allWords(match)]);
  const patterns = new Map<PatternNode, { expansion: Expansion; documents: number }>();
  for (const node of allPatterns(match)) {
    const expansion = await expandPattern(engine, node);
    const key = `pattern ${JSON.stringify(node)}`;
    await countDocuments(engine, new Map([[key, patternQuery(node, expansion)]]));
    patterns.set(node, { expansion, documents: engine.generation.frequencies.get(key) ?? 0 });
  }
  return {
    match,
    leaves: scoringLeaves(match),
    words: completeWords(words, dropStopWords(words), match),
    frequencyOf,
    patterns,
  };
}

/** Leaves that are not under a `not`, in order of the tree. */
export function scoringLeaves(node: MatchNode): readonly Leaf[] {
  return node.kind === 'not' || node.kind === 'none'
    ? []
    : isInner(node)
      ? partsOf(node).flatMap(scoringLeaves)
      : [node];
}

function isInner(node: MatchNode): node is Extract<MatchNode, { kind: 'and' | 'or' | 'some' | 'not' }> {
  return node.kind === 'and' || node.kind === 'or' || node.kind === 'some' || node.kind === 'not';
}

function partsOf(node: Extract<MatchNode, { kind: 'and' | 'or' | 'some' | 'not' }>): readonly MatchNode[] {
  return node.kind === 'some' ? [...node.must, ...node.should] : node.of;
}

/** Every node without parts, those under `not` too. */
function allLeaves(node: MatchNode): readonly MatchNode[] {
  return isInner(node) ? partsOf(node).flatMap(allLeaves) : [node];
}

function allWords(node: MatchNode): ReadonlySet<string> {
  const words = allLeaves(node).flatMap((leaf) => {
    if (leaf.kind === 'phrase') return leaf.words;
    return leaf.kind === 'word' ? [leaf.text, ...leaf.also.flatMap((list) => list.words)] : [];
  });
  return new Set(words);
}

function allPatterns(node: MatchNode): readonly PatternNode[] {
  return allLeaves(node).filter(isPattern);
}

export function rarestOf(words: readonly string[], frequencyOf: (word: string) => number): number {
  return words.length === 0 ? 0 : Math.min(...words.map(frequencyOf));
}

/** The tree with fuzzy terms as alternatives of the words that no document has, while another word has documents. */
async function withFuzzyTerms(
  engine: Engine,
  match: MatchNode,
  frequencyOf: (word: string) => number,
): Promise<MatchNode> {
  const leaves = scoringLeaves(match);
  const present = leaves.some((leaf) => {
    if (leaf.kind === 'word') return leaf.role !== 'name' && frequencyOf(leaf.text) > 0;
    return leaf.kind === 'phrase' && rarestOf(leaf.words, frequencyOf) > 0;
  });
  if (!present) return match;
  const found = new Map<MatchNode, readonly Alternative[]>();
  for (const leaf of leaves) {
    if (leaf.kind !== 'word' || leaf.fuzzy === 'never') continue;
    const maxDistance = maxEditsOf(foldWord(leaf.text));
    const isKnown = [{ words: [leaf.text] }, ...leaf.also].some(({ words }) => rarestOf(words, frequencyOf) > 0);
    if (maxDistance === 0 || isKnown) continue;
    const terms = await findFuzzyTerms(engine, leaf.text, { maxDistance, limit: MAX_FUZZY_TERMS });
    found.set(
      leaf,
      terms.map(({ text, distance }) => ({
        words: [text],
        slop: 0,
        weight: DISTANCE_WEIGHTS[distance] ?? 0,
        source: 'fuzzy',
      })),
    );
  }
  return found.size === 0
    ? match
    : replaceWords(match, (word) => ({ ...word, also: [...word.also, ...(found.get(word) ?? [])] }));
}

/** Words under `not` stay as they are. */
function replaceWords(node: MatchNode, replace: (word: WordNode) => WordNode): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => replaceWords(part, replace));
  if (node.kind === 'word') return replace(node);
  if (node.kind === 'and' || node.kind === 'or') return { kind: node.kind, of: all(node.of) };
  if (node.kind === 'some') return { kind: 'some', must: all(node.must), should: all(node.should) };
  return node;
}

/** Content words take the alternatives that they have in the whole match. */
function completeWords(words: MatchNode, selecting: MatchNode, match: MatchNode): readonly QueryWord[] {
  const complete = queryWords(match, match).values();
  return queryWords(words, selecting).map((word) =>
    word.role === 'stop' ? word : { ...word, also: complete.next().value?.also ?? [] },
  );
}
