import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStream } from '../helpers/answer-streams.ts';
import { BASIC_4, D1, D5 } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 5, cases 52 to 54 and 56, from passages.
const SUMMARIZE = '/api/v4/3/6/search/summarize';
const STREAM = `${SUMMARIZE}/stream`;
const CHAT = '/api/v4/3/6/search/answer/stream';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LINK = /\[(\d)\]\((https:[^()\s]+)\)/g;

let product: Product;
let body: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  product = await startProduct();
  const found = (await product.post('/api/v4/3/6/search', { query: 'solar' }, product.siteKey)).body;
  const hits: readonly { Id: string; ResultIndex: number }[] = found.TypedDocuments;
  const sources = hits.map(({ Id, ResultIndex }) => ({
    ...{ id: Id, fields: ['Title', 'Content'], resultIndex: ResultIndex },
  }));
  body = { query: 'solar', queryId: found.QueryId, sources };
});
afterAll(() => product[Symbol.asyncDispose]());

const summarize = (changes: object = {}, on = product) => on.post(SUMMARIZE, { ...body, ...changes }, on.siteKey);
const sourceIds = () => (body['sources'] as { id: string }[]).map(({ id }) => id);
const exchangesOf = (id: string) =>
  product.systemStore.readConversation({ customerId: 3, engineId: 6, id }, { limit: 20, maxChars: 64_000 });

describe('a summary', () => {
  test.each([true, false])(
    '52: has text without markers and the addresses of its sources: %s',
    async (includeCitations) => {
      const { status, body: answer } = await summarize({ includeCitations });

      expect(status).toBe(200);
      expect(answer).toEqual({
        value: {
          summary: expect.stringMatching(/\w/),
          summaryId: expect.stringMatching(UUID),
          summaryRequestId: expect.stringMatching(UUID),
          summarySourceUrls: expect.arrayContaining([D1]),
        },
      });
      const { summary, summarySourceUrls, summaryId, summaryRequestId } = answer.value;
      expect(summary).not.toMatch(/\[|\]/);
      expect(summaryId).not.toBe(summaryRequestId);
      expect(summarySourceUrls).toEqual(sourceIds().filter((id) => summarySourceUrls.includes(id)));
    },
  );

  test.each([
    ['unknown sources', { sources: [{ id: 'nothing' }, { id: 'https://example.com/none' }] }],
    ['a query that they do not bear on', { query: 'parental leave of employees' }],
  ])('is 422 for %s, on both endpoints', async (_what, changes) => {
    for (const path of [SUMMARIZE, STREAM]) {
      const sent = { method: 'POST', path, body: { ...body, ...changes }, headers: { authorization: product.siteKey } };
      const { status, body: answer } = await product.send(sent);

      expect({ path, status, name: answer.status }).toEqual({ path, status: 422, name: 'Unprocessable Entity' });
    }
  });

  test('finds sources by their address, counts each once and skips unknown ones', async () => {
    const sources = [{ id: 'nothing' }, { id: 'https://example.com/battery' }, { id: 'item-6' }];

    const { status, body: answer } = await summarize({ query: 'battery', sources });

    expect(status).toBe(200);
    expect(answer.value.summarySourceUrls).toEqual(['https://example.com/battery']);
  });

  test('reads the named fields alone', async () => {
    const sources = [{ id: D1, fields: ['Category'] }];
    expect((await summarize({ sources })).status).toBe(422);
  });

  test('reads of each source what is named for it, as many fields as a document may have', async () => {
    const fields = {
      ...{ Title: 'Solar roofs of old farm buildings', Url: 'https://example.com/roofs' },
      ...{ Description: 'Solar roofs pay for themselves within ten years.' },
      Content: 'Solar roofs pay for themselves within ten years. A frame of oak carries them.',
    };
    await product.put('/api/v4/3/index/17/documents?refresh=wait', [{ id: 'roofs', fields }]);
    const many = Array.from({ length: 999 }, (_, at) => `Field ${at}`);
    const answers: string[] = [];
    for (const named of [['Title'], ['Description'], ['Content', ...many]]) {
      const sources = [
        { id: 'roofs', fields: named },
        { id: D5, fields: ['Content'] },
      ];
      const { status, body: answer } = await summarize({ query: 'solar roofs', sources });
      answers.push(status === 200 ? answer.value.summary.split('\n')[0] : String(status));
    }
    await product.delete('/api/v4/3/index/17/documents?documentId=roofs');

    expect(answers).toEqual([
      'Solar roofs of old farm buildings',
      'Solar roofs pay for themselves within ten years.',
      'Solar roofs pay for themselves within ten years. A frame of oak carries them.',
    ]);
  });

  test('reads no document of another engine', async () => {
    const foreign = [
      { id: 'secret-8', fields: { Title: 'Secret solar', Content: 'The solar secret is 42 kilowatts.' } },
    ];
    await product.put('/api/v4/4/index/19/documents?refresh=wait', foreign, BASIC_4);

    expect((await summarize({ sources: [{ id: 'secret-8' }] })).status).toBe(422);
  });

  test('is as long as asked for only where the engine has SummaryOptions', async () => {
    const content = [
      'Solar power feeds every lamp of the old town hall.',
      'A roof with solar power needs a strong wooden frame.',
      'In winter solar power falls to a quarter of its summer yield.',
      'Schools sell solar power to the grid during holidays.',
      'Engineers measure solar power with a calibrated pyranometer.',
      'Farmers combine solar power and sheep on dry meadows.',
    ];
    const fields = { Title: 'Solar power', Url: 'https://example.com/long', Content: content.join(' ') };
    await product.put('/api/v4/3/index/17/documents?refresh=wait', [{ id: 'long', fields }]);
    const length = async () => {
      const sent = { query: 'solar power', sources: [{ id: 'long' }], answerLength: 'concise' };
      return (await summarize(sent)).body.value.summary.length;
    };

    const full = await length();
    await product.changeSettings(6, { features: ['AiChat', 'SummaryOptions'] });
    const short = await length();
    await product.changeSettings(6, { features: ['AiChat'] });
    await product.delete('/api/v4/3/index/17/documents?documentId=long');

    expect(short).toBeLessThan(full);
  });
});

describe('a stream', () => {
  test('has its ids as headers, and links numbered by source when they are asked for', async () => {
    const { status, headers, text } = await readStream(product, STREAM, { body: { ...body, includeCitations: true } });

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['service-summary-id']).toMatch(UUID);
    expect(headers['service-summary-request-id']).toMatch(UUID);
    const links = [...text.matchAll(LINK)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, number, url] of links) expect(url).toBe(sourceIds()[Number(number) - 1]);
  });

  test('links to the address of a source also where links of answers lead to the passage', async () => {
    await product.changeSettings(6, { citationFragments: true });
    const { text } = await readStream(product, STREAM, { body: { ...body, includeCitations: true } });
    await product.changeSettings(6, { citationFragments: false });

    const urls = [...text.matchAll(LINK)].map(([, , url]) => url);
    expect(urls.length).toBeGreaterThan(0);
    expect(sourceIds()).toEqual(expect.arrayContaining(urls));
  });

  test('has neither markers nor links when they are not', async () => {
    const { text } = await readStream(product, STREAM, { body });

    expect(text).toMatch(/\w/);
    expect(text).not.toMatch(/[[\]]|https?:/);
  });
});

describe('AI Mode', () => {
  test('54: goes on under the request id of the summary', async () => {
    const summary = await readStream(product, STREAM, { body });
    const conversationId = String(summary.headers['service-summary-request-id']);

    for (const question of ['How long does a panel last?', 'And what does it turn into power?']) {
      const { status, headers } = await readStream(product, CHAT, { body: { question, conversationId } });
      expect({ status, id: headers['service-conversation-id'] }).toEqual({ status: 200, id: conversationId });
    }

    const [first, ...answers] = await exchangesOf(conversationId);
    expect(first).toMatchObject({ kind: 'summary', question: 'solar', answer: summary.text, couldAnswer: true });
    expect(first?.sources.map(({ documentId }) => documentId).sort()).toEqual([...sourceIds()].sort());
    expect(answers.map(({ kind }) => kind)).toEqual(['answer', 'answer']);
  });

  test('reads a follow-up as one on the query of the summary', async () => {
    const { summaryRequestId } = (await summarize({ query: 'inverter' })).body.value;

    const { value } = (
      await product.post(
        '/api/v4/3/6/search/answer',
        { question: 'What does it feed?', conversationId: summaryRequestId, includeCitations: true },
        product.siteKey,
      )
    ).body;

    expect(value).toMatchObject({ conversationId: summaryRequestId, couldAnswer: true, url: D5 });
  });
});

describe('feedback', () => {
  test('56: on a summary is taken with, without and with an unknown id; a known one is matched', async () => {
    const { summaryId } = (await summarize()).body.value;
    const send = (sent: object) => product.post(`${SUMMARIZE}/feedback`, { rating: 'negative', ...sent });

    expect(await send({})).toEqual({ status: 200, body: {} });
    expect(await send({ summaryId: randomUUID() })).toEqual({ status: 200, body: {} });
    expect(await send({ summaryId })).toEqual({ status: 200, body: {} });

    const stored = await product.systemStore.listFeedback({ engineId: 6, limit: 3 });
    expect(stored.map(({ key, matched }) => [key === summaryId, matched]).sort()).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });
});
