import type { RelevanceSettings } from '../../../src/search-index/query-plan.ts';
import { mean } from '../ranking-measures.ts';
import type { Corpus, Half } from './corpus.ts';
import { qualityOf, rankHalf } from './measure.ts';
import type { Ranker } from './rank-corpus.ts';

export type OpenedCorpus = { readonly corpus: Corpus; readonly rank: Ranker };

/** One number of the settings, with the values that are tried. */
type Knob = {
  readonly name: string;
  readonly values: readonly number[];
  readonly set: (settings: RelevanceSettings, value: number) => RelevanceSettings;
};

const classWeight = (key: keyof RelevanceSettings['classWeights'], values: readonly number[]): Knob => ({
  name: `classWeights.${key}`,
  values,
  set: (settings, value) => ({ ...settings, classWeights: { ...settings.classWeights, [key]: value } }),
});
const bonus = (key: keyof RelevanceSettings['rerankWeights'], values: readonly number[]): Knob => ({
  name: `bonuses.${key}`,
  values,
  set: (settings, value) => ({ ...settings, rerankWeights: { ...settings.rerankWeights, [key]: value } }),
});
const plain = (key: 'k1' | 'b' | 'window', values: readonly number[]): Knob => ({
  name: key,
  values,
  set: (settings, value) => ({ ...settings, [key]: value }),
});

/** The weight of class C is the unit of the other two. */
const KNOBS: readonly Knob[] = [
  bonus('titleIsQuery', [0.5, 1, 1.5]),
  bonus('titleCoverage', [0, 0.25, 0.5, 0.75, 1]),
  bonus('phraseInTitle', [0, 0.25, 0.5, 0.75]),
  bonus('phraseInB', [0, 0.1, 0.25, 0.4]),
  bonus('proximity', [0, 0.2, 0.35, 0.5, 0.7]),
  bonus('stopWords', [0, 0.1, 0.2, 0.3]),
  classWeight('a', [2, 3, 4, 5, 7, 10]),
  classWeight('b', [1, 1.5, 2, 3]),
  plain('k1', [0.6, 0.9, 1.2, 1.6, 2]),
  plain('b', [0.3, 0.5, 0.75, 0.9]),
  plain('window', [20, 50, 100]),
];

/** A change is taken when the mean nDCG of the corpora gains more; less is chance. */
const LEAST_GAIN = 0.001;
const MOST_ROUNDS = 3;

/** Mean nDCG over the corpora: each counts the same, however many queries it has. */
export async function score(corpora: readonly OpenedCorpus[], half: Half, weights: RelevanceSettings): Promise<number> {
  const scores: number[] = [];
  for (const { corpus, rank } of corpora) scores.push(qualityOf(await rankHalf(corpus, half, { rank, weights })).ndcg);
  return mean(scores);
}

/** Coordinate descent from `start` on the tuning halves; `log` gets every value that was tried. */
export async function tune(
  corpora: readonly OpenedCorpus[],
  start: RelevanceSettings,
  log: (line: string) => void,
): Promise<RelevanceSettings> {
  let [settings, best] = [start, await score(corpora, 'tuning', start)];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = best;
    for (const { name, values, set } of KNOBS) {
      const tried: { value: number; found: number }[] = [];
      for (const value of values) tried.push({ value, found: await score(corpora, 'tuning', set(settings, value)) });
      log(`${name.padEnd(24)} ${tried.map(({ value, found }) => `${value}: ${found.toFixed(4)}`).join('  ')}`);
      const top = tried.reduce((a, b) => (b.found > a.found ? b : a));
      if (top.found > best + LEAST_GAIN) [settings, best] = [set(settings, top.value), top.found];
    }
    if (best === before) break;
  }
  return settings;
}
