import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vectorSetOf } from '../../src/core/document-vectors.ts';
import type { Log } from '../../src/observability/logger.ts';
import { eventually } from '../helpers/eventually.ts';
import { type FakeModelServer, PROVIDER_TEXT, startFakeModelServer } from '../helpers/fake-model-server.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4 with an endpoint for embeddings: the model of the tests knows that some words mean the same.
const ANSWER = '/api/v4/3/6/search/answer';
const DOCUMENTS = '/api/v4/3/index/17/documents?refresh=wait';

const page = (id: string, fields: Readonly<Record<string, string>>) => ({
  id: `https://museum.example/${id}`,
  type: 'PageContent',
  fields: { Url: `https://museum.example/${id}`, ...fields },
});
/** Says it in other words. */
const CANCELLED = page('cancelled', {
  Title: 'Cancelled visits',
  Category: 'Museum',
  Content: 'Whoever cannot come is reimbursed for the velocipede ticket until noon of the day before.',
});
/** Has the words, and says something else. */
const COUNTER = page('counter', {
  Title: 'Ticket counter',
  Category: 'Museum',
  Content:
    'Bicycle cellar, cloakroom, lockers, umbrella stand, pram park, kennel, first aid, lost property and ticket machine: all lie along one corridor behind door nine.',
});
const SHOP = page('shop', {
  Title: 'Shop',
  Category: 'Shop',
  Content: 'Reimbursed for the velocipede ticket: whoever shows it in the shop pays less for postcards and posters.',
});
const QUESTION = 'Is there a refund for the bicycle ticket?';

const stack = new AsyncDisposableStack();
let models: FakeModelServer;
beforeAll(async () => {
  models = stack.use(await startFakeModelServer());
});
afterAll(() => stack.disposeAsync());

async function open(embeddingModel: string | undefined, log?: Log): Promise<Product> {
  const product = await startProduct({
    ...(log && { log }),
    config: {
      LLM_BASE_URL: models.baseUrl,
      LLM_MODEL: 'ok',
      AI_CACHE_MAX_BYTES: '0',
      ...(embeddingModel && { EMBEDDING_BASE_URL: models.baseUrl, EMBEDDING_MODEL: embeddingModel }),
    },
  });
  await product.put(DOCUMENTS, [CANCELLED, COUNTER, SHOP]);
  return product;
}

async function openEmbedded(): Promise<Product> {
  const product = await open('ok');
  await untilEmbedded(product, 'ok');
  return product;
}

async function untilEmbedded(product: Product, model: string): Promise<void> {
  const store = await product.engineStore(6);
  await eventually(async () => (await store.vectorSeq(vectorSetOf(model))) === (await store.lastSeq()));
}

async function ask(product: Product, more: object = {}) {
  const body = { question: QUESTION, includeCitations: true, ...more };
  const { status, body: answer } = await product.send({
    method: 'POST',
    path: ANSWER,
    body,
    headers: { authorization: product.siteKey },
  });
  expect(status).toBe(200);
  return answer.value as { couldAnswer: boolean; answer: string; citations: { url: string }[] };
}
const cited = async (product: Product, more: object = {}) => (await ask(product, more)).citations.map(({ url }) => url);

describe('with an endpoint for embeddings', () => {
  test('a question in other words finds the page that answers, which it does not find first without', async () => {
    await using plain = await open(undefined);
    await using product = await openEmbedded();
    expect((await cited(plain))[0]).toBe(COUNTER.id);
    expect([CANCELLED.id, SHOP.id]).toContain((await cited(product))[0]);
  });

  test('no page outside the filters is found by its vector', async () => {
    await using product = await openEmbedded();
    const museum = await cited(product, { filters: { Category: ['Museum'] } });
    expect(museum[0]).toBe(CANCELLED.id);
    expect(museum).not.toContain(SHOP.id);
    const shop = await cited(product, { question: 'How do I pay less in the shop?', filters: { Category: ['Shop'] } });
    expect(shop).toEqual([SHOP.id]);
    expect(await cited(product, { filters: { Category: ['None'] } })).toEqual([]);
  });

  test('a page that changed or went since is not found by what it said', async () => {
    await using product = await openEmbedded();
    const changed = { ...CANCELLED, fields: { ...CANCELLED.fields, Content: 'Guided tours begin at ten.' } };
    await product.put(DOCUMENTS, [changed]);
    await product.delete(`/api/v4/3/index/17/documents?documentid=${encodeURIComponent(SHOP.id)}`);
    const isSaid = async () => /reimbursed/i.test((await ask(product)).answer);
    expect(await isSaid()).toBe(false);
    await untilEmbedded(product, 'ok');
    expect(await isSaid()).toBe(false);
  });

  test('what no page is about stays refused, however near a vector is', async () => {
    await using product = await openEmbedded();
    expect(await ask(product, { question: 'penny-farthing reimbursement' })).toMatchObject({ couldAnswer: false });
  });
});

describe('with an endpoint for embeddings that tells what texts are about', () => {
  const PARAPHRASE = 'Do I get my money back?';
  async function openTold(): Promise<Product> {
    const product = await open('topics');
    await untilEmbedded(product, 'topics');
    return product;
  }

  test('a question that shares no word with the page is answered, which it is not by words', async () => {
    await using plain = await open(undefined);
    expect(await ask(plain, { question: PARAPHRASE })).toMatchObject({ couldAnswer: false });
    await using product = await openTold();
    const { couldAnswer, answer, citations } = await ask(product, { question: PARAPHRASE });
    expect(couldAnswer).toBe(true);
    expect(answer).toContain('reimbursed');
    expect([CANCELLED.id, SHOP.id]).toContain(citations[0]?.url);
  });

  test('what no page is about is refused, and so is what shares a word with a page alone', async () => {
    await using product = await openTold();
    for (const question of ['How far away is the moon?', 'How far is the corridor of the moon away?']) {
      expect(await ask(product, { question })).toMatchObject({ couldAnswer: false });
    }
  });
});

test.each(['http:503', 'http:401', 'hang', 'html', 'redirect', 'few-vectors'])(
  'when the embedding model fails (%s), words answer as without it, with a warning and a metric',
  async (mode) => {
    const logged: unknown[] = [];
    const keep = (fields: object, message?: string) => void logged.push({ ...fields, message });
    const nothing = () => undefined;
    const log = { error: keep, warn: keep, info: nothing, debug: nothing, child: () => log } as unknown as Log;
    await using plain = await open(undefined);
    await using product = await open(mode, log);
    expect(await ask(product)).toMatchObject({ couldAnswer: true, answer: (await ask(plain)).answer });
    expect(await product.printMetrics()).toContain('fossick_ai_vectors_total{outcome="unavailable"} 1');
    expect(logged).toContainEqual(expect.objectContaining({ model: mode, kind: 'query' }));
    expect(JSON.stringify(logged)).not.toContain(PROVIDER_TEXT);
  },
);
