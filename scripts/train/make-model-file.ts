import type { ModelFile } from '../../src/extract/html/content-model.ts';
import { FEATURES } from '../../src/extract/html/features.ts';
import { MODEL_REPORT, type ModelReport, reportOn } from './report.ts';
import { trainModel, weighOutOfFold } from './train-model.ts';
import type { Training } from './train-selection.ts';
import type { TrainingPage } from './training-pages.ts';

/** Found on the two folds; docs/extraction.md has the figures. */
export const STOCK_OPTIONS: Training['options'] = {
  blocks: { trees: 160, learningRate: 0.08, leaves: 31, minRowsPerLeaf: 60, l2: 2, columnShare: 0.15 },
  worth: { trees: 80, learningRate: 0.1, leaves: 15, minRowsPerLeaf: 300, l2: 0.002, columnShare: 0.3 },
};

/** Weights trained on all pages, with the report of models that were trained on half of the hosts each. */
export function makeModelFile(
  pages: readonly TrainingPage[],
  segmentWeight: number,
  options: Training['options'] = STOCK_OPTIONS,
): ModelFile {
  const training = { options, segmentWeight };
  const scored = weighOutOfFold(pages, training);
  const trained = trainModel(pages, training);
  const kinds = Object.entries(Object.groupBy(pages, ({ kind }) => kind)).map(([kind, own = []]) => [kind, own.length]);
  const trainedOn = kinds.map(([kind, count]) => `${count} ${kind}`).join(', ');
  return { version: 2, features: [...FEATURES], ...trained, trainedOn, report: reportOn(scored, trained) };
}

/** @throws ZodError when the file has none */
export function reportOf({ report }: Pick<ModelFile, 'report'>): ModelReport {
  return MODEL_REPORT.parse(report);
}
