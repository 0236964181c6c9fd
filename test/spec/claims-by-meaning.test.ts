import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeModelServer, startFakeModelServer } from '../helpers/fake-model-server.ts';
import { startProduct } from '../helpers/product.ts';
import { createScriptedModel, modelEnd } from '../helpers/scripted-model.ts';

// Contract: 4. What a model says in other words than the page: vectors tell what words cannot.
const INSTEAD = 'The warden issues two keys of the boathouse to each crew.';
const PAGE = {
  id: 'https://club.example/keys',
  type: 'PageContent',
  fields: { Url: 'https://club.example/keys', Title: 'Keys of the boathouse', Content: INSTEAD },
};
/** The embeddings of the tests know three of its words as others of the page. */
const SAME = 'Each squad gets two keys of the hangar from the porter.';
const OTHER = 'Each squad gets two keys of the sauna from the baker.';

const stack = new AsyncDisposableStack();
let server: FakeModelServer;
beforeAll(async () => {
  server = stack.use(await startFakeModelServer());
});
afterAll(() => stack.disposeAsync());

test.each<[string, string | undefined, string, string]>([
  ['with vectors, what a sentence says by meaning is sent', 'ok', SAME, SAME],
  ['with vectors, what it does not say is not', 'ok', OTHER, INSTEAD],
  ['without an endpoint words decide alone', undefined, SAME, INSTEAD],
  ['while the endpoint is away words decide alone', 'http:503', SAME, INSTEAD],
])('%s', async (_, embeddingModel, written, said) => {
  const answer = createScriptedModel([`${written} [1]`, modelEnd()]);
  await using product = await startProduct({
    config: {
      AI_CACHE_MAX_BYTES: '0',
      AI_VECTOR_WEIGHT: '0',
      ...(embeddingModel && { EMBEDDING_BASE_URL: server.baseUrl, EMBEDDING_MODEL: embeddingModel }),
    },
    languageModels: { forEngine: () => ({ answer, rewrite: answer }), temperature: 0, marksData: false },
  });
  await product.put('/api/v4/3/index/17/documents?refresh=wait', [PAGE]);

  const body = { question: 'Who issues the keys of the boathouse?', includeCitations: false };
  const { status, body: sent } = await product.post('/api/v4/3/6/search/answer', body, product.siteKey);

  expect(status).toBe(200);
  expect(sent.value.answer).toBe(said);
});
