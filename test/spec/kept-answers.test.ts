import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const ask = async (question: string, members: object = {}) => {
  const { status, body } = await product.post('/api/v4/3/6/search/answer', {
    question,
    includeCitations: true,
    ...members,
  });
  expect(status).toBe(200);
  return body.value;
};

async function composerOf(exchangeId: string, conversationId: string): Promise<string | undefined> {
  const key = { customerId: 3, engineId: 6, id: conversationId };
  const exchanges = await product.systemStore.readConversation(key, { limit: 20, maxChars: 64_000 });
  return exchanges.find(({ id }) => id === exchangeId)?.composer;
}

async function putSolar(content: string): Promise<void> {
  const fields = {
    Title: 'Solar panels guide',
    Url: 'https://example.com/solar',
    Category: 'Guides',
    Content: content,
  };
  const { status } = await product.put('/api/v4/3/index/17/documents?refresh=wait', [
    { id: 'https://example.com/solar', fields },
  ]);
  expect(status).toBeLessThan(300);
}

test('the same question in other words is answered as before, as an exchange of its own', async () => {
  const first = await ask('How long does a solar panel last?');
  const second = await ask('how long do solar panels last');

  expect(second).toEqual({
    ...first,
    conversationId: second.conversationId,
    chatSessionId: second.conversationId,
    exchangeId: second.exchangeId,
  });
  expect(second.exchangeId).not.toBe(first.exchangeId);
  expect(await composerOf(first.exchangeId, first.conversationId)).toBe('extractive');
  expect(await composerOf(second.exchangeId, second.conversationId)).toBe('cache');
  const other = await ask('How long does a solar panel last?', { answerLength: 'concise' });
  expect(await composerOf(other.exchangeId, other.conversationId)).toBe('extractive');
});

test('what a page no longer says is not said again', async () => {
  expect((await ask('How long does a solar panel last?')).answer).toContain('25 years');

  await putSolar('Solar panels turn sunlight into power. A panel lasts 30 years.');

  const changed = await ask('How long does a solar panel last?');
  expect(changed.answer).toContain('30 years');
  expect(changed.answer).not.toContain('25');
});
