import type { FilterNode } from '../../core/filters.ts';
import {
  EXPLAINED_HITS,
  type Explanation,
  explainScore,
  findFailing,
  findMismatch,
  type LeafFacts,
  type Mismatch,
  type ScorePart,
  type WordFacts,
} from '../explanation.ts';
import type { MatchNode, QueryPlan } from '../query-plan.ts';
import { countsOfTf, lengthOfCode } from '../relevance.ts';
import { bitWords, hasBit, setBit } from './bytes/bitset.ts';
import { collectPage } from './collect/pins.ts';
import type { CompiledNode, Leaf, WordLists } from './query/compile.ts';
import { evaluateGroup, type LeafScope } from './query/evaluate-leaf.ts';
import { TermSaturation } from './query/evaluate-terms.ts';
import { WordCursor } from './query/postings-of.ts';
import { type LeafResults, leafMatches, selectBits } from './query/select.ts';
import type { SegmentView, Snapshot } from './read/snapshot.ts';
import { ageOf } from './score/rerank.ts';
import { RerankFeatureReader } from './score/rerank-features.ts';
import type { EvaluatedPlan, Searcher } from './searcher.ts';

/** A live document of a snapshot, and the searcher that judges it. */
type Subject = {
  readonly searcher: Searcher;
  readonly snapshot: Snapshot;
  readonly plan: QueryPlan;
  readonly id: string;
  readonly view: SegmentView;
  readonly segmentIndex: number;
  readonly document: number;
  readonly asked: AskedDocuments;
};

/** The segment with nothing but the asked documents worth looking at, and what its leaves gave so far. */
type AskedDocuments = { readonly scope: LeafScope; readonly results: LeafResults };

export type ExplainedDocument = { readonly crawlerId: number; readonly id: string };

export type AskedExplanation = { readonly plan: QueryPlan; readonly documents: readonly ExplainedDocument[] };

/** The plan whose extents must be attached: that of the question, over all hits. */
export function explainedPlan(plan: QueryPlan): QueryPlan {
  const uncounted = { facets: [], ranges: [], topHits: [], counts: 'exact' } as const;
  return { ...plan, ...uncounted, offset: 0, limit: EXPLAINED_HITS, spare: 0 };
}

/**
 * What a search says about each of some documents. `plan` = `explainedPlan`. Evaluates the plan once, and each leaf once
 * more in each segment that holds one of them.
 */
export function explainDocuments(
  searcher: Searcher,
  snapshot: Snapshot,
  { plan, documents }: AskedExplanation,
): readonly Explanation[] {
  const { generation, seq } = snapshot;
  const input = { generation, seq, rank: undefined, pin: undefined, score: undefined };
  const rows = documents.map((document) => findRow(snapshot, document));
  const isAnyLive = rows.some(({ row }) => row !== undefined);
  const judge = isAnyLive ? openJudge({ searcher, snapshot, plan }, rows) : undefined;
  return rows.map((row) => judge?.(row) ?? { ...input, mismatch: { cause: 'absent', dead: row.isDead } });
}

type Row = { readonly view: SegmentView; readonly segmentIndex: number; readonly document: number };

/** The live row of a document; `isDead`: there is none, but one that was deleted. */
type FoundRow = { readonly id: string; readonly row: Row | undefined; readonly isDead: boolean };

function findRow(snapshot: Snapshot, { crawlerId, id }: ExplainedDocument): FoundRow {
  const rows = snapshot.segments.flatMap((view, segmentIndex) =>
    view.segment
      .documentsWithId(id)
      .filter((document) => snapshot.crawlers[view.segment.crawlers[document]!] === crawlerId)
      .map((document) => ({ view, segmentIndex, document })),
  );
  const row = rows.find(({ view, document }) => view.live === undefined || hasBit(view.live, document));
  return { id, row, isDead: row === undefined && rows.length > 0 };
}

/** Explains the rows of one evaluation; undefined for those that are not there. */
function openJudge(
  { searcher, snapshot, plan }: Pick<Subject, 'searcher' | 'snapshot' | 'plan'>,
  rows: readonly FoundRow[],
): (row: FoundRow) => Explanation | undefined {
  const { generation, seq } = snapshot;
  const evaluated = searcher.evaluate(snapshot, plan);
  const best = searcher.rerank(snapshot, plan, evaluated);
  const hits = collectPage(snapshot, evaluated.results, { plan, pinned: evaluated.pinned, best });
  const table = searcher.tableOf(snapshot, plan.weights);
  const askedIn = snapshot.segments.map(({ segment }, segmentIndex): AskedDocuments => {
    const accept = new Uint32Array(bitWords(segment.documents));
    for (const { row } of rows) if (row?.segmentIndex === segmentIndex) setBit(accept, row.document);
    return { scope: { segment, segmentIndex, table, accept, groups: new Map() }, results: new Map() };
  });
  return ({ id, row }) => {
    if (row === undefined) return undefined;
    const { view, segmentIndex, document } = row;
    const subject: Subject = { searcher, snapshot, plan, id, ...row, asked: askedIn[segmentIndex]! };
    const { matches, match } = placeAmong(subject, evaluated);
    if (match < 0) {
      const mismatch = mismatchOf(subject, evaluated);
      return { generation, seq, mismatch, rank: undefined, pin: undefined, score: undefined };
    }
    const index = hits.findIndex((hit) => hit.rid === view.segment.rids[document]!);
    const isInWindow = evaluated.stage.window > 0 && best.some((own) => own.matches === matches && own.match === match);
    return {
      generation,
      seq,
      mismatch: undefined,
      rank: index < 0 ? undefined : index + 1,
      pin: evaluated.pinned.find((own) => own.segment === segmentIndex && own.document === document)?.rank,
      score: scoreOf(subject, evaluated, isInWindow),
    };
  };
}

function placeAmong({ segmentIndex, document }: Subject, { results }: EvaluatedPlan) {
  const matches = results[segmentIndex]!;
  return { matches, match: matches.documents.subarray(0, matches.count).indexOf(document) };
}

function mismatchOf(subject: Subject, { selecting, match }: EvaluatedPlan): Mismatch | undefined {
  const { searcher, snapshot, plan, view, document, id } = subject;
  const passes = (filter: FilterNode) => searcher.passesFilter(snapshot, view, filter, document);
  if (plan.removed.includes(id)) return { cause: 'removed' };
  const compiled = new Map<MatchNode, CompiledNode>();
  pairNodes(selecting, match.root, compiled);
  return (
    findFailing('filter', plan.filter, passes) ??
    findMismatch(selecting, (node) => matchesNode(subject, compiled.get(node)!)) ??
    findFailing('post-filter', plan.postFilter, passes)
  );
}

/** What each node of a tree was compiled to: a tree of the same form. */
function pairNodes(node: MatchNode, compiled: CompiledNode, pairs: Map<MatchNode, CompiledNode>): void {
  pairs.set(node, compiled);
  if (node.kind === 'some' && compiled.kind === 'some') {
    for (const [i, part] of node.must.entries()) pairNodes(part, compiled.must[i]!, pairs);
    for (const [i, part] of node.should.entries()) pairNodes(part, compiled.should[i]!, pairs);
  } else if ('of' in node && 'of' in compiled) {
    for (const [i, part] of node.of.entries()) pairNodes(part, compiled.of[i]!, pairs);
  }
}

function matchesNode({ asked, document }: Subject, node: CompiledNode): boolean {
  return hasBit(selectBits(asked.scope, node, asked.results), document);
}

function scoreOf(subject: Subject, { match, stage }: EvaluatedPlan, isInWindow: boolean): ScorePart {
  const { searcher, snapshot, plan, view, segmentIndex, document } = subject;
  // A pinned document may be a hit whatever the words.
  const leaves = matchesNode(subject, match.root) ? match.leaves : [];
  const reader = isInWindow
    ? new RerankFeatureReader(view.segment, segmentIndex, stage, searcher.tableOf(snapshot, plan.weights))
    : undefined;
  return explainScore({
    leaves: leaves.flatMap((leaf) => leafFacts(subject, leaf)),
    length: lengthOfCode(view.segment.norms[document]!),
    rules: stage.rules,
    features: reader?.read(document, ageOf(stage, snapshot, view, document)),
    boosts: plan.boosts.filter(({ field, values }) =>
      searcher.passesFilter(snapshot, view, { kind: 'value', field, values }, document),
    ),
  });
}

function leafFacts(subject: Subject, leaf: Leaf): readonly LeafFacts[] {
  if (leaf.kind === 'all') return [{ kind: 'all' }];
  if (leaf.kind === 'filter') return filterFacts(subject, leaf);
  const { asked, document } = subject;
  const { scope } = asked;
  const { count, documents, scores } = leafMatches(scope, leaf, asked.results);
  const at = documents.subarray(0, count).indexOf(document);
  if (at < 0) return [];
  if (leaf.kind === 'word') {
    const { pattern, text } = leaf.word;
    if (pattern !== undefined) return [{ kind: 'pattern', text, value: scores[at]! }];
    const group = evaluateGroup(scope, leaf.word, leaf.field);
    const saturation = group.saturations[group.documents.indexOf(document)]!;
    return [{ kind: 'word', word: wordFacts(subject, leaf.word, { field: leaf.field, saturation }) }];
  }
  const words = leaf.words.map((word) => {
    const saturation = new TermSaturation(scope, word).of(document);
    return wordFacts(subject, word, { field: leaf.field, saturation });
  });
  return [{ kind: 'phrase', words }];
}

function filterFacts(
  { segmentIndex, document }: Subject,
  { bitsIn, boost }: Extract<Leaf, { kind: 'filter' }>,
): readonly LeafFacts[] {
  const bits = bitsIn(segmentIndex);
  return bits === undefined || hasBit(bits, document) ? [{ kind: 'filter', value: Math.fround(boost) }] : [];
}

function wordFacts(
  { snapshot, view, segmentIndex, document }: Subject,
  { text, idf, weight, plain }: WordLists,
  { field, saturation }: { readonly field: number | undefined; readonly saturation: number },
): WordFacts {
  const posting = new WordCursor(view.segment, plain[segmentIndex]!).seek(document);
  const counts = posting < 0 ? undefined : countsOfTf(view.segment.tfBytes[posting]!);
  return {
    text,
    field: field === undefined ? undefined : snapshot.fields[field]?.name,
    idf,
    weight,
    saturation,
    counts,
  };
}
