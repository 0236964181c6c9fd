import type { GateExample } from '../../train/answerability.ts';
import { openSuite } from './ask-suite.ts';
import type { QuestionResult } from './measure.ts';
import { DOCS_SETS } from './sets.ts';
import { type AnswerSuite, SUITES, suiteQuestions } from './suites.ts';

/** What the gate learns from: the tuning halves of all suites, and questions about one manual asked of the others. */
export async function* gateExamples(): AsyncGenerator<GateExample> {
  for (const suite of SUITES) for (const result of await askTuning(suite, suite)) yield exampleOf(result);
  for (const set of DOCS_SETS) {
    const others = { name: `without ${set}`, language: 'en', sets: DOCS_SETS.filter((other) => other !== set) };
    for (const { gate, language } of await askTuning(others, { name: set, language: 'en', sets: [set] })) {
      // Manuals share words: such questions are nearer than those of another field.
      yield { features: gate.features, isAnswerable: false, isFar: false, language };
    }
  }
}

export function exampleOf({ asked: { kind }, gate: { features }, language }: QuestionResult): GateExample {
  return { features, language, isAnswerable: kind === 'answerable', isFar: kind === 'far' };
}

async function askTuning(suite: AnswerSuite, asking: AnswerSuite): Promise<readonly QuestionResult[]> {
  await using opened = await openSuite(suite);
  const results: QuestionResult[] = [];
  for (const asked of suiteQuestions(asking, 'tuning')) results.push(await opened.ask(asked));
  return results;
}
