import { gateFeatures } from '../../../src/ai/answerability.ts';
import { rankBlocks } from '../../../src/ai/rank-blocks.ts';
import type { GateExample } from '../../train/answerability.ts';
import { openSuite } from './ask-suite.ts';
import type { SiteModels } from './block-examples.ts';
import type { QuestionResult } from './measure.ts';
import { DOCS_SETS } from './sets.ts';
import { type AnswerSuite, SUITES, suiteQuestions } from './suites.ts';

/** What the gate learns from: the tuning halves of all suites, and questions about one manual asked of the others. */
export async function* gateExamples(models: SiteModels): AsyncGenerator<GateExample> {
  for (const suite of SUITES) yield* examplesOf(suite, suite, models);
  for (const set of DOCS_SETS) {
    const others = { name: `without ${set}`, language: 'en', sets: DOCS_SETS.filter((other) => other !== set) };
    for await (const example of examplesOf(others, { name: set, language: 'en', sets: [set] }, models)) {
      // Manuals share words: such questions are nearer than those of another field.
      yield { ...example, isAnswerable: false, isFar: false };
    }
  }
}

export function exampleOf({ asked: { kind }, gate: { features }, language }: QuestionResult): GateExample {
  return { features, language, isAnswerable: kind === 'answerable', isFar: kind === 'far' };
}

/** Needs no gate that was trained before. */
async function* examplesOf(
  suite: AnswerSuite,
  asking: AnswerSuite,
  models: SiteModels,
): AsyncGenerator<GateExample> {
  await using opened = await openSuite(suite);
  for (const asked of suiteQuestions(asking, 'tuning')) {
    const ranking = rankBlocks(await opened.rank(asked), models.get(asked.set));
    const [{ language }, { kind }] = [ranking.question, asked];
    yield { features: gateFeatures(ranking), language, isAnswerable: kind === 'answerable', isFar: kind === 'far' };
  }
}
