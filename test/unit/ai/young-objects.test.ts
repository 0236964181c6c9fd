import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { answerGeneratorsOf } from '../../../src/ai/answer-generators.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { rankingOf } from '../../helpers/rankings.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void;

const PAGE = { text: 'The pump runs at 40 bar. It is cleaned every week.', title: 'Pump', scores: [3, 2] };
const ANSWERS = 20;
const BALLAST_BYTES = 1 << 18;

/** The ballast is freed with the ranking that the answer is made of. */
async function answerWithBallast(): Promise<void> {
  const ranking = rankingOf([{ passage: PAGE, scores: PAGE.scores }]);
  Object.assign(ranking, { ballast: new ArrayBuffer(BALLAST_BYTES) });
  const passages = ranking.passages.map(({ passage }) => passage);
  const { extractive } = answerGeneratorsOf(
    { languageModels: undefined, newNonce: () => 'nonce' },
    {
      settings: ENGINE_DEFAULTS,
      model: undefined,
      composition: {
        purpose: 'answer',
        question: 'What of the pump?',
        language: 'en',
        length: 'concise',
        customPrompt: undefined,
        history: [],
      },
      grounding: { ranking, answerability: { probability: 1, threshold: 0.5, refusal: undefined } },
      sourcesWithin: () => passages.map((passage, at) => ({ reference: at + 1, passages: [passage] })),
      hasKey: false,
      report: { addDropped: () => undefined, survived: () => undefined },
      signal: unaborted(),
    },
  );
  expect(await Array.fromAsync(extractive())).not.toEqual([]);
}

test('what an answer is made of goes with the young objects, and never waits for a collection of old ones', async () => {
  await answerWithBallast();
  collect({ type: 'major' });
  const before = process.memoryUsage().arrayBuffers;
  for (let answer = 0; answer < ANSWERS; answer++) await answerWithBallast();
  for (let round = 0; round < 3; round++) collect({ type: 'minor' });
  const kept = (process.memoryUsage().arrayBuffers - before) / BALLAST_BYTES;
  expect(kept).toBeLessThan(ANSWERS / 4);
});
