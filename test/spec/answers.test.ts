import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/observability/logger.ts';
import { readStream } from '../helpers/answer-streams.ts';
import { eventually } from '../helpers/eventually.ts';
import { D1, D3, D4 } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4, cases 46 to 50, 55 and 57, answered from passages.
const ANSWER = '/api/v4/3/6/search/answer';
const STREAM = `${ANSWER}/stream`;
const QUESTION = 'How long does a solar panel last?';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MARKER = /\[(\d+)\]/g;

type Line = Readonly<Record<string, unknown>>;
const lines: Record<'silent' | 'open', Line[]> = { silent: [], open: [] };

function keptLog(kept: Line[]) {
  const keep = (fields: Line, message?: string) => void kept.push({ ...fields, message });
  const log = { error: keep, warn: keep, info: keep, debug: keep, child: () => log };
  return log as unknown as Log;
}

/** Answers are made anew each time. */
const NOTHING_KEPT = { AI_CACHE_MAX_BYTES: '0' };

let product: Product;
/** Another prefix, short patience, texts in the log. */
let other: Product;
beforeAll(async () => {
  [product, other] = await Promise.all([
    startProduct({ log: keptLog(lines.silent), config: NOTHING_KEPT }),
    startProduct({
      ...{ log: keptLog(lines.open), config: { ...NOTHING_KEPT, LOG_TEXT: 'true' }, busyWaitMs: 150 },
      settings: { streamHeaderPrefixes: ['Service', 'Acme'] },
    }),
  ]);
});
afterAll(() => Promise.all([product, other].map((started) => started[Symbol.asyncDispose]())));

const ask = (body: object, path = ANSWER) => product.post(path, body, product.siteKey);
const exchangesOf = (id: string) =>
  product.systemStore.readConversation({ customerId: 3, engineId: 6, id }, { limit: 20, maxChars: 64_000 });
const markersOf = (text: string) => [...new Set([...text.matchAll(MARKER)].map(([, number]) => Number(number)))];

describe('an answer', () => {
  test('46: has every member, and markers and citations match one to one', async () => {
    const { status, body } = await ask({ question: QUESTION, includeCitations: true });

    expect(status).toBe(200);
    expect(body).toEqual({
      value: {
        answer: expect.stringContaining('25'),
        url: D1,
        chatSessionId: expect.stringMatching(UUID),
        conversationId: body.value.chatSessionId,
        exchangeId: expect.stringMatching(UUID),
        citations: expect.arrayContaining([
          {
            reference: expect.any(Number),
            url: D1,
            pageTitle: 'Solar panels guide',
            snippet: expect.stringMatching(/panel/),
          },
        ]),
        couldAnswer: true,
      },
    });
    const { answer, citations } = body.value;
    expect(citations.map(({ reference }: { reference: number }) => reference)).toEqual(markersOf(answer).sort());
    expect(markersOf(answer)[0]).toBe(1);
  });

  test('46: has neither markers nor citations unless they are asked for', async () => {
    const { value } = (await ask({ question: QUESTION })).body;

    expect(value).toMatchObject({ couldAnswer: true, citations: [], answer: expect.stringContaining('25') });
    expect(value.answer).not.toMatch(MARKER);
  });

  test.each([
    ['What is the capital of Mongolia?', undefined, /Sorry/],
    ['Hvad hedder Mongoliets hovedstad?', 'da', /Beklager/],
    ['Wie heißt die Hauptstadt der Mongolei und wer regiert dort?', undefined, /Leider/],
  ])('47: says politely that %j is not answered here', async (question, language, words) => {
    const { status, body } = await ask({ question, language, includeCitations: true });

    expect(status).toBe(200);
    expect(body.value).toMatchObject({ couldAnswer: false, citations: [], url: '' });
    expect(body.value.answer).toMatch(words);
  });

  test('49: stands on documents within the filters alone', async () => {
    const { status, body } = await ask({
      question: QUESTION,
      filters: { Category: ['News'] },
      includeCitations: true,
    });

    expect(status).toBe(200);
    const urls = body.value.citations.map(({ url }: { url: string }) => url);
    for (const url of [...urls, body.value.url]) expect(['', D3, D4]).toContain(url);
    expect(body.value.answer).not.toContain('25');
  });

  test('stands on the named fields alone', async () => {
    expect((await ask({ question: QUESTION, sourceFields: ['Category'] })).body.value.couldAnswer).toBe(false);
    expect((await ask({ question: QUESTION, sourceFields: [] })).body.value.couldAnswer).toBe(true);
    const many = [...Array.from({ length: 999 }, (_, at) => `Field ${at}`), 'Content'];
    expect((await ask({ question: QUESTION, sourceFields: many })).body.value.couldAnswer).toBe(true);
  });

  test('links to the passage when the engine says so', async () => {
    await product.changeSettings(6, { citationFragments: true });
    const { value } = (await ask({ question: QUESTION, includeCitations: true })).body;
    await product.changeSettings(6, { citationFragments: false });

    // It opens with both sentences of the page, so that the link leads to the first of them.
    expect(value.citations[0].url).toBe(`${D1}#:~:text=Solar%20panels%20turn%20sunlight%20into%20power.`);
  });

  test('is refused below the threshold of the engine', async () => {
    await product.changeSettings(6, { answerThreshold: 1 });
    const { value } = (await ask({ question: QUESTION })).body;
    await product.changeSettings(6, { answerThreshold: undefined });

    expect(value.couldAnswer).toBe(false);
  });

  test('needs enabled fields in strict mode', async () => {
    await product.changeSettings(6, { fieldMode: 'strict', enabledFields: ['Category'] });
    const filters = { Category: ['News'], Rank: ['1'] };
    const { status, body } = await ask({ question: QUESTION, filters, valueBoost: { Price_number: [1] } });
    await product.changeSettings(6, { fieldMode: 'auto', enabledFields: [] });

    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['filters.Rank', 'valueBoost.Price_number']);
  });
});

describe('a stream', () => {
  test('50: has its ids as exposed headers and links in the text', async () => {
    const { status, headers, text } = await readStream(product, STREAM, {
      body: { question: QUESTION },
      headers: { origin: 'https://shop.example', 'accept-encoding': 'gzip, br' },
    });

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'service-conversation-id': expect.stringMatching(UUID),
      'service-exchange-id': expect.stringMatching(UUID),
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['access-control-expose-headers']).toMatch(/Service-Conversation-Id, Service-Exchange-Id/);
    expect(text).toContain(`25 years. [1](${D1})`);
    expect(text.replaceAll(/\[\d+\]\(https:\/\/example\.com\/[^()\s]*\)/g, '')).not.toMatch(/\[|\]/);
  });

  test('50: has them once per prefix', async () => {
    const { headers } = await readStream(other, STREAM, { body: { question: QUESTION } });

    for (const id of ['conversation-id', 'exchange-id']) {
      expect(headers[`acme-${id}`]).toMatch(UUID);
      expect(headers[`acme-${id}`]).toBe(headers[`service-${id}`]);
    }
    expect(headers['access-control-expose-headers']).toMatch(/Acme-Conversation-Id, Acme-Exchange-Id/);
  });

  test('says politely what it cannot answer, without links', async () => {
    const { status, text } = await readStream(product, STREAM, { body: { question: 'Who is the king of Mongolia?' } });

    expect(status).toBe(200);
    expect(text).toMatch(/^Sorry[^[\]]*$/);
  });

  test('encodes what would end a link', async () => {
    const url = 'https://example.com/a (b) c';
    const fields = { Title: 'Roof tiles', Url: url, Content: 'A roof tile made of clay weighs 3.2 kilograms.' };
    await product.put('/api/v4/3/index/17/documents?refresh=wait', [{ id: 'tiles', fields }]);

    const { text } = await readStream(product, STREAM, { body: { question: 'How much does a roof tile weigh?' } });
    const { body } = await ask({ question: 'How much does a roof tile weigh?', includeCitations: true });
    await product.delete('/api/v4/3/index/17/documents?documentId=tiles');

    expect(text).toContain('[1](https://example.com/a%20%28b%29%20c)');
    expect(body.value.citations[0].url).toBe(url);
  });

  test('shows ids and CORS headers on errors, too', async () => {
    const { status, headers } = await readStream(product, STREAM, {
      body: { question: ' ' },
      headers: { origin: 'https://shop.example' },
    });

    expect(status).toBe(400);
    expect(headers['access-control-expose-headers']).toMatch(/Service-Exchange-Id/);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
});

test('200 questions at once are all answered', async () => {
  const questions = Array.from({ length: 200 }, (_, i) =>
    ask({ question: QUESTION, customPrompt: `${i}` }, i % 2 === 0 ? ANSWER : STREAM),
  );

  const statuses = (await Promise.all(questions)).map(({ status }) => status);

  expect(new Set(statuses)).toEqual(new Set([200]));
}, 60_000);

describe('a conversation', () => {
  test('keeps what was asked and answered, and goes on with it', async () => {
    const first = (await ask({ question: QUESTION })).body.value;
    const conversationId = first.conversationId.toUpperCase();

    const next = (await ask({ question: 'And what do they turn into power?', conversationId })).body.value;

    expect(next.conversationId).toBe(first.conversationId);
    expect(next.exchangeId).not.toBe(first.exchangeId);
    expect(await exchangesOf(first.conversationId)).toMatchObject([
      {
        ...{ id: first.exchangeId, kind: 'answer', question: QUESTION, couldAnswer: true, language: 'en' },
        ...{ answer: first.answer, composer: 'extractive', rewritten: undefined, sources: [{ documentId: D1 }] },
      },
      { id: next.exchangeId, rewritten: expect.stringContaining('panel') },
    ]);
  });

  test('of an unknown id begins under it', async () => {
    const conversationId = randomUUID();
    expect((await ask({ question: QUESTION, conversationId })).body.value.conversationId).toBe(conversationId);
  });

  test('answers two questions at once one after the other', async () => {
    const conversationId = randomUUID();

    const answers = await Promise.all([1, 2].map(() => ask({ question: QUESTION, conversationId })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await exchangesOf(conversationId)).toHaveLength(2);
  });

  test('that stays busy answers 429 and says when to come back', async () => {
    const conversationId = randomUUID();
    const now = Date.now();
    const held = { holder: 'another', now, until: now + 60_000, expiredBefore: 0 };
    await other.systemStore.takeConversation({ customerId: 3, engineId: 6, id: conversationId }, held);

    for (const path of [ANSWER, STREAM]) {
      const { status, headers, body } = await other.send({
        ...{ method: 'POST', path, body: { question: QUESTION, conversationId } },
        headers: { authorization: other.siteKey, origin: 'https://shop.example' },
      });

      expect({ status, code: body.code, after: headers['retry-after'] }).toEqual({
        status: 429,
        code: 429,
        after: '2',
      });
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        ...{ 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '2' },
      });
    }
    expect(await other.printMetrics()).toMatch(/composer="none",outcome="busy"\} 2$/m);
  });

  test('stores no addresses and numbers of people', async () => {
    const question = 'I am jane@example.com, call +45 12 34 56 78: how long does a solar panel last?';
    const { conversationId } = (await ask({ question })).body.value;

    const [stored] = await exchangesOf(conversationId);

    expect(stored?.question).toBe('I am [e-mail], call [number]: how long does a solar panel last?');
  });
});

describe('feedback and clicks', () => {
  test('55: on an answer that was given is matched, and so is 57: a click on its source', async () => {
    const { conversationId, exchangeId } = (await ask({ question: QUESTION })).body.value;
    const send = (path: string, body: object) =>
      product.post(`${ANSWER}${path}`, { conversationId, exchangeId, ...body });

    expect(await send('/feedback', { rating: 'Positive' })).toEqual({ status: 200, body: {} });
    expect(await send('/click', { url: D1 })).toEqual({ status: 200, body: {} });
    expect(await send('/click', { url: 'https://elsewhere.example/' })).toEqual({ status: 200, body: {} });

    const feedback = await product.systemStore.listFeedback({ engineId: 6, limit: 1 });
    const clicks = await product.systemStore.listAnswerClicks({ engineId: 6, limit: 2 });
    expect(feedback).toMatchObject([{ key: exchangeId, rating: 'positive', matched: true }]);
    expect(clicks).toMatchObject([{ matched: false }, { url: D1, matched: true }]);
  });
});

describe('the operator', () => {
  test('sees what answers took, per day and in the metrics', async () => {
    const today = async () => product.systemStore.findAnswerDay(6, Math.floor(Date.now() / 86_400_000));
    const before = await today();
    await ask({ question: QUESTION });
    await ask({ question: 'Who is the king of Mongolia?' });

    const after = await today();
    const printed = await product.printMetrics();

    expect([after?.answers, after?.refused, after?.inputTokens]).toEqual([
      (before?.answers ?? 0) + 2,
      (before?.refused ?? 0) + 1,
      0,
    ]);
    expect(printed).toMatch(
      /^fossick_ai_answers_total\{kind="answer",composer="extractive",outcome="answered"\} \d+$/m,
    );
    expect(printed).toMatch(/^fossick_ai_answers_total\{kind="answer",composer="extractive",outcome="refused"\} \d+$/m);
    expect(printed).toMatch(/^fossick_ai_refusals_total\{reason="[a-z-]+"\} \d+$/m);
    expect(printed).toMatch(/^fossick_ai_first_byte_seconds_count \d+$/m);
  });

  test.each(['silent', 'open'] as const)('finds one line per answer in the log: %s', async (name) => {
    const asked = name === 'silent' ? product : other;
    const { exchangeId, answer } = (await asked.post(ANSWER, { question: QUESTION }, asked.siteKey)).body.value;

    const own = await eventually(async () => {
      const found = lines[name].filter((line) => line['exchangeId'] === exchangeId);
      return found.length > 0 ? found : undefined;
    });

    const texts = name === 'open' ? { question: QUESTION, answer } : {};
    expect(own).toMatchObject([
      { message: 'answer given', outcome: 'answered', composer: 'extractive', engineId: 6, dropped: 0, ...texts },
    ]);
    if (name === 'silent') expect(JSON.stringify(lines.silent)).not.toContain(answer);
  });
});
