import { expect, test } from 'vitest';
import type { EmbeddingModel } from '../../src/llm/embedding-model.ts';
import { MODEL_FAULTS, modelFaultOf } from '../../src/llm/model-fault.ts';
import { unaborted } from '../helpers/model-calls.ts';

/** What a model of the suite does; one that waits takes its time for 64 texts at least. */
export type EmbeddingBehaviour = 'answers' | 'fails' | 'waits';
export type OpenEmbeddingModel = (
  behaviour: EmbeddingBehaviour,
) => Promise<AsyncDisposable & { readonly model: EmbeddingModel }>;

const TEXTS = ['the pump runs at forty bar', 'rules for visitors with dogs', 'the pump is running at forty bar'];

/** Of vectors of length 1. */
export const cosine = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** One test per sentence of the port `EmbeddingModel`. */
export function describeEmbeddingModel(open: OpenEmbeddingModel): void {
  test('every text has a vector of length 1, in the order of the texts', async () => {
    await using opened = await open('answers');
    const vectors = await opened.model.embed(TEXTS, 'passage', unaborted());
    expect(vectors.map((vector) => cosine(vector, vector))).toEqual(TEXTS.map(() => expect.closeTo(1)));
    const [query] = await opened.model.embed(['the pump runs at forty bar'], 'query', unaborted());
    const [same = 0, other = 0, alike = 0] = vectors.map((vector) => cosine(query, vector));
    expect([same > other, alike > other]).toEqual([true, true]);
  });

  test('all vectors have the same number of dimensions, which the model names after them', async () => {
    await using opened = await open('answers');
    const vectors = [
      ...(await opened.model.embed(TEXTS, 'passage', unaborted())),
      ...(await opened.model.embed(['pump'], 'query', unaborted())),
    ];
    expect(new Set(vectors.map(({ length }) => length))).toEqual(new Set([opened.model.dimensions]));
  });

  test('no texts are no vectors', async () => {
    await using opened = await open('answers');
    expect(await opened.model.embed([], 'passage', unaborted())).toEqual([]);
  });

  test('a fault is llm.unavailable with its reason', async () => {
    await using opened = await open('fails');
    const error = await opened.model.embed(TEXTS, 'passage', unaborted()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'llm.unavailable' });
    expect(MODEL_FAULTS).toContain(modelFaultOf(error)?.reason);
  });

  test('an abort throws an AbortError', async () => {
    await using opened = await open('waits');
    const controller = new AbortController();
    const embedding = opened.model
      .embed(Array(64).fill('the pump runs '.repeat(80)), 'passage', controller.signal)
      .catch((thrown: unknown) => thrown);
    controller.abort();
    expect(await embedding).toMatchObject({ name: 'AbortError' });
    expect(
      await opened.model.embed(TEXTS, 'query', controller.signal).catch((thrown: unknown) => thrown),
    ).toMatchObject({
      name: 'AbortError',
    });
  });
}
