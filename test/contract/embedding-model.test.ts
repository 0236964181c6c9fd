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
import { describeEmbeddingModel } from './embedding-model-suite.ts';

let server: FakeModelServer;
beforeAll(async () => {
  server = await startFakeModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

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

  describeEmbeddingModel(async (behaviour) => ({
    model: modelOf({ answers: 'ok', fails: 'http:503', waits: 'hang' }[behaviour]),
    [Symbol.asyncDispose]: async () => {},
  }));

  test('it has no dimensions before the first vectors', () => {
    expect(modelOf('ok').dimensions).toBeUndefined();
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

  test('an abort closes the upstream request', async () => {
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
