import { probabilityOf } from '../core/boosted-trees.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import { readSentenceFeatures, SENTENCE_FEATURES } from './sentence-features.ts';
import { defaultSentenceModel, type SentenceModel } from './sentence-model.ts';

/** Passages that are looked at twice, and as many that only vectors found: 16 and 40 order no worse. */
export const RERANKED_PASSAGES = 24;

/**
 * Scores of the model are divided by this before they become shares: at 1 the best passage stands so far before the
 * others that near ones pass it too seldom (decision 89).
 */
const TEMPERATURE = 4;

/**
 * Reranking of the sentences of the best passages: a model that was learnt from questions weighs all that is known
 * of each, and the passages stand by their best sentence; all others stay behind them, in their order. Scores are those
 * of the model from then on. Pure; some 2.3 ms.
 */
export function rankSentences(ranking: Ranking, model: SentenceModel = defaultSentenceModel()): Ranking {
  const looked = rerankPassages(ranking);
  const rows = readSentenceFeatures(ranking, looked);
  let row = 0;
  const passages = looked.map((ranked): RankedPassage => {
    const sentences = ranked.sentences.map((sentence) => {
      return { ...sentence, score: model(rows, SENTENCE_FEATURES.length * row++) };
    });
    const scores = sentences.map(({ score }) => score);
    const best = Math.max(...scores);
    return { ...ranked, sentences, bestSentence: scores.indexOf(best), score: ranked.factor * shareOf(best) };
  });
  passages.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  const others = ranking.passages.filter((ranked) => !looked.includes(ranked));
  return { ...ranking, passages: [...passages, ...behind(others, passages.at(-1)?.score ?? 0)] };
}

/** In the order of the ranking: the first by their words, and the first that were found by their vectors alone. */
export function rerankPassages({ passages }: Pick<Ranking, 'passages'>): readonly RankedPassage[] {
  const neighbours = new Set(
    passages.filter(({ isVectorCandidate }) => isVectorCandidate === true).slice(0, RERANKED_PASSAGES),
  );
  const worded = new Set(
    passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true).slice(0, RERANKED_PASSAGES),
  );
  return passages.filter((ranked) => neighbours.has(ranked) || worded.has(ranked));
}

/** What candidate scoring found of the others, below the least score of the second; none of their sentences is quoted. */
function behind(others: readonly RankedPassage[], least: number): readonly RankedPassage[] {
  const highest = others[0]?.score ?? 0;
  return others.map((ranked) => ({
    ...ranked,
    score: highest > 0 ? (least * ranked.score) / (2 * highest) : 0,
    sentences: ranked.sentences.map((sentence) => ({ ...sentence, score: Number.NEGATIVE_INFINITY })),
  }));
}

/** Any number as one between 0 and 1, so that factors lower it. */
function shareOf(score: number): number {
  return probabilityOf(score / TEMPERATURE);
}
