import { expect, test } from 'vitest';
import { vectorSetOf } from '../../../src/core/document-vectors.ts';
import type { EmbeddingModel } from '../../../src/llm/embedding-model.ts';
import { modelUnavailable } from '../../../src/llm/model-fault.ts';
import { createQuestionVectors } from '../../../src/search/nearest-passages.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { silentLog } from '../../helpers/silent-log.ts';

/** Models `old` and `new`, of which some are away; engine 6 is complete by `old`, engine 7 by none. */
function open(...away: readonly string[]) {
  const asked: string[] = [];
  const outcomes: string[] = [];
  const named = (id: string): EmbeddingModel => ({
    id,
    dimensions: 2,
    embed: async ([text = ''], kind) => {
      asked.push(`${id} ${kind} ${text}`);
      if (away.includes(id)) throw modelUnavailable('refused');
      return [Float32Array.of(1, 0)];
    },
  });
  const questions = createQuestionVectors({
    models: { configured: named('new'), named },
    completeVectorSet: async (engineId) => (engineId === 6 ? vectorSetOf('old') : undefined),
    report: (outcome) => void outcomes.push(outcome),
    log: silentLog,
  });
  const setOf = async (engineId: number, text = 'why', signal = unaborted()) =>
    (await questions.of(engineId, text, signal))?.set;
  return { setOf, asked, outcomes };
}

test('the model of the complete set is asked, without one the configured model, each question once', async () => {
  const { setOf, asked, outcomes } = open();
  expect([await setOf(6), await setOf(7), await setOf(6)]).toEqual(['old', 'new', 'old'].map(vectorSetOf));
  expect(asked).toEqual(['old query why', 'new query why']);
  expect(outcomes).toEqual(['known', 'known', 'known']);
});

test('where the model before is away, the configured one is asked for what it has embedded so far', async () => {
  const { setOf, asked } = open('old');
  expect(await setOf(6)).toBe(vectorSetOf('new'));
  expect(asked).toEqual(['old query why', 'new query why']);
});

test('without any vector there is none, and a question that was given up counts for nothing', async () => {
  const { setOf, outcomes } = open('old', 'new');
  expect(await setOf(6)).toBeUndefined();
  expect(outcomes).toEqual(['unavailable']);
  expect(await setOf(6, 'why', AbortSignal.abort())).toBeUndefined();
  expect(outcomes).toEqual(['unavailable']);
});
