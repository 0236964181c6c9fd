import { type ContentModel, flattenTrees, type ModelFile } from '../../src/extract/html/content-model.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import { binColumns, type TrainOptions, trainTrees } from './boosted-trees.ts';
import { blockWeights, type TrainingPage } from './training-pages.ts';

/** At least this share of its words makes a block main text. */
const MAIN_SHARE = 0.6;
const THRESHOLD_DIGITS = 5;
const VALUE_DIGITS = 3;

export type Trained = Pick<ModelFile, 'base' | 'trees'>;

export type Training = { readonly options: TrainOptions; readonly segmentWeight: number };

/** Trains on the pages; the numbers are as short as the file's. */
export function trainModel(pages: readonly TrainingPage[], { options, segmentWeight }: Training): Trained {
  const { matrix, labels, weights, size } = gather(pages, segmentWeight);
  const rows = Int32Array.from({ length: size }, (_, row) => row);
  const data = binColumns({ values: matrix, columns: FEATURES.length }, rows);
  const { base, trees } = trainTrees({ data, labels, weights }, options);
  return {
    base: shortened(base, THRESHOLD_DIGITS),
    trees: trees.map(({ f, t, l, r, v }) => ({
      ...{ f, l, r },
      t: t.map((value) => shortened(value, THRESHOLD_DIGITS)),
      v: v.map((value) => shortened(value, VALUE_DIGITS)),
    })),
  };
}

function shortened(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Rows with a known label: weights of whole pages have the mean 1, those of segments are all the same. */
function gather(pages: readonly TrainingPage[], segmentWeight: number) {
  const labelled = pages.map((page) => ({ page, weights: blockWeights(page) }));
  const isUsed = ({ truth, shares }: TrainingPage, at: number) => 'text' in truth || (shares[at] ?? -1) >= 0;
  let [size, sum, whole] = [0, 0, 0];
  for (const { page, weights } of labelled) {
    for (let at = 0; at < page.blocks.length; at++) if (isUsed(page, at)) size++;
    whole += weights.length;
    sum += weights.reduce((total, weight) => total + weight, 0);
  }
  const matrix = new Float32Array(size * FEATURES.length);
  const labels = new Uint8Array(size);
  const weights = new Float64Array(size);
  let row = 0;
  for (const { page, weights: own } of labelled) {
    for (let at = 0; at < page.blocks.length; at++) {
      if (!isUsed(page, at)) continue;
      matrix.set(page.rows.subarray(at * FEATURES.length, (at + 1) * FEATURES.length), row * FEATURES.length);
      labels[row] = (page.shares[at] ?? 0) >= MAIN_SHARE ? 1 : 0;
      weights[row] = 'text' in page.truth ? ((own[at] ?? 0) * whole) / sum : segmentWeight;
      row++;
    }
  }
  return { matrix, labels, weights, size };
}

/** Probabilities of a page's blocks. */
export function scoresOf(model: ContentModel, { blocks, rows }: TrainingPage): Float64Array {
  return Float64Array.from(blocks, (_, at) => model.score(rows, at * FEATURES.length));
}

export type ScoredPage = { readonly page: TrainingPage; readonly scores: Float64Array };

/** Every page scored by a model that was trained on the other fold, so that it knows no page of its host. */
export function scoreOutOfFold(pages: readonly TrainingPage[], training: Training): readonly ScoredPage[] {
  return ([0, 1] as const).flatMap((fold) => {
    const model = flattenTrees(
      trainModel(
        pages.filter((page) => page.fold !== fold),
        training,
      ),
    );
    return pages.filter((page) => page.fold === fold).map((page) => ({ page, scores: scoresOf(model, page) }));
  });
}
