import { z } from 'zod';
import type { FilterNode } from '../../core/filters.ts';
import { stemTerm } from '../../text/term-keys.ts';
import {
  EXPLAINED_HITS,
  type Explanation,
  explainScore,
  findFailing,
  findMismatch,
  type LeafFacts,
  type Mismatch,
  type WordFacts,
} from '../explanation.ts';
import { isPattern, type MatchNode, type QueryPlan, type WordNode } from '../query-plan.ts';
import { countsOfTf, weightedSaturation } from '../relevance.ts';
import { usesReranking } from '../rerank.ts';
import { type Candidate, readCandidates } from './candidates.ts';
import type { Json } from './connection.ts';
import { type Engine, searchEngine } from './engine.ts';
import { IS_DOCUMENT } from './generation.ts';
import { findPinned } from './pins.ts';
import { filterQuery } from './plan/filter.ts';
import { idfOf, leafScore, matchQuery, type Scope, wordIdf } from './plan/match.ts';
import { listQuery } from './plan/word-lists.ts';
import type { Leaf } from './prepare-plan.ts';
import { featuresOf, rerankRules, saturationOf } from './rerank.ts';
import { prepareScope, searchGeneration } from './search.ts';

type DocumentName = { readonly crawlerId: number; readonly id: string };

const NamedSchema = z.object({
  hits: z.object({
    hits: z.array(z.object({ _id: z.string(), matched_queries: z.array(z.string()).optional() })),
  }),
});

/** What a search says about documents. Two searches of the plan, and some requests for each document. */
export async function explainDocuments(
  engine: Engine,
  asked: QueryPlan,
  documents: readonly DocumentName[],
): Promise<readonly Explanation[]> {
  if (documents.length === 0) return [];
  const plan: QueryPlan = { ...asked, offset: 0, limit: EXPLAINED_HITS, spare: 0 };
  const { hits } = await searchGeneration(engine, plan);
  const scope = await prepareScope(engine, plan);
  const window = await windowOf(engine, plan);
  const explanations: Explanation[] = [];
  for (const document of documents) {
    explanations.push(await explainDocument({ engine, plan, scope, hits, window }, document));
  }
  return explanations;
}

type Explaining = {
  readonly engine: Engine;
  readonly plan: QueryPlan;
  readonly scope: Scope;
  readonly hits: readonly { readonly rid: number }[];
  /** Row ids of those that get bonuses. */
  readonly window: ReadonlySet<number>;
};

async function windowOf(engine: Engine, plan: QueryPlan): Promise<ReadonlySet<number>> {
  if (!usesReranking(plan)) return new Set();
  const first = { ...plan, pins: [], limit: plan.weights.window, weights: { ...plan.weights, window: 0 } };
  const { hits } = await searchGeneration(engine, first);
  return new Set(hits.map(({ rid }) => rid));
}

async function explainDocument(explaining: Explaining, document: DocumentName): Promise<Explanation> {
  const { engine, plan, hits } = explaining;
  const { number, seq } = engine.generation;
  const input = { generation: number, seq, rank: undefined, pin: undefined, score: undefined };
  const looked = await lookAt(explaining, document);
  if (looked === undefined) return { ...input, mismatch: { cause: 'absent', dead: false } };
  const pinned = (await findPinned(engine, plan)).find(({ rid }) => rid === looked.rid);
  const mismatch = mismatchOf(explaining, document, looked);
  if (mismatch !== undefined && pinned === undefined) return { ...input, mismatch };
  const index = hits.findIndex(({ rid }) => rid === looked.rid);
  return {
    ...input,
    mismatch: undefined,
    rank: index < 0 ? undefined : index + 1,
    pin: pinned?.rank,
    score: await scoreOf(explaining, looked),
  };
}

/** A document with what of the plan it matches. */
type Looked = {
  readonly rid: number;
  readonly matches: (node: MatchNode) => boolean;
  readonly passes: (filter: FilterNode) => boolean;
  /** Whether it has the words of an alternative of a leaf, 0 = the word itself. */
  readonly hasList: (leaf: Leaf, list: number) => boolean;
};

/** Asks about every node of the plan in one request, each by a name. */
async function lookAt(
  { engine, plan, scope }: Explaining,
  { crawlerId, id }: DocumentName,
): Promise<Looked | undefined> {
  const names = new Map<object, string>();
  const named: Json[] = [];
  const ask = (key: object, query: Json) => {
    names.set(key, `q${named.length}`);
    named.push({ bool: { filter: [query], _name: `q${named.length}` } });
  };
  for (const node of nodesOf(scope.match)) ask(node, matchQuery(node, scope));
  const filters = [plan.filter, plan.postFilter].flatMap(filtersOf);
  for (const filter of filters) ask(filter, filterQuery(filter, scope.generation.typeOf));
  const lists = new Map<string, string>();
  for (const [at, leaf] of scope.leaves.entries()) {
    for (const [list, query] of leaf.kind === 'word' ? listQueriesOf(leaf, scope).entries() : []) {
      lists.set(`${at} ${list}`, `q${named.length}`);
      named.push({ bool: { filter: [query], _name: `q${named.length}` } });
    }
  }
  const own = [IS_DOCUMENT, { term: { crawler: crawlerId } }, { term: { id } }];
  const answer = await searchEngine(engine, {
    size: 1,
    _source: false,
    query: { bool: { filter: own, should: named, minimum_should_match: 0 } },
  });
  const [hit] = NamedSchema.parse(answer).hits.hits;
  if (hit === undefined) return undefined;
  const matched = new Set(hit.matched_queries);
  const has = (key: object) => matched.has(names.get(key) ?? '');
  return {
    rid: Number(hit._id),
    matches: has,
    passes: has,
    hasList: (leaf, list) => matched.has(lists.get(`${scope.leaves.indexOf(leaf)} ${list}`) ?? ''),
  };
}

function nodesOf(node: MatchNode): readonly MatchNode[] {
  if (node.kind === 'and' || node.kind === 'or' || node.kind === 'not') return [node, ...node.of.flatMap(nodesOf)];
  return node.kind === 'some' ? [node, ...[...node.must, ...node.should].flatMap(nodesOf)] : [node];
}

function filtersOf(filter: FilterNode): readonly FilterNode[] {
  if (filter.kind === 'and' || filter.kind === 'or') return [filter, ...filter.of.flatMap(filtersOf)];
  return filter.kind === 'not' ? [filter, ...filtersOf(filter.of)] : [filter];
}

function listQueriesOf({ text, field, also }: WordNode, { generation }: Scope): readonly Json[] {
  return [{ words: [text], slop: 0 }, ...also].map((list) => listQuery({ ...list, field }, generation.words.languages));
}

function mismatchOf({ plan, scope }: Explaining, { id }: DocumentName, looked: Looked): Mismatch | undefined {
  if (plan.removed.includes(id)) return { cause: 'removed' };
  return (
    findFailing('filter', plan.filter, looked.passes) ??
    findMismatch(scope.match, looked.matches) ??
    findFailing('post-filter', plan.postFilter, looked.passes)
  );
}

async function scoreOf({ engine, plan, scope, window }: Explaining, looked: Looked) {
  const candidates = await readCandidates(engine, plan, scope, [looked]);
  const candidate = candidates.get(looked.rid);
  if (candidate === undefined) return undefined;
  const rules = rerankRules(plan, scope);
  const leaves = looked.matches(scope.match) ? scope.leaves.filter(looked.matches) : [];
  const facts: LeafFacts[] = [];
  for (const leaf of leaves) facts.push(await leafFacts({ engine, scope, candidate, looked }, leaf));
  return explainScore({
    leaves: facts,
    length: candidate.length,
    rules,
    features: window.has(looked.rid) ? featuresOf(candidate, rules, scope) : undefined,
    boosts: candidate.boosts,
  });
}

type OfLeaf = {
  readonly engine: Engine;
  readonly scope: Scope;
  readonly candidate: Candidate;
  readonly looked: Looked;
};

async function leafFacts({ engine, scope, candidate, looked }: OfLeaf, leaf: Leaf): Promise<LeafFacts> {
  if (leaf.kind === 'all') return { kind: 'all' };
  if (leaf.kind === 'filter') return { kind: 'filter', value: Math.fround(leaf.boost) };
  if (isPattern(leaf)) {
    const text = leaf.kind === 'fuzzy' ? leaf.text : leaf.pattern;
    return { kind: 'pattern', text, value: await scoreOfLeaf(engine, scope, leaf, looked.rid) };
  }
  const factsOf = (text: string, idf: number, saturation: number): WordFacts => {
    const tf = candidate.stored.tfOf.get(stemTerm(text, candidate.language));
    const counts = tf === undefined ? undefined : countsOfTf(tf);
    return { text, field: leaf.field, idf, weight: idf * leaf.boost, saturation, counts };
  };
  if (leaf.kind === 'phrase') {
    const words = leaf.words.map((text) =>
      factsOf(text, idfOf({ text, also: [] }, scope), saturationOf(candidate, text, scope)),
    );
    return { kind: 'phrase', words };
  }
  const lists = [{ words: [leaf.text], weight: 1 }, ...leaf.also];
  const saturations = lists.map(({ words, weight }, at) => {
    if (!looked.hasList(leaf, at)) return 0;
    return weightedSaturation(weight, Math.min(...words.map((word) => saturationOf(candidate, word, scope))));
  });
  return { kind: 'word', word: factsOf(leaf.text, wordIdf(leaf, scope), Math.max(...saturations)) };
}

const ScoreSchema = z.object({ hits: z.object({ hits: z.array(z.object({ _score: z.number().nullable() })) }) });

async function scoreOfLeaf(engine: Engine, scope: Scope, leaf: Leaf, rid: number): Promise<number> {
  const query = { bool: { must: [leafScore(leaf, scope)], filter: [{ term: { rid } }] } };
  const answer = await searchEngine(engine, { size: 1, _source: false, query });
  return Math.fround(ScoreSchema.parse(answer).hits.hits[0]?._score ?? 0);
}
