import { type FlatTrees, flattenTrees, type Tree } from '../../src/core/boosted-trees.ts';
import { selectionScores } from '../../src/extract/html/choose-blocks.ts';
import { type ModelFile, modelOf } from '../../src/extract/html/content-model.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import { SELECTION_FEATURES } from '../../src/extract/html/selection-features.ts';
import { binColumns, trainTrees } from './boosted-trees.ts';
import { MAIN_SHARE, type ScoredPage, scoredBlocks, type Training, trainSelection } from './train-selection.ts';
import { blockWeights, type TrainingPage } from './training-pages.ts';

const THRESHOLD_DIGITS = 5;
const VALUE_DIGITS = 3;

type TrainedBlocks = Pick<ModelFile, 'base' | 'trees'>;
export type Trained = Pick<ModelFile, 'base' | 'trees' | 'worth'>;

/** Trains on the pages; the numbers are as short as the file's. */
export function trainModel(pages: readonly TrainingPage[], training: Training): Trained {
  const blocks = trainBlocks(pages, training);
  const trees = trainSelection(scoreByFolds(pages, training), training);
  return { ...blocks, worth: { features: [...SELECTION_FEATURES], trees: trees.map(shortenedTree) } };
}

/** The first look: probabilities of blocks. */
function trainBlocks(pages: readonly TrainingPage[], { options, segmentWeight }: Training): TrainedBlocks {
  const { matrix, labels, weights, size } = gather(pages, segmentWeight);
  const rows = Int32Array.from({ length: size }, (_, row) => row);
  const data = binColumns({ values: matrix, columns: FEATURES.length }, rows);
  const { base, trees } = trainTrees({ data, labels, weights }, options.blocks);
  return { base: shortened(base, THRESHOLD_DIGITS), trees: trees.map(shortenedTree) };
}

/** Folds of the pages that the second look learns from. */
const INNER_FOLDS = 4;

/** The second look learns from probabilities as they are on hosts that the first one does not know. */
function scoreByFolds(pages: readonly TrainingPage[], training: Training): readonly ScoredPage[] {
  const hosts = [...new Set(pages.map(({ host }) => host))].sort((a, b) => a - b);
  const foldOf = ({ host }: TrainingPage) => hosts.indexOf(host) % INNER_FOLDS;
  return Array.from({ length: Math.min(INNER_FOLDS, hosts.length) }, (_, fold) => {
    const others = pages.filter((page) => foldOf(page) !== fold);
    const model = flattenTrees(trainBlocks(others.length === 0 ? pages : others, training));
    return pages.filter((page) => foldOf(page) === fold).map((page) => ({ page, scores: scoresOf(model, page) }));
  }).flat();
}

function shortenedTree({ f, t, l, r, v }: Tree): Tree {
  return {
    f,
    l,
    r,
    t: t.map((value) => shortened(value, THRESHOLD_DIGITS)),
    v: v.map((value) => shortened(value, VALUE_DIGITS)),
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
function scoresOf(model: FlatTrees, { blocks, rows }: TrainingPage): Float64Array {
  return Float64Array.from(blocks, (_, at) => model.score(rows, at * FEATURES.length));
}

/** What the blocks of every page are worth to a model of the other fold, which knows no page of the host. */
export function weighOutOfFold(pages: readonly TrainingPage[], training: Training): readonly ScoredPage[] {
  return ([0, 1] as const).flatMap((fold) => {
    const trained = trainModel(
      pages.filter((page) => page.fold !== fold),
      training,
    );
    const blocks = flattenTrees(trained);
    return pages
      .filter((page) => page.fold === fold)
      .map((page) => {
        const scored = scoredBlocks({ page, scores: scoresOf(blocks, page) });
        return { page, scores: selectionScores(modelOf(trained), scored) };
      });
  });
}
