import { matchesFilter, valuesOf } from '../../../src/core/filters.ts';
import {
  type Explanation,
  explainScore,
  findFailing,
  findMismatch,
  type LeafFacts,
  type Mismatch,
  type WordFacts,
} from '../../../src/search-index/explanation.ts';
import { isPattern, type MatchNode } from '../../../src/search-index/query-plan.ts';
import { countsOfTf, lengthOfCode } from '../../../src/search-index/relevance.ts';
import type { ScoredDocument } from './count-facets.ts';
import { type GroupWord, hasWord, type Leaf, matchesNode, tfByteOf } from './evaluate-match.ts';
import type { IndexedDocument } from './indexed-document.ts';
import { orderHits } from './order-hits.ts';
import type { MatchContext } from './patterns.ts';
import { type PinnedDocument, placePinned } from './pinned.ts';
import { featuresOf, type Reranked, rerankRules, type Scope } from './rerank.ts';

/** The matches of a plan. */
export type Evaluated = Scope &
  Reranked & {
    /** The plan's match with word forms and fuzzy terms, without stop words. */
    readonly match: MatchNode;
    readonly context: MatchContext;
    readonly leaves: readonly Leaf[];
    readonly pinned: readonly PinnedDocument[];
    readonly found: readonly ScoredDocument[];
    readonly results: readonly ScoredDocument[];
  };

type Generation = {
  readonly generation: number;
  readonly seq: number;
  readonly live: readonly IndexedDocument[];
  /** Also those that are deleted. */
  readonly rows: readonly IndexedDocument[];
};

/** What a search says about one document. */
export function explainDocument(
  evaluated: Evaluated,
  { generation, seq, live, rows }: Generation,
  { crawlerId, id }: { readonly crawlerId: number; readonly id: string },
): Explanation {
  const input = { generation, seq, rank: undefined, pin: undefined, score: undefined };
  const isAsked = ({ document }: IndexedDocument) => document.crawlerId === crawlerId && document.id === id;
  const indexed = live.find(isAsked);
  if (indexed === undefined) return { ...input, mismatch: { cause: 'absent', dead: rows.some(isAsked) } };
  const { results, ranked, pinned, plan, typeOf } = evaluated;
  if (!results.some((match) => match.indexed === indexed))
    return { ...input, mismatch: mismatchOf(evaluated, indexed) };
  const hits = placePinned(orderHits(ranked, plan.sort, typeOf), pinned).slice(0, plan.limit);
  const index = hits.findIndex(({ rid }) => rid === indexed.document.rid);
  return {
    ...input,
    mismatch: undefined,
    rank: index < 0 ? undefined : index + 1,
    pin: pinned.find((pin) => pin.indexed === indexed)?.rank,
    score: scoreOf(evaluated, indexed),
  };
}

function mismatchOf({ plan, match, typeOf, context }: Evaluated, indexed: IndexedDocument): Mismatch | undefined {
  const { document } = indexed;
  if (plan.removed.includes(document.id)) return { cause: 'removed' };
  return (
    findFailing('filter', plan.filter, (filter) => matchesFilter(document, filter, typeOf)) ??
    findMismatch(match, (node) => matchesNode(indexed, node, context)) ??
    findFailing('post-filter', plan.postFilter, (filter) => matchesFilter(document, filter, typeOf))
  );
}

function scoreOf(evaluated: Evaluated, indexed: IndexedDocument) {
  const { plan, match, leaves, window, context } = evaluated;
  const rules = rerankRules(evaluated);
  const own = matchesNode(indexed, match, context) ? leaves.filter((leaf) => matchesNode(indexed, leaf, context)) : [];
  return explainScore({
    leaves: own.map((leaf) => leafFacts(evaluated, indexed, leaf)),
    length: lengthOfCode(indexed.lengthCode),
    rules,
    features: window.has(indexed.document.rid) ? featuresOf(indexed, rules, evaluated) : undefined,
    boosts: plan.boosts.filter(({ field, values }) =>
      valuesOf(indexed.document, field).some((value) => values.includes(value)),
    ),
  });
}

function leafFacts({ scorer }: Evaluated, indexed: IndexedDocument, leaf: Leaf): LeafFacts {
  const factsOf = (word: GroupWord, boost: number, saturation: number, idf = scorer.idfOf(word)): WordFacts => {
    const counts = hasWord(indexed, word.text, undefined) ? countsOfTf(tfByteOf(indexed, word.text)) : undefined;
    return { text: word.text, field: word.field, idf, weight: idf * boost, saturation, counts };
  };
  if (leaf.kind === 'all') return { kind: 'all' };
  if (leaf.kind === 'filter') return { kind: 'filter', value: scorer.scoreOf(indexed, leaf) };
  if (isPattern(leaf)) {
    const text = leaf.kind === 'fuzzy' ? leaf.text : leaf.pattern;
    return { kind: 'pattern', text, value: scorer.scoreOf(indexed, leaf) };
  }
  if (leaf.kind === 'word') {
    const idf = leaf.role === 'name' ? scorer.idfOfName(leaf) : scorer.idfOf(leaf);
    return { kind: 'word', word: factsOf(leaf, leaf.boost, scorer.bestOf(indexed, leaf), idf) };
  }
  const words = leaf.words.map((text) =>
    factsOf({ text, field: leaf.field, also: [] }, leaf.boost, scorer.saturationOf(indexed, text)),
  );
  return { kind: 'phrase', words };
}
