import { gateFeatures } from '../../../src/ai/answerability.ts';
import { rankBlocks } from '../../../src/ai/blocks/rank-blocks.ts';
import type { GateExample } from '../../train/answerability.ts';
import { openSuite } from './ask-suite.ts';
import type { SiteModels } from './block-examples.ts';
import type { QuestionResult } from './measure.ts';
import { DOCS_SETS } from './sets.ts';
import { suiteQuestions } from './suites.ts';
import type { TrainingSuite } from './training-sites.ts';

/** What the gate is trained on: all questions of the suites, and those about one manual asked of the others. */
export async function* gateExamples(suites: readonly TrainingSuite[], models: SiteModels): AsyncGenerator<GateExample> {
  for (const suite of suites) yield* examplesOf(suite, models);
  for (const set of DOCS_SETS) {
    const others = { name: `without ${set}`, language: 'en', sets: DOCS_SETS.filter((other) => other !== set) };
    const asked = suiteQuestions({ name: set, language: 'en', sets: [set] }, 'tuning');
    for await (const example of examplesOf({ language: 'en', open: () => openSuite(others), asked }, models)) {
      // Manuals share words: such questions are nearer than those of another field.
      yield { ...example, isAnswerable: false, isFar: false };
    }
  }
}

export function exampleOf({ asked: { kind }, gate: { features }, language }: QuestionResult): GateExample {
  return { features, language, isAnswerable: kind === 'answerable', isFar: kind === 'far' };
}

/** Needs no gate that was trained before. */
async function* examplesOf({ open, asked: questions }: TrainingSuite, models: SiteModels): AsyncGenerator<GateExample> {
  await using opened = await open();
  for (const asked of questions) {
    const ranking = rankBlocks(await opened.rank(asked), models.get(asked.set));
    const [{ language }, { kind }] = [ranking.question, asked];
    yield { features: gateFeatures(ranking), language, isAnswerable: kind === 'answerable', isFar: kind === 'far' };
  }
}
