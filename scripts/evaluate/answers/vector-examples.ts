import { readVectorFeatures } from '../../../src/ai/vectors/vector-features.ts';
import type { VectorExample } from '../../train/vector-model.ts';
import { blockGains } from './block-examples.ts';
import type { TrainingSuite } from './training-sites.ts';

/** What ranking and gate by vectors are trained on: questions that stand alone, of engines in the given languages. */
export async function* vectorExamples(
  suites: readonly TrainingSuite[],
  languages: readonly string[],
): AsyncGenerator<VectorExample> {
  for (const { open, asked: questions, language } of suites) {
    if (!languages.includes(language)) continue;
    await using opened = await open();
    for (const asked of questions) {
      const ranked = await opened.rankWithVectors(asked);
      if (ranked === undefined) throw new Error(`no vectors for ${asked.question}`);
      const { ranking } = ranked;
      const read = readVectorFeatures(ranking);
      const gains = blockGains(asked, ranking.question, read);
      yield { site: asked.set, kind: asked.kind, ...ranked, rows: read.rows, gains };
    }
  }
}
