import { expect, test } from 'vitest';
import type { EmbeddingModel } from '../../../src/llm/embedding-model.ts';
import { modelUnavailable } from '../../../src/llm/model-fault.ts';
import { createTextVectors } from '../../../src/search/text-vectors.ts';
import { unaborted } from '../../helpers/model-calls.ts';

const SET = '1 small';

/** Vectors that tell the length of their text; what `embed` was asked for is kept. */
function open(embed: EmbeddingModel['embed'] = async (texts) => texts.map((text) => Float32Array.of(text.length))) {
  const asked: string[][] = [];
  const model: EmbeddingModel = {
    id: 'small',
    dimensions: 1,
    embed: (texts, kind, signal) => {
      asked.push([kind, ...texts]);
      return embed(texts, kind, signal);
    },
  };
  const vectors = createTextVectors({ models: { named: (name) => (name === model.id ? model : undefined) } });
  const of = async (texts: readonly string[], signal = unaborted()) =>
    (await vectors.of(SET, texts, signal))?.map(([length]) => length);
  return { vectors, of, asked };
}

test('texts have their vectors in their order, and the model is asked once for each', async () => {
  const { of, asked } = open();
  expect(await of(['four', 'a', 'four'])).toEqual([4, 1, 4]);
  expect(await of(['a', 'three', 'four'])).toEqual([1, 5, 4]);
  expect(asked).toEqual([
    ['passage', 'four', 'a'],
    ['passage', 'three'],
  ]);
});

test('no texts ask nobody', async () => {
  const { of, asked } = open();
  expect(await of([])).toEqual([]);
  expect(asked).toEqual([]);
});

test('there are none by a model that is not there, or is away, and it is asked again', async () => {
  let isAway = true;
  const { vectors, of, asked } = open(async (texts) => {
    if (isAway) throw modelUnavailable('refused');
    return texts.map(() => Float32Array.of(1));
  });
  expect(await vectors.of('1 other', ['a'], unaborted())).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await of(['a'])).toBeUndefined();
  isAway = false;
  expect(await of(['a'])).toEqual([1]);
});

test('fewer vectors than texts are none', async () => {
  const { of } = open(async () => [Float32Array.of(1)]);
  expect(await of(['a', 'b'])).toBeUndefined();
});

test('a question that is given up ends at once', async () => {
  const { of } = open((_texts, _kind, signal) => Promise.reject(signal.reason));
  await expect(of(['a'], AbortSignal.abort())).rejects.toThrow('aborted');
});
