import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStream } from '../helpers/answer-streams.ts';
import { type FakeMessagesServer, startFakeMessagesServer } from '../helpers/fake-messages-server.ts';
import { MODEL_KEY } from '../helpers/model-calls.ts';
import { MESSAGES_PACKAGE } from '../helpers/package-models.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { silentLog } from '../helpers/silent-log.ts';

// Contract: 4 with a model of a provider package, which speaks another wire format than chat completions.
const ANSWER = '/api/v4/3/6/search/answer';
const QUESTION = 'How long does a solar panel last?';

const stack = new AsyncDisposableStack();
let models: FakeMessagesServer;
let product: Product;
beforeAll(async () => {
  models = await startFakeMessagesServer();
  const provider = { LLM_PROVIDER_PACKAGE: MESSAGES_PACKAGE, LLM_BASE_URL: models.baseUrl, LLM_API_KEY: MODEL_KEY };
  // The same question is asked while the model is there and when it is away.
  const config = { ...provider, LLM_MODEL: 'ok', AI_CACHE_MAX_BYTES: '0' };
  product = stack.use(await startProduct({ log: silentLog, config }));
});
afterAll(() => stack.disposeAsync());

async function ask() {
  const { status, headers, body } = await product.send({
    method: 'POST',
    path: ANSWER,
    body: { question: QUESTION, includeCitations: true },
    headers: { authorization: product.siteKey },
  });
  const id = { customerId: 3, engineId: 6, id: body.value.conversationId };
  const [exchange] = await product.systemStore.readConversation(id, { limit: 1, maxChars: 64_000 });
  return { status, fallback: headers['service-answer-fallback'], answer: body.value, composer: exchange?.composer };
}

const isAnswerAvailable = async () =>
  (await product.post('/api/v4/3/6/search', { query: 'solar panel' }, product.siteKey)).body.GenerativeAnswerAvailable;

test('the model of a package writes the answer, cited, and its tokens are counted', async () => {
  expect(await ask()).toMatchObject({ status: 200, composer: 'model', answer: { couldAnswer: true } });
  expect(models.calls.map(({ path }) => path)).toEqual(['/v1/messages']);
  expect(await product.printMetrics()).toContain('fossick_llm_tokens_total{direction="output"} 45');
  expect((await readStream(product, `${ANSWER}/stream`, { body: { question: QUESTION } })).status).toBe(200);
  expect(await isAnswerAvailable()).toBe(true);
});

test('while its server is away passages are quoted, a stream is refused, and searches say the same', async () => {
  await models[Symbol.asyncDispose]();

  expect(await ask()).toMatchObject({
    status: 200,
    fallback: 'extractive',
    composer: 'extractive',
    answer: { couldAnswer: true, citations: [expect.anything()] },
  });
  expect((await readStream(product, `${ANSWER}/stream`, { body: { question: QUESTION } })).status).toBe(502);
  expect(await isAnswerAvailable()).toBe(true);
});
