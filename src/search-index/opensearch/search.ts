import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { stemTerm } from '../../text/term-keys.ts';
import { isOfText, isPattern, type QueryPlan, type TopHitsRequest } from '../query-plan.ts';
import { usesReranking } from '../rerank.ts';
import type { Hits, IndexHit, MatchedWord, TopValue } from '../search-index.ts';
import type { Json } from './connection.ts';
import { type Engine, searchEngine } from './engine.ts';
import { surfaceBuckets } from './fuzzy-terms.ts';
import { IS_DOCUMENT, SEEN_GENERATION, seenSeq } from './generation.ts';
import { MAX_FACET_VALUES, MAX_HITS } from './index-layout.ts';
import { exactValue, LONG_VALUE } from './index-row.ts';
import { findPinned, type PinnedDocument, placePinned } from './pins.ts';
import {
  countAggregations,
  fieldsWithEmpty,
  type LiveValues,
  readFacets,
  readRanges,
  valueField,
} from './plan/counts.ts';
import { filterQuery } from './plan/filter.ts';
import { type Scope, scoredQuery } from './plan/match.ts';
import { boostedScore } from './plan/scripts.ts';
import { isByRelevance, readSortValue, shownFields, sortClauses } from './plan/sort.ts';
import { type Leaf, prepareMatch, rarestOf } from './prepare-plan.ts';
import { rerankHits } from './rerank.ts';

/** A search whose generation is gone has to look again. */
export class StaleGeneration extends Error {}

/** Part of a search's time that the servers may work on it, so that their answer comes in time. */
const WORKING_SHARE = 0.8;

const HitSchema = z.object({
  _id: z.string(),
  _score: z.number().nullable(),
  sort: z.array(z.unknown()),
  fields: z.record(z.string(), z.array(z.unknown())).optional(),
});
const AnswerSchema = z.object({
  timed_out: z.boolean(),
  hits: z.object({ total: z.object({ value: z.number() }).optional(), hits: z.array(HitSchema) }),
  aggregations: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const TopSchema = z.object({
  buckets: z.array(
    z.object({
      key: z.string(),
      doc_count: z.number(),
      hits: z.object({ hits: z.object({ hits: z.array(HitSchema) }) }),
    }),
  ),
});
const CountSchema = z.object({ doc_count: z.number() });

export async function prepareScope(engine: Engine, plan: QueryPlan): Promise<Scope> {
  return { ...(await prepareMatch(engine, plan.match)), generation: engine.generation, weights: plan.weights };
}

/**
 * Runs a plan against one generation; one to five requests.
 * @throws StaleGeneration when another one was published meanwhile
 */
export async function searchGeneration(engine: Engine, plan: QueryPlan): Promise<Hits> {
  const scope = await prepareScope(engine, plan);
  const pinned = await findPinned(engine, plan);
  const { offset, limit, spare } = plan;
  const reach = limit + spare === 0 ? 0 : offset + limit + spare + pinned.length;
  const size = usesReranking(plan) ? Math.max(reach, plan.weights.window) : reach;
  const answer = AnswerSchema.parse(
    await searchEngine(engine, {
      ...searchBody(plan, scope, { pinned, size }),
      timeout: `${Math.floor(WORKING_SHARE * engine.connection.deadlineMs)}ms`,
    }),
  );
  if (answer.timed_out) throw new AppError('search.timeout', 'The search took too long');
  if (seenSeq(answer.aggregations) !== engine.generation.seq) throw new StaleGeneration();
  const hits = answer.hits.hits.map((hit) => readHit(hit, plan, scope));
  const total = answer.hits.total?.value ?? hits.length;
  const best = await bestHits(engine, plan, scope, hits);
  const { hits: ranked, bestCoverage } = await rerankHits(engine, plan, scope, { hits, best });
  const placed = await placeHits(engine, plan, scope, { pinned, ranked, total });
  return {
    seq: engine.generation.seq,
    total,
    hits: placed,
    ...(await readCounts(engine, plan, scope, answer.aggregations)),
    matched: scope.leaves.flatMap((leaf) => matchedWords(leaf, scope)),
    vocabulary: scope.generation.words.vocabulary,
    bestCoverage,
  };
}

type Asked = { readonly pinned: readonly PinnedDocument[]; readonly size: number };

function searchBody(plan: QueryPlan, scope: Scope, { pinned, size }: Asked): Json {
  const { typeOf } = scope.generation;
  const counts = plan.counts === 'exact';
  const postFilter = filterQuery(plan.postFilter, typeOf);
  const isNarrowed = plan.postFilterCounts;
  return {
    size: Math.min(size, MAX_HITS),
    from: 0,
    track_total_hits: counts || pinned.length > 0 ? true : 1,
    track_scores: true,
    _source: false,
    sort: sortClauses(plan.sort, typeOf),
    docvalue_fields: shownFields(plan.sort, typeOf),
    query: matchingQuery(plan, scope, pinned, isNarrowed ? [postFilter] : []),
    ...(isNarrowed ? {} : { post_filter: postFilter }),
    aggs: { ...SEEN_GENERATION, ...(counts ? countsOf(plan, scope) : {}) },
  };
}

function countsOf(plan: QueryPlan, scope: Scope): Json {
  const { typeOf } = scope.generation;
  return {
    counted: { filter: { match_all: {} } },
    ...countAggregations(plan, typeOf),
    ...Object.fromEntries(plan.topHits.map((request, at) => [`top${at}`, topAggregation(request, plan, scope)])),
  };
}

function topAggregation({ field, size, maxFieldValues }: TopHitsRequest, plan: QueryPlan, { generation }: Scope): Json {
  const sort = sortClauses(plan.sort, generation.typeOf);
  const docvalue_fields = shownFields(plan.sort, generation.typeOf);
  return {
    terms: {
      field: valueField(field),
      size: Math.max(1, maxFieldValues),
      shard_size: MAX_FACET_VALUES,
      exclude: `${LONG_VALUE}.*`,
      order: [{ _count: 'desc' }, { _key: 'asc' }],
    },
    aggs: {
      hits: { top_hits: { size: Math.max(1, size), _source: false, track_scores: true, sort, docvalue_fields } },
    },
  };
}

/** Documents of query and filter with their scores, boosts included; pinned ones match whatever the words. */
function matchingQuery(plan: QueryPlan, scope: Scope, pinned: readonly PinnedDocument[], more: readonly Json[]): Json {
  const scored = scoredQuery(scope);
  const boosts = plan.boosts.map(({ field, values, factor }) => ({
    field: valueField(field),
    values: values.map(exactValue),
    factor,
  }));
  const own = boosts.length === 0 ? scored : boostedScore(scored, boosts);
  const rids = pinned.map(({ rid }) => rid);
  const matching =
    rids.length === 0
      ? own
      : {
          bool: {
            should: [own, { constant_score: { filter: { terms: { rid: rids } }, boost: 0 } }],
            minimum_should_match: 1,
          },
        };
  return {
    bool: {
      must: [matching],
      filter: [IS_DOCUMENT, filterQuery(plan.filter, scope.generation.typeOf), ...more],
      must_not: plan.removed.length === 0 ? [] : [{ terms: { id: plan.removed } }],
    },
  };
}

function readHit(
  { _id, _score, sort, fields = {} }: z.infer<typeof HitSchema>,
  plan: QueryPlan,
  { generation }: Scope,
): IndexHit {
  const keys = plan.sort.length;
  return {
    rid: Number(_id),
    id: String(sort[keys + 1]),
    crawlerId: Number(sort[keys + 2]),
    // The servers print the shortest digits of a float32.
    score: Math.fround(_score ?? 0),
    sortValues: plan.sort.map((key, at) => {
      const values = (fields[valueField(key.field)] ?? []).map(String);
      return readSortValue(sort[at], key, { typeOf: generation.typeOf, values });
    }),
  };
}

/** The best match by relevance where the hits are in another order, or none was asked for. */
async function bestHits(
  engine: Engine,
  plan: QueryPlan,
  scope: Scope,
  hits: readonly IndexHit[],
): Promise<readonly IndexHit[]> {
  if (isByRelevance(plan.sort) || scope.words.length === 0 || plan.limit + plan.spare === 0) return hits;
  const byScore = { ...plan, sort: [] };
  const body = { ...searchBody({ ...byScore, counts: 'none' }, scope, { pinned: [], size: 1 }) };
  const answer = AnswerSchema.parse(await searchEngine(engine, body));
  return answer.hits.hits.map((hit) => readHit(hit, byScore, scope));
}

type Placing = {
  readonly pinned: readonly PinnedDocument[];
  readonly ranked: readonly IndexHit[];
  readonly total: number;
};

async function placeHits(engine: Engine, plan: QueryPlan, scope: Scope, { pinned, ranked, total }: Placing) {
  const { offset, limit, spare } = plan;
  const count = limit + spare;
  if (pinned.length === 0) return ranked.slice(offset, offset + count);
  const missing = pinned.filter(({ rid }) => !ranked.some((hit) => hit.rid === rid));
  const more = missing.length === 0 ? [] : await hitsOf(engine, plan, scope, missing);
  return placePinned(ranked, { places: pinned, hits: [...ranked, ...more] }, { total, offset, count });
}

async function hitsOf(engine: Engine, plan: QueryPlan, scope: Scope, pinned: readonly PinnedDocument[]) {
  const own = { terms: { rid: pinned.map(({ rid }) => rid) } };
  const body = searchBody({ ...plan, counts: 'none' }, scope, { pinned, size: pinned.length });
  const answer = await searchEngine(engine, { ...body, query: matchingQuery(plan, scope, pinned, [own]) });
  return AnswerSchema.parse(answer).hits.hits.map((hit) => readHit(hit, plan, scope));
}

async function readCounts(engine: Engine, plan: QueryPlan, scope: Scope, aggregations: Json) {
  if (plan.counts === 'none') return { facets: [], ranges: [], topHits: [] };
  const live = await liveValues(engine, fieldsWithEmpty(plan.facets));
  const documents = CountSchema.parse(aggregations['counted']).doc_count;
  const topHits = plan.topHits.map(({ field, size, maxFieldValues }, at) => {
    const { buckets } = TopSchema.parse(aggregations[`top${at}`]);
    const values = buckets.slice(0, maxFieldValues).map(({ key, doc_count, hits: own }): TopValue => {
      const best = own.hits.hits.slice(0, size).map((hit) => readHit(hit, plan, scope));
      return { value: key, count: doc_count, hits: best };
    });
    return { field, values };
  });
  return {
    facets: readFacets(plan.facets, { documents, aggregations, live }),
    ranges: readRanges(plan.ranges, aggregations),
    topHits,
  };
}

/** Values that live documents have, of fields whose facets show those without a match. */
async function liveValues(engine: Engine, fields: ReadonlySet<string>): Promise<LiveValues> {
  const values = new Map<string, readonly string[]>();
  for (const field of fields) {
    const buckets = await surfaceBuckets(
      engine,
      { match_all: {} },
      { field: valueField(field), size: MAX_FACET_VALUES },
    );
    values.set(
      field,
      buckets.map(({ key }) => key).filter((key) => !key.startsWith(LONG_VALUE)),
    );
  }
  return values;
}

/** The stems of a leaf's words in every language of the engine. */
function matchedWords(leaf: Leaf, { generation, frequencyOf, patterns }: Scope): readonly MatchedWord[] {
  if (leaf.kind === 'all' || leaf.kind === 'filter' || (leaf.kind === 'word' && leaf.role === 'name')) return [];
  const { field } = leaf;
  if (isPattern(leaf)) {
    const text = leaf.kind === 'fuzzy' ? leaf.text : leaf.pattern;
    return [{ text, forms: new Set(), field, surfaces: new Set(patterns.get(leaf)?.expansion.keys()) }];
  }
  const formsOf = (text: string) => new Set(generation.words.languages.map((language) => stemTerm(text, language)));
  if (leaf.kind === 'phrase') return leaf.words.map((text) => ({ text, forms: formsOf(text), field }));
  const found = leaf.also.filter(({ source, words }) => isOfText(source) && rarestOf(words, frequencyOf) > 0);
  const also = found.map(({ words, slop, source }) => ({ words, slop, source, forms: words.map(formsOf) }));
  return [{ text: leaf.text, forms: formsOf(leaf.text), field, ...(also.length === 0 ? {} : { also }) }];
}
