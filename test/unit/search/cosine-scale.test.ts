import { expect, test } from 'vitest';
import { vectorSetOf } from '../../../src/core/document-vectors.ts';
import type { EmbeddingModel } from '../../../src/llm/embedding-model.ts';
import { modelUnavailable } from '../../../src/llm/model-fault.ts';
import { createCosineScales } from '../../../src/search/cosine-scale.ts';
import { directionOf } from '../../helpers/document-vectors.ts';
import { unaborted } from '../../helpers/model-calls.ts';

/** Gives every text the vector of its place among those of its call; `away`: the calls that fail, from 0. */
function open({
  vectorOf = axis,
  away = [],
}: {
  vectorOf?: (at: number) => Float32Array;
  away?: readonly number[];
} = {}) {
  const asked: string[] = [];
  const model: EmbeddingModel = {
    id: 'small',
    dimensions: undefined,
    embed: async (texts, kind) => {
      asked.push(`${kind} ${texts.length}`);
      if (away.includes(asked.length - 1)) throw modelUnavailable('refused');
      return texts.map((_, at) => vectorOf(at));
    },
  };
  const scales = createCosineScales({ models: { named: (name) => (name === model.id ? model : undefined) } });
  const of = (vector: Float32Array, set = vectorSetOf('small')) => scales.of({ set, vector }, unaborted());
  return { of, asked };
}

function axis(at: number): Float32Array {
  return Float32Array.from({ length: 16 }, (_, dimension) => (dimension === at ? 1 : 0));
}

test('a scale tells what answers and what is unrelated for a model, and what is ordinary for a question', async () => {
  const { of, asked } = open();
  expect(await of(axis(0))).toEqual({ unrelated: 0, related: 1, ordinary: 1 / 16 });
  expect(await of(directionOf(...Array<number>(16).fill(1)))).toMatchObject({ ordinary: expect.closeTo(1 / 4) });
  expect(asked).toEqual(['query 16', 'passage 16']);
});

test('a model that tells no difference, or is not there, has none', async () => {
  const alike = open({ vectorOf: () => axis(0) });
  expect(await alike.of(axis(0))).toBeUndefined();
  expect(await open().of(axis(0), vectorSetOf('other'))).toBeUndefined();
});

test('a model that was away is asked again at the next question', async () => {
  const { of, asked } = open({ away: [0] });
  expect(await of(axis(0))).toBeUndefined();
  expect(await of(axis(0))).toMatchObject({ related: 1 });
  expect(asked).toEqual(['query 16', 'query 16', 'passage 16']);
});
