import { countsOfTf, type FirstStageWeights, PHRASE_FACTOR } from '../../relevance.ts';
import type { Json } from '../connection.ts';
import type { KnownGeneration } from '../generation.ts';
import { UNSEARCHED } from '../index-layout.ts';

/**
 * The formulas of `relevance.ts` in the servers' language, so that both tiers give a document the same score to the
 * last bit. Constant texts: the servers compile each once.
 */

/** What every script is told of the generation and the settings. */
export type Scoring = {
  readonly generation: KnownGeneration;
  readonly weights: FirstStageWeights;
  /** Of the leaf that is scored. */
  readonly place?: number;
};

/** A word of a list: the term that documents of each language have, `''` for any other language. */
export type ScoredWord = { readonly terms: Readonly<Record<string, string>>; readonly weight: number };

const SATURATION = `
double saturation(int tf, double norm, def params) {
  double weighted = params.a * (tf & 3) + params.b * ((tf >>> 2) & 3) + (params.c * params.counts[tf >>> 4]) / norm;
  return (float) ((weighted * (params.k1 + 1)) / (params.k1 + weighted));
}`;

/** Counts of class C by their 4-bit codes. */
const COUNTS = Array.from({ length: 16 }, (_, code) => countsOfTf(code << 4).c);

const OF_WORD = `
String language = doc['language'].value;
double norm = params.flat + (params.slope * doc['length'].value) / params.average;`;

const TERM = `
  String term = word.terms.containsKey(language) ? word.terms.get(language) : word.terms.get('');
  int tf = termFreq('terms', term);
  if (tf == 0) tf = termFreq('terms', params.unsearched + term);`;

/** The least of the words' saturations, times what the list is worth. */
const LIST = `${SATURATION}${OF_WORD}
double least = Double.MAX_VALUE;
for (def word : params.words) {${TERM}
  least = Math.min(least, saturation(tf, norm, params));
}
return (float) (params.weight * (float) (params.factor * least));`;

/** The sum of the words' scores, times what a phrase is worth. */
const PHRASE = `${SATURATION}${OF_WORD}
float sum = 0;
for (def word : params.words) {${TERM}
  sum = (float) ((double) sum + (double) (float) (word.weight * saturation(tf, norm, params)));
}
return (float) (params.factor * (double) sum);`;

/** One occurrence, whatever the words. */
const FORM = `${SATURATION}
double norm = params.flat + (params.slope * doc['length'].value) / params.average;
return (float) (params.weight * (float) (params.factor * saturation(params.tf, norm, params)));`;

/** The score times the factors of the boosts that fit, in their order. */
const BOOSTS = `
double score = _score;
for (def boost : params.boosts) {
  if (!doc.containsKey(boost.field)) continue;
  for (def value : boost.values) {
    if (!doc[boost.field].contains(value)) continue;
    score = Math.min((double) (float) (score * boost.factor), params.most);
    break;
  }
}
return score;`;

const MAX_FLOAT32 = 3.4028234663852886e38;

/** `weight` = idf × boost; `factor` = what the list counts against the word itself. */
export function listScore(
  matching: Json,
  words: readonly ScoredWord[],
  scoring: Scoring,
  value: { weight: number; factor: number },
): Json {
  return scripted(matching, LIST, { ...parametersOf(scoring), words, ...value });
}

export function phraseScoreOf(matching: Json, words: readonly ScoredWord[], scoring: Scoring): Json {
  return scripted(matching, PHRASE, { ...parametersOf(scoring), words, factor: PHRASE_FACTOR });
}

export function formScore(
  matching: Json,
  tf: number,
  scoring: Scoring,
  value: { weight: number; factor: number },
): Json {
  return scripted(matching, FORM, { ...parametersOf(scoring), tf, ...value });
}

export type ScriptedBoost = { readonly field: string; readonly values: readonly string[]; readonly factor: number };

export function boostedScore(scored: Json, boosts: readonly ScriptedBoost[]): Json {
  const finite = boosts.map((boost) => ({ ...boost, factor: Math.min(boost.factor, Number.MAX_VALUE) }));
  return scoredBy(scored, BOOSTS, { boosts: finite, most: MAX_FLOAT32 });
}

function scripted(matching: Json, source: string, params: Json): Json {
  return scoredBy({ bool: { filter: [matching] } }, source, params);
}

/** Not `script_score`, which fails inside other queries on a segment where nothing matches. */
function scoredBy(query: Json, source: string, params: Json): Json {
  return { function_score: { query, script_score: { script: { source, params } }, boost_mode: 'replace' } };
}

function parametersOf({ generation, weights, place = 0 }: Scoring): Json {
  const { classWeights, k1, b } = weights;
  return {
    ...classWeights,
    place,
    k1,
    counts: COUNTS,
    flat: 1 - b,
    slope: b,
    average: Math.max(1, generation.averageLength),
    unsearched: UNSEARCHED,
  };
}
