import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSuite } from '../../../scripts/evaluate/answers/ask-suite.ts';
import { type AnswerSuite, suiteQuestions } from '../../../scripts/evaluate/answers/suites.ts';
import { type FakeModelServer, startFakeModelServer } from '../../helpers/fake-model-server.ts';

const SUITE: AnswerSuite = { name: 'nl', language: 'nl', sets: ['nl'] };

let server: FakeModelServer;
beforeAll(async () => {
  server = await startFakeModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const asked = suiteQuestions(SUITE, 'tuning');
async function askAll(weight?: number) {
  const embedding = weight === undefined ? undefined : { baseUrl: server.baseUrl, model: 'ok', weight };
  await using opened = await openSuite(SUITE, embedding);
  const results = [];
  for (const each of asked) results.push(await opened.ask(each));
  return results;
}

test('vectors order passages, and decide about no refusal', async () => {
  const byWords = await askAll();
  const byVectors = await askAll(1);
  expect(byVectors.map(({ gate }) => gate)).toEqual(byWords.map(({ gate }) => gate));
  expect(byVectors.map(({ rank }) => rank)).not.toEqual(byWords.map(({ rank }) => rank));
});

test('passages are embedded once, and each question once', async () => {
  const before = server.calls.length;
  await askAll(0.5);
  const texts = server.calls.slice(before).flatMap(({ input }) => input);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toEqual(expect.arrayContaining([asked[0]?.question]));
});
