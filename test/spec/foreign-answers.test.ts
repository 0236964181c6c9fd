import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeModelServer, startFakeModelServer } from '../helpers/fake-model-server.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { createScriptedModel, modelEnd } from '../helpers/scripted-model.ts';

// Contract: 4.2. Answers in another language than the pages: vectors tell what words cannot.
const QUOTED = '[1|"A panel lasts 25 years"]';
/** Shares a number and a name with the sentence: near to the bags of words of the fake model. */
const SAME = 'Un panel solar dura 25 años.';
const OTHER = 'El precio es por ahora un secreto.';

const stack = new AsyncDisposableStack();
let server: FakeModelServer;
beforeAll(async () => {
  server = stack.use(await startFakeModelServer());
});
afterAll(() => stack.disposeAsync());

async function open(embeddingModel: string | undefined, least: string): Promise<Product> {
  const answer = createScriptedModel([`${SAME} ${QUOTED} ${OTHER} ${QUOTED}`, modelEnd()]);
  const embedding = { EMBEDDING_BASE_URL: server.baseUrl, EMBEDDING_MODEL: embeddingModel ?? '' };
  return startProduct({
    config: {
      AI_CACHE_MAX_BYTES: '0',
      AI_VECTOR_WEIGHT: '0',
      AI_CROSS_LANGUAGE_COSINE: least,
      ...(embeddingModel !== undefined && embedding),
    },
    languageModels: { forEngine: () => ({ answer, rewrite: answer }), temperature: 0, marksData: false },
  });
}

async function answerOf(product: Product): Promise<string> {
  const body = { question: 'How long does a solar panel last?', language: 'es', includeCitations: false };
  const { status, body: answer } = await product.post('/api/v4/3/6/search/answer', body, product.siteKey);
  expect(status).toBe(200);
  return answer.value.answer;
}

test.each<[string, string | undefined, string, string]>([
  ['with vectors, what is far from what it quotes is dropped', 'ok', '0.25', SAME],
  ['without an endpoint words decide alone', undefined, '0.25', `${SAME} ${OTHER}`],
  ['with 0 words decide alone', 'ok', '0', `${SAME} ${OTHER}`],
  ['while the endpoint is away words decide alone', 'http:503', '0.25', `${SAME} ${OTHER}`],
])('%s', async (_, model, least, said) => {
  await using product = await open(model, least);

  expect(await answerOf(product)).toBe(said);
  const dropped = 'fossick_ai_sentences_dropped_total{check="meaning"} 1';
  expect((await product.printMetrics()).includes(dropped)).toBe(said === SAME);
});
