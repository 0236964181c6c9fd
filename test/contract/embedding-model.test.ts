import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbeddingModel } from '../../src/llm/ai-sdk/embedding-model.ts';
import type { ModelProvider } from '../../src/llm/ai-sdk/model-provider.ts';
import { openCompatibleProvider } from '../../src/llm/ai-sdk/openai-compatible.ts';
import type { EmbeddingModel } from '../../src/llm/embedding-model.ts';
import { modelFaultOf } from '../../src/llm/model-fault.ts';
import { eventually } from '../helpers/eventually.ts';
import { type FakeModelServer, startFakeModelServer } from '../helpers/fake-model-server.ts';
import { endpointOf, unaborted } from '../helpers/model-calls.ts';
import { openFakePackage } from '../helpers/package-models.ts';

let server: FakeModelServer;
beforeAll(async () => {
  server = await startFakeModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const similarity = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

describe.each<[string, () => ModelProvider | Promise<ModelProvider>]>([
  ['an endpoint', () => openCompatibleProvider(endpointOf(server))],
  ['a provider package', () => openFakePackage(server, '@ai-sdk/openai-compatible')],
])('embeddings of %s', (_, open) => {
  let provider: ModelProvider;
  beforeAll(async () => {
    provider = await open();
  });
  afterAll(() => provider[Symbol.dispose]());
  const modelOf = (mode: string): EmbeddingModel => createEmbeddingModel(provider, mode);

  test('every text has a vector of length 1, in order, of the same dimensions', async () => {
    const model = modelOf('ok');
    expect(model.dimensions).toBeUndefined();
    const texts = ['the pump runs', 'rules for visitors', 'pump'];
    const vectors = await model.embed(texts, 'passage', unaborted());
    expect(model.dimensions).toBe(64);
    expect(vectors.map((vector) => similarity(vector, vector))).toEqual(texts.map(() => expect.closeTo(1)));
    const [query] = await model.embed(['the pump runs'], 'query', unaborted());
    expect(vectors.map((vector) => similarity(query, vector) > 0.99)).toEqual([true, false, false]);
  });

  test('texts are one upstream request, no texts are none', async () => {
    const before = server.calls.length;
    expect(await modelOf('ok').embed([], 'passage', unaborted())).toEqual([]);
    expect(server.calls.length).toBe(before);
    await modelOf('ok').embed(['a', 'b', 'c'], 'passage', unaborted());
    expect(server.calls.length).toBe(before + 1);
  });

  test.each([
    ['http:503', 'http-status'],
    ['html', 'wrong-media-type'],
    ['redirect', 'redirect'],
    ['few-vectors', 'bad-vectors'],
    ['uneven-vectors', 'bad-vectors'],
    ['zero-vectors', 'bad-vectors'],
  ])('%s is an error: %s', async (mode, reason) => {
    const failure = await modelOf(mode)
      .embed(['one', 'two'], 'passage', unaborted())
      .catch((error: unknown) => error);
    expect(modelFaultOf(failure)?.reason).toBe(reason);
  });

  test('an abort closes the upstream request and throws an AbortError', async () => {
    const controller = new AbortController();
    const failure = modelOf('hang')
      .embed(['one'], 'query', controller.signal)
      .catch((error: unknown) => error);
    const call = await eventually(() =>
      server.calls.find(({ mode, closedAt }) => mode === 'hang' && closedAt === undefined),
    );
    controller.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
    await eventually(() => call.closedByClient, 1_000);
  });
});
