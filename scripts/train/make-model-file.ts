import type { ModelFile } from '../../src/extract/html/content-model.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import type { TrainOptions } from './boosted-trees.ts';
import { MODEL_REPORT, type ModelReport, reportOn } from './report.ts';
import { scoreOutOfFold, trainModel } from './train-model.ts';
import type { TrainingPage } from './training-pages.ts';

/** Found on the two folds; docs/extraction.md has the figures. */
export const STOCK_OPTIONS: TrainOptions = {
  trees: 160,
  learningRate: 0.08,
  leaves: 31,
  minRowsPerLeaf: 60,
  l2: 2,
  columnShare: 0.15,
};

/** Weights trained on all pages, with the report of models that were trained on half of the hosts each. */
export function makeModelFile(
  pages: readonly TrainingPage[],
  segmentWeight: number,
  options: TrainOptions = STOCK_OPTIONS,
): ModelFile {
  const training = { options, segmentWeight };
  const scored = scoreOutOfFold(pages, training);
  const trained = trainModel(pages, training);
  const kinds = Object.entries(Object.groupBy(pages, ({ kind }) => kind)).map(([kind, own = []]) => [kind, own.length]);
  const trainedOn = kinds.map(([kind, count]) => `${count} ${kind}`).join(', ');
  return { version: 1, features: [...FEATURES], ...trained, trainedOn, report: reportOn(scored, trained) };
}

/** @throws ZodError when the file has none */
export function reportOf({ report }: Pick<ModelFile, 'report'>): ModelReport {
  return MODEL_REPORT.parse(report);
}
