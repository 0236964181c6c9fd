import { compareCodePoints } from '../../core/compare-text.ts';
import { stemTerm } from '../../text/term-keys.ts';
import { isOfText, type QueryPlan } from '../query-plan.ts';
import { addScores, boostScore, lengthOfCode, saturationTable } from '../relevance.ts';
import {
  coverageOf,
  informationOf,
  type QueryWord,
  type RerankFeatures,
  type RerankRules,
  rerankScore,
  rerankScores,
  usesReranking,
} from '../rerank.ts';
import type { IndexHit } from '../search-index.ts';
import { type Candidate, readCandidates } from './candidates.ts';
import type { Engine } from './engine.ts';
import { UNSEARCHED } from './index-layout.ts';
import { idfOf, type Scope } from './plan/match.ts';
import { readRerankFeatures } from './rerank-features.ts';
import type { StoredTerms } from './stored-terms.ts';

const CODE_BY_LENGTH: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 64 }, (_, code) => [lengthOfCode(code), code] as const),
);

/** The hits with the bonuses of the best of them, in order, and what of the query the best one covers. */
export type Reranked = { readonly hits: readonly IndexHit[]; readonly bestCoverage: number };

/** The best hits of the first stage in order of the plan from the first one on, and by relevance. */
type FirstStage = { readonly hits: readonly IndexHit[]; readonly best: readonly IndexHit[] };

/** One more request, for those of the window. */
export async function rerankHits(
  engine: Engine,
  plan: QueryPlan,
  scope: Scope,
  { hits, best }: FirstStage,
): Promise<Reranked> {
  const rules = rerankRules(plan, scope);
  const hasContent = rules.words.some(({ role }) => role === 'content');
  if (!hasContent || plan.limit + plan.spare === 0) return { hits, bestCoverage: 0 };
  const size = usesReranking(plan) ? plan.weights.window : 0;
  const candidates = await readCandidates(engine, plan, scope, best.slice(0, Math.max(1, size)));
  const ranked =
    size === 0
      ? hits
      : hits.map((hit) => withRerankScores(hit, candidates.get(hit.rid), { plan, scope, rules })).sort(byScore);
  const first = candidates.get((size === 0 ? best : ranked)[0]?.rid ?? -1);
  const bestCoverage = first === undefined ? 0 : coverageOf(rules.words, (i) => isCovered(first, rules.words[i]));
  return { hits: ranked, bestCoverage };
}

export function rerankRules(plan: QueryPlan, scope: Scope): RerankRules {
  const words = scope.words.map((word) => ({ ...word, idf: idfOf(word, scope) }));
  return { words, information: informationOf(words), weights: plan.weights.rerankWeights, recency: plan.recency };
}

type Ranking = { readonly plan: QueryPlan; readonly scope: Scope; readonly rules: RerankRules };

function withRerankScores(hit: IndexHit, candidate: Candidate | undefined, { plan, scope, rules }: Ranking): IndexHit {
  if (candidate === undefined || candidate.first === 0) return hit;
  const features = featuresOf(candidate, rules, scope);
  const relevance = addScores(candidate.first, rerankScore(rerankScores(rules, features)));
  const score = candidate.boosts.reduce((product, { factor }) => boostScore(product, factor), relevance);
  return { ...hit, score, sortValues: plan.sort.map(() => score) };
}

export function featuresOf(candidate: Candidate, rules: RerankRules, scope: Scope): RerankFeatures {
  const { stored, language, ageMs } = candidate;
  const saturation = rules.words.map(({ text }) =>
    stored.tfOf.has(stemTerm(text, language)) ? saturationOf(candidate, text, scope) : 0,
  );
  return readRerankFeatures(stored, rules.words, { language, saturation, ageMs });
}

/** T of a term of the document, also of one that only unsearched fields have. */
export function saturationOf({ stored, language, length }: Candidate, word: string, scope: Scope): number {
  const term = stemTerm(word, language);
  const tf = stored.tfOf.get(term) ?? stored.tfOf.get(UNSEARCHED + term) ?? 0;
  return tableOf(scope)[(tf << 6) | (CODE_BY_LENGTH.get(length) ?? 0)] ?? 0;
}

/** One table for all documents of a search. */
const tables = new WeakMap<Scope, Float32Array>();

function tableOf(scope: Scope): Float32Array {
  const known = tables.get(scope) ?? saturationTable(scope.weights, scope.generation.averageLength);
  tables.set(scope, known);
  return known;
}

/** By the document's own text. Of several words that stand for one it needs all. */
function isCovered({ stored, language }: Candidate, word: QueryWord | undefined): boolean {
  const has = (text: string) => hasTerm(stored, stemTerm(text, language));
  const also = (word?.also ?? []).filter(({ source }) => isOfText(source)).map(({ words }) => words);
  return word !== undefined && [[word.text], ...also].some((words) => words.length > 0 && words.every(has));
}

function hasTerm({ tfOf }: StoredTerms, term: string): boolean {
  return tfOf.has(term);
}

function byScore(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || compareCodePoints(a.id, b.id) || a.crawlerId - b.crawlerId;
}
