import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ENGINE = '/api/v4/3/6';
const OWNER = { customerId: 3, engineId: 6 };
const post = (path: string, body: unknown, auth?: string) =>
  product.send({ method: 'POST', path: `${ENGINE}${path}`, body, headers: { authorization: auth } });
const feedbackOf = async (key: string) =>
  (await product.systemStore.listFeedback({ engineId: 6, limit: 1_000 })).find((feedback) => feedback.key === key);

describe('feedback on results', () => {
  test('63: is stored and answered with two ids', async () => {
    const url = 'https://example.com/solar';
    const queryId = product.issueQueryId(OWNER);

    const { status, body } = await post('/feedback', {
      Rating: 'Positive',
      url,
      queryId,
      sessionId: 's',
      language: 'en',
    });

    expect(status).toBe(200);
    expect(body).toEqual({ value: { eventId: expect.stringMatching(UUID), feedbackId: expect.stringMatching(UUID) } });
    const { eventId, feedbackId } = body.value;
    expect(await feedbackOf(feedbackId)).toMatchObject({
      kind: 'result',
      rating: 'positive',
      language: 'en',
      matched: true,
      extra: { url, queryId, sessionId: 's', eventId },
    });
  });

  test('under one feedbackId is merged, with a new eventId on every call', async () => {
    const feedbackId = randomUUID();
    const first = await post('/feedback', { feedbackId: feedbackId.toUpperCase(), rating: 'positive', reason: 'fast' });
    const second = await post('/feedback', { feedbackId, comment: 'and good' });

    expect(first.body.value.feedbackId).toBe(feedbackId);
    expect(second.body.value.feedbackId).toBe(feedbackId);
    expect(second.body.value.eventId).not.toBe(first.body.value.eventId);
    expect(await feedbackOf(feedbackId)).toMatchObject({
      rating: 'positive',
      reason: 'fast',
      comment: 'and good',
      matched: false,
    });
  });

  test.each([
    ['63: nothing', {}],
    ['63: a feedbackId that is no UUID', { rating: 'positive', feedbackId: 'x' }],
    ['empty text only', { reason: '', comment: '' }],
    ['only a url', { url: 'https://example.com/' }],
    ['an unknown rating', { rating: 'meh', comment: 'x' }],
    ['an empty rating', { rating: '', comment: 'x' }],
    ['a comment that is no text', { comment: 5 }],
    ['a sessionId that is no text', { comment: 'x', sessionId: 5 }],
    ['an array', []],
  ])('is 400 for %s', async (_what, body) => {
    expect((await post('/feedback', body)).status).toBe(400);
  });

  test('keeps the first 4,000 characters of free text', async () => {
    const feedbackId = randomUUID();
    await post('/feedback', { feedbackId, comment: '😀'.repeat(4_001) });
    expect((await feedbackOf(feedbackId))?.comment).toBe('😀'.repeat(4_000));
  });

  test.each([[undefined], ['Bearer x'], ['Basic ???']])('needs no credentials: %j', async (auth) => {
    expect((await post('/feedback', { rating: 'negative' }, auth)).status).toBe(200);
  });
});

test.each(['/feedback', '/search/answer/feedback', '/search/summarize/feedback', '/search/answer/click'])(
  '%s is 403 where customer and engine do not belong together',
  async (path) => {
    const body = { rating: 'positive', conversationId: 'c', exchangeId: 'e', url: '/' };
    for (const engine of ['3/8', '3/999', '4/6', '99999999999/6']) {
      expect((await product.send({ method: 'POST', path: `/api/v4/${engine}${path}`, body })).status).toBe(403);
    }
  },
);

describe('feedback on answers', () => {
  const PATH = '/search/answer/feedback';
  const ids = () => ({ conversationId: randomUUID(), exchangeId: randomUUID() });

  test('55: is stored under the exchange, attributes one call at a time', async () => {
    const { conversationId, exchangeId } = ids();

    const rated = await post(PATH, { conversationId, exchangeId, rating: 'Positive' });
    const commented = await post(PATH, { conversationId, exchangeId: exchangeId.toUpperCase(), comment: 'thanks' });

    expect([rated.status, rated.body, commented.status, commented.body]).toEqual([200, {}, 200, {}]);
    expect(await feedbackOf(exchangeId)).toMatchObject({
      kind: 'answer',
      rating: 'positive',
      comment: 'thanks',
      matched: false,
      extra: { conversationId },
    });
  });

  test.each([
    ['55: none of rating, reason, comment', {}],
    ['55: an unknown rating', { rating: 'meh' }],
    ['55: no exchangeId', { rating: 'positive', exchangeId: undefined }],
    ['no conversationId', { rating: 'positive', conversationId: '' }],
    ['55: only a comment on a fresh exchange', { comment: 'x' }],
  ])('is 400 for %s', async (_what, changes) => {
    expect((await post(PATH, { ...ids(), ...changes })).status).toBe(400);
  });
});

describe('feedback on summaries', () => {
  const PATH = '/search/summarize/feedback';

  test('56: is stored without a known summaryId', async () => {
    const summaryId = randomUUID();

    for (const body of [
      { rating: 'negative' },
      { rating: 'negative', summaryId: ' ' },
      { rating: 'negative', summaryId },
    ]) {
      const answer = await post(PATH, body);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect(await feedbackOf(summaryId)).toMatchObject({ kind: 'summary', rating: 'negative', matched: false });
    const stored = await product.systemStore.listFeedback({ engineId: 6, limit: 1_000 });
    expect(stored.filter(({ kind }) => kind === 'summary')).toHaveLength(3);
  });

  test('without a rating is 400 until the summary has one', async () => {
    const summaryId = randomUUID();
    expect((await post(PATH, { summaryId, reason: 'x' })).status).toBe(400);
    expect((await post(PATH, { reason: 'x' })).status).toBe(400);
    await post(PATH, { summaryId, rating: 'positive' });
    expect((await post(PATH, { summaryId, reason: 'x' })).status).toBe(200);
  });
});

describe('clicks on sources of answers', () => {
  const PATH = '/search/answer/click';
  const click = () => ({ conversationId: randomUUID(), exchangeId: randomUUID(), url: 'https://example.com/solar' });

  test('57: are stored', async () => {
    const sent = click();

    const { status, body } = await post(PATH, { ...sent, sessionId: 's', language: 'en' });

    expect([status, body]).toEqual([200, {}]);
    const stored = await product.systemStore.listAnswerClicks({ engineId: 6, limit: 1_000 });
    expect(stored).toContainEqual({
      ...sent,
      engineId: 6,
      at: expect.any(Number),
      matched: false,
      extra: { sessionId: 's', language: 'en' },
    });
  });

  test.each([[{ url: '' }], [{ conversationId: undefined }], [{ exchangeId: ' ' }], [{ url: 5 }]])(
    'are 400 with %j',
    async (changes) => {
      expect((await post(PATH, { ...click(), ...changes })).status).toBe(400);
    },
  );
});
