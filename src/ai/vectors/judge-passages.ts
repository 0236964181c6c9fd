import { yieldInBackground } from '../../core/yield.ts';
import { dot } from '../../search/cosine-scale.ts';
import type { VectorSearch } from '../../search/nearest-passages.ts';
import type { RetrievalInput } from '../../search/passage.ts';
import { type Answerability, assessAnswerability } from '../answerability.ts';
import { type BlockModel, rankBlocks } from '../blocks/rank-blocks.ts';
import type { Ranking } from '../ranking.ts';
import { fuseVectors, withoutVectorCandidates } from './fuse-vectors.ts';
import { type CosinesOf, rankByVectors } from './rank-by-vectors.ts';
import { assessByVectors } from './vector-answerability.ts';
import { defaultVectorModel, type VectorModel } from './vector-model.ts';

/** What the documents of an engine have on a question: its passages in order, and whether they answer it. */
export type JudgedPassages = { readonly ranking: Ranking; readonly answerability: Answerability };

type VectorQuery = NonNullable<RetrievalInput['query']>;

export type JudgingInput = {
  /** Of the question; undefined = words alone judge. */
  readonly query: VectorQuery | undefined;
  /** In place of that of the language. */
  readonly threshold?: number | undefined;
  readonly signal: AbortSignal;
  readonly models?: JudgingModels | undefined;
};

/** In place of those of the product. */
export type JudgingModels = { readonly words?: BlockModel | undefined; readonly vectors?: VectorModel | undefined };

/**
 * Ranks the passages by their blocks and asks the gate: by words and vectors at once where cosines are known and the
 * language is one that their model was trained on, else by words, vectors having their share in the order alone.
 */
export async function judgePassages(
  { vectors }: { readonly vectors?: VectorSearch | undefined },
  ranking: Ranking,
  { query, threshold, signal, models }: JudgingInput,
): Promise<JudgedPassages> {
  const model = models?.vectors ?? defaultVectorModel();
  const isTrained = model.languages.includes(ranking.question.language);
  const scale = isTrained && query !== undefined ? await vectors?.scales.of(query, signal) : undefined;
  if (vectors === undefined || query === undefined || scale === undefined) {
    const ranked = rankBlocks(ranking, models?.words);
    await yieldInBackground();
    const answerability = assessAnswerability(withoutVectorCandidates(ranked), threshold);
    return { ranking: fuseVectors(ranked, vectors?.weight ?? 0), answerability };
  }
  const ranked = await rankByVectors({ ...ranking, scale }, model, cosinesWith(vectors, query, signal));
  await yieldInBackground();
  return { ranking: ranked, answerability: assessByVectors(ranked, model.gate, threshold) };
}

/** Cosines of texts with the question by the model of its vector. */
export function cosinesWith({ texts }: VectorSearch, { set, vector }: VectorQuery, signal: AbortSignal): CosinesOf {
  return async (said) => (await texts.of(set, said, signal))?.map((each) => dot(each, vector));
}
