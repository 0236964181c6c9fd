import { probabilityOf, type Tree } from '../../src/core/boosted-trees.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import {
  REUSED_COLUMNS,
  readSelectionFeatures,
  type ScoredBlocks,
  SELECTION_FEATURES,
} from '../../src/extract/html/selection-features.ts';
import { wordsOf } from '../evaluate/text-metrics.ts';
import { binColumns, boostTrees, type SetSlopes, type TrainOptions } from './boosted-trees.ts';
import type { TrainingPage } from './training-pages.ts';

export type Training = {
  readonly options: { readonly blocks: TrainOptions; readonly worth: TrainOptions };
  readonly segmentWeight: number;
};

/** A page with a number for each of its blocks. */
export type ScoredPage = { readonly page: TrainingPage; readonly scores: Float64Array };

/** At least this share of its words makes a block main text. */
export const MAIN_SHARE = 0.6;
/** A labelled segment beside the F1 of a page, as part of the weight that it has beside labelled blocks. */
const SEGMENT_PART = 0.002;

/** Rows of one page. */
type PageRows = { readonly from: number; readonly to: number; readonly truthWords: number | undefined };
type SelectionRows = {
  readonly matrix: Float32Array;
  readonly start: Float64Array;
  readonly words: Float64Array;
  /** Share of the block that is main text, 0 for what is not. */
  readonly shares: Float64Array;
  readonly pages: readonly PageRows[];
};

/**
 * Trees that turn log odds against the expected choice into worth: they maximise the sum of the F1 of the pages, each
 * block counted as far as it is chosen. Scores are probabilities of a model that does not know the page.
 */
export function trainSelection(pages: readonly ScoredPage[], { options, segmentWeight }: Training): readonly Tree[] {
  const rows = gather(pages);
  const all = Int32Array.from(rows.start, (_, row) => row);
  const data = binColumns({ values: rows.matrix, columns: SELECTION_FEATURES.length }, all);
  const setSlopes: SetSlopes = (scores, gradients, hessians) => {
    for (const page of rows.pages) {
      if (page.truthWords === undefined) setSegmentSlopes({ rows, page, scores, gradients, hessians }, segmentWeight);
      else setPageSlopes({ rows, page, scores, gradients, hessians }, page.truthWords);
    }
  };
  return boostTrees({ data, start: rows.start, setSlopes }, options.worth);
}

type Slopes = {
  readonly rows: SelectionRows;
  readonly page: PageRows;
  readonly scores: Float64Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
};

/** F1 = 2 · Σ p·w·y / (Σ p·w + words of the truth), by the odds of each p; curvature as if the rest stood still. */
function setPageSlopes({ rows, page, scores, gradients, hessians }: Slopes, truthWords: number): void {
  let [right, chosen, found] = [0, 0, 0];
  for (let row = page.from; row < page.to; row++) {
    const p = probabilityOf(scores[row]!);
    right += p * rows.words[row]! * rows.shares[row]!;
    chosen += p * rows.words[row]!;
    found += rows.words[row]! * rows.shares[row]!;
  }
  const size = chosen + Math.max(found, truthWords, 1);
  const share = right / size;
  for (let row = page.from; row < page.to; row++) {
    const p = probabilityOf(scores[row]!);
    const pull = ((2 * rows.words[row]!) / size) * (rows.shares[row]! - share);
    gradients[row] = -pull * p * (1 - p);
    hessians[row] = Math.abs(pull) * p * (1 - p);
  }
}

function setSegmentSlopes({ rows, page, scores, gradients, hessians }: Slopes, segmentWeight: number): void {
  const weight = segmentWeight * SEGMENT_PART;
  for (let row = page.from; row < page.to; row++) {
    const p = probabilityOf(scores[row]!);
    gradients[row] = weight * (p - rows.shares[row]!);
    hessians[row] = weight * p * (1 - p);
  }
}

/** Rows of the blocks whose label is known. */
function gather(pages: readonly ScoredPage[]): SelectionRows {
  const isKnown = ({ truth, shares }: TrainingPage, at: number) => 'text' in truth || (shares[at] ?? -1) >= 0;
  const size = pages.reduce((sum, { page }) => sum + page.blocks.filter((_, at) => isKnown(page, at)).length, 0);
  const columns = SELECTION_FEATURES.length;
  const matrix = new Float32Array(size * columns);
  const [start, words, shares] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const places: PageRows[] = [];
  let row = 0;
  for (const scored of pages) {
    const { page } = scored;
    const { rows, odds } = readSelectionFeatures(scoredBlocks(scored));
    const from = row;
    for (const [at, block] of page.blocks.entries()) {
      if (!isKnown(page, at)) continue;
      const share = page.shares[at] ?? 0;
      matrix.set(rows.subarray(at * columns, (at + 1) * columns), row * columns);
      start[row] = odds[at]!;
      words[row] = block.words;
      shares[row] = share >= MAIN_SHARE ? share : 0;
      row++;
    }
    const truthWords = 'text' in page.truth ? wordsOf(page.truth.text).length : undefined;
    places.push({ from, to: row, truthWords });
  }
  return { matrix, start, words, shares, pages: places };
}

/** What the second look reads of a page. */
export function scoredBlocks({ page, scores }: ScoredPage): ScoredBlocks {
  const { blocks, rows, places } = page;
  const kept = new Float32Array(blocks.length * REUSED_COLUMNS.length);
  for (let at = 0; at < blocks.length; at++) {
    for (const [index, column] of REUSED_COLUMNS.entries()) {
      kept[at * REUSED_COLUMNS.length + index] = rows[at * FEATURES.length + column]!;
    }
  }
  return { scores, words: Float64Array.from(blocks, ({ words }) => words), places, kept };
}
