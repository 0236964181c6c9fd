import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTE_TABLE } from '../../src/api/route-table.ts';
import { BASIC } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

const QUESTION = { question: 'How long does a panel last?' };
const SUMMARY = { query: 'solar', sources: [{ id: 'item-6' }] };

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

function send(line: string, body: unknown) {
  const [method = '', path = ''] = line.split(' ');
  return product.send({ method, path, body, headers: { authorization: BASIC } });
}

test('every route of the contract is built', async () => {
  for (const { method, path, body } of ROUTE_TABLE) {
    const line = `${method} ${path
      .replace(/:customerId/, '3')
      .replace(/:engineId/, '6')
      .replace(/:crawlerId/, '17')
      .replace(/:identifier/, 'da')
      .replace(/:id/, '1')}`;

    const { status, body: answer } = await send(line, body === 'none' ? undefined : {});

    expect({ line, status: status === 501 ? 501 : 'built' }).toEqual({ line, status: 'built' });
    expect({ line, message: answer.message }).not.toEqual({ line, message: 'There is nothing at this path' });
  }
});

test.each([
  ['POST /api/v4/3/6/search/answer', {}, 'question'],
  ['POST /api/v4/3/6/search/answer', { question: ' ' }, 'question'],
  ['POST /api/v4/3/6/search/answer', { question: 5 }, 'question'],
  ['POST /api/v4/3/6/search/answer', { question: 'x'.repeat(4_001) }, 'question'],
  ['POST /api/v4/3/6/search/answer', { ...QUESTION, answerLength: 'epic' }, 'answerLength'],
  ['POST /api/v4/3/6/search/answer', { ...QUESTION, filters: 'x' }, 'filters'],
  ['POST /api/v4/3/6/search/answer', { ...QUESTION, conversationId: 'x' }, 'conversationId'],
  ['POST /api/v4/3/6/search/answer', { ...QUESTION, language: 'english' }, 'language'],
  ['POST /api/v4/3/6/search/answer', { ...QUESTION, customPrompt: 'x'.repeat(4_001) }, 'customPrompt'],
  ['POST /api/v4/3/6/search/answer/stream', { ...QUESTION, sourceFields: 'Title' }, 'sourceFields'],
  ['POST /api/v4/3/6/search/summarize', { ...SUMMARY, query: '' }, 'query'],
  ['POST /api/v4/3/6/search/summarize', { query: 'x' }, 'sources'],
  ['POST /api/v4/3/6/search/summarize', { query: 'x', sources: [] }, 'sources'],
  ['POST /api/v4/3/6/search/summarize', { query: 'x', sources: Array(6).fill({ id: 'a' }) }, 'sources'],
  ['POST /api/v4/3/6/search/summarize/stream', { query: 'x', sources: [{}] }, 'sources[0].id'],
])('48 and 53: %s refuses %j', async (line, body, path) => {
  const answer = await send(line, body);

  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].path).toBe(path);
});

test.each([
  ['POST /api/v4/3/6/search/answer', { Question: ' x ', language: 'EN-gb', ANSWERLENGTH: 'Concise', filters: [] }],
  ['POST /api/v4/3/6/search/summarize', { ...SUMMARY, includeCitations: 'true', length: 'concise', queryId: 'x' }],
])('%s accepts %j', async (line, body) => {
  expect([200, 422]).toContain((await send(line, body)).status);
});
