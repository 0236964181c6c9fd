import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/observability/logger.ts';
import { readStream } from '../helpers/answer-streams.ts';
import { type ChosenModels, openChosenModels } from '../helpers/chosen-models.ts';
import { eventually } from '../helpers/eventually.ts';
import { PROVIDER_TEXT } from '../helpers/fake-model-server.ts';
import { D1, FIXTURE_DOCUMENTS } from '../helpers/fixture.ts';
import { MODEL_KEY } from '../helpers/model-calls.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4 and 5 with a language model, case 51, and every fault of a model on both endpoints.
const ANSWER = '/api/v4/3/6/search/answer';
const SUMMARIZE = '/api/v4/3/6/search/summarize';
const QUESTION = 'How long does a solar panel last?';
const INCOMPLETE = '\n\nThis answer is incomplete. Please try again.';
const URLS = FIXTURE_DOCUMENTS.map(({ id, fields }) => ('Url' in fields ? fields.Url : id));

const logged: unknown[] = [];
const keep = (fields: object, message?: string) => void logged.push({ ...fields, message });
const log = { error: keep, warn: keep, info: keep, debug: keep, child: () => log } as unknown as Log;

const stack = new AsyncDisposableStack();
let models: ChosenModels;
/** `AI_FALLBACK` and `AI_STREAM_FALLBACK` as they are from stock, and the other way round. */
let stock: Product;
let turned: Product;
beforeAll(async () => {
  models = await openChosenModels(stack, { log });
  // Each mode of the model answers the same questions.
  const nothingKept = { AI_CACHE_MAX_BYTES: '0' };
  const turnedConfig = { ...nothingKept, AI_FALLBACK: 'none', AI_STREAM_FALLBACK: 'extractive' };
  [stock, turned] = await Promise.all([
    startProduct({ log, languageModels: models, config: nothingKept }),
    startProduct({ log, languageModels: models, config: turnedConfig }),
  ]);
  stack.use(stock);
  stack.use(turned);
});
afterAll(() => stack.disposeAsync());

const body = (mode: string) => ({ question: QUESTION, includeCitations: true, ...models.choose(mode) });

/** Status, and of a success who answered and how it ended. */
async function whole(product: Product, mode: string): Promise<string> {
  const {
    status,
    headers,
    body: answer,
  } = await product.send({
    ...{ method: 'POST', path: ANSWER, body: body(mode), headers: { authorization: product.siteKey } },
  });
  expect(JSON.stringify(answer)).not.toContain(PROVIDER_TEXT);
  if (status !== 200) return `${status} ${answer.code}`;
  const { value } = answer;
  for (const { url } of value.citations) expect(URLS).toContain(url);
  const [exchange] = await exchangesOf(product, value.conversationId);
  const fallback = headers['service-answer-fallback'] === 'extractive' ? ' instead' : '';
  const end = exchange?.isIncomplete ? 'incomplete' : exchange?.isDegraded ? 'degraded' : 'whole';
  return `200 ${exchange?.composer}${fallback} ${exchange?.reason ?? end}`;
}

async function streamed(product: Product, mode: string): Promise<string> {
  const { status, headers, text } = await readStream(product, `${ANSWER}/stream`, { body: body(mode) });
  expect(text).not.toContain(PROVIDER_TEXT);
  if (status !== 200) return `${status} ${JSON.parse(text).code}`;
  for (const [, url] of text.matchAll(/\]\(([^)]*)\)/g)) expect(URLS).toContain(url);
  const id = String(headers['service-conversation-id']);
  const exchange = (await exchangesOf(product, id))[0];
  const fallback = headers['service-answer-fallback'] === 'extractive' ? ' instead' : '';
  const end = text.endsWith(INCOMPLETE) ? 'incomplete' : exchange?.isDegraded ? 'degraded' : 'whole';
  expect(exchange?.isIncomplete).toBe(end === 'incomplete');
  return `200 ${exchange?.composer}${fallback} ${exchange?.reason ?? end}`;
}

const exchangesOf = (product: Product, id: string) =>
  product.systemStore.readConversation({ customerId: 3, engineId: 6, id }, { limit: 20, maxChars: 64_000 });

const INSTEAD = '200 extractive instead whole';
const AWAY = [INSTEAD, '500 500', '502 502', INSTEAD] as const;

/** Stock whole, turned whole, stock stream, turned stream. */
type Outcomes = readonly [string, string, string, string];
const FAULTS: readonly (readonly [mode: string, ...Outcomes])[] = [
  ['ok', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['gone', ...AWAY],
  ['http:500', ...AWAY],
  ['http:503', ...AWAY],
  ['http:429', ...AWAY],
  ['http:401', ...AWAY],
  ['http:404', ...AWAY],
  ['http:400', ...AWAY],
  ['hang', ...AWAY],
  ['hang-after-headers', ...AWAY],
  ['html', ...AWAY],
  ['redirect', ...AWAY],
  ['empty', ...AWAY],
  ['cut-first', ...AWAY],
  ['reasoning-only', ...AWAY],
  ['tool-call-only', ...AWAY],
  ['no-end', INSTEAD, '500 500', '200 model incomplete', '200 model incomplete'],
  ['cut:12', INSTEAD, '500 500', '200 model incomplete', '200 model incomplete'],
  ['error-frame:12', INSTEAD, '500 500', '200 model incomplete', '200 model incomplete'],
  ['broken-frame:12', INSTEAD, '500 500', '200 model incomplete', '200 model incomplete'],
  ['stall-after:12', '200 model incomplete', '200 model incomplete', '200 model incomplete', '200 model incomplete'],
  ['context-too-long', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['oversize', '200 extractive whole', '200 extractive whole', '200 extractive whole', '200 extractive whole'],
  ['filtered-late', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['split-marker', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['markers-none', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['flaky:1', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['length', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
  ['filtered', '200 model filtered', '200 model filtered', '200 model filtered', '200 model filtered'],
  [
    'no-answer',
    '200 model model-refused',
    '200 model model-refused',
    '200 model model-refused',
    '200 model model-refused',
  ],
  ['long:3', '200 extractive whole', '200 extractive whole', '200 extractive whole', '200 extractive whole'],
  ['links', '200 model whole', '200 model whole', '200 model whole', '200 model whole'],
];

describe('a model that', () => {
  const outcomes = new Map<string, Promise<readonly string[]>>();
  beforeAll(() => {
    for (const [mode] of FAULTS) {
      const asked = [whole(stock, mode), whole(turned, mode), streamed(stock, mode), streamed(turned, mode)];
      const all = Promise.all(asked);
      all.catch(() => undefined);
      outcomes.set(mode, all);
    }
  });

  test.each(FAULTS)('%s', async (mode, ...expected) => {
    expect(await outcomes.get(mode)).toEqual(expected);

    const calls = models.server.calls.filter((call) => call.mode === mode);
    expect(calls.length).toBeLessThanOrEqual(8);
    await eventually(async () => calls.every(({ closedAt }) => closedAt !== undefined) || undefined);
    expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${PROVIDER_TEXT}|${MODEL_KEY}`));
  });
});

describe('with a model', () => {
  test('51: a refused connection is 502 with the error body on streams, 200 from passages otherwise', async () => {
    const sent = {
      method: 'POST',
      body: body('gone'),
      headers: { authorization: stock.siteKey, origin: 'https://a.example' },
    };

    const stream = await stock.send({ ...sent, path: `${ANSWER}/stream` });
    const answer = await stock.send({ ...sent, path: ANSWER });

    expect(stream.status).toBe(502);
    expect(stream.body).toMatchObject({ code: 502, status: 'Bad Gateway', requestId: stream.headers['x-request-id'] });
    expect(stream.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'service-exchange-id': expect.any(String),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['service-answer-fallback']).toBe('extractive');
    expect(answer.body.value.answer).toContain('25');
  });

  test('the search works on while the model is away', async () => {
    await whole(stock, 'gone');
    expect((await stock.post('/api/v4/3/6/search', { query: 'solar' }, stock.siteKey)).body.TotalDocument).toBe(3);
  });

  test('units are sent as they are verified, one write each', async () => {
    const { chunks } = await readStream(stock, `${ANSWER}/stream`, { body: body('slow-deltas:5') });

    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk).toMatch(/\]\(https:\/\/[^)]*\)$/);
  });

  test.each([0, 1, 2])(
    'a reader who leaves behind unit %i ends the call, and the exchange is incomplete',
    async (leaveAfter) => {
      const conversationId = randomUUID();
      const mode = `slow-deltas:${20 + leaveAfter}`;

      await readStream(stock, `${ANSWER}/stream`, { body: { ...body(mode), conversationId }, leaveAfter });

      if (leaveAfter === 0) {
        expect(await exchangesOf(stock, conversationId)).toEqual([]);
        return;
      }
      const call = models.server.calls.find((made) => made.mode === mode);
      await eventually(async () => call?.closedByClient || undefined);
      const exchange = await eventually(async () => (await exchangesOf(stock, conversationId))[0]);
      expect(exchange).toMatchObject({ isIncomplete: true, composer: 'model', couldAnswer: true });
      expect((await stock.post(ANSWER, { ...body('ok'), conversationId }, stock.siteKey)).status).toBe(200);
    },
  );

  test('tokens are stored with the exchange and add up per day', async () => {
    const { value } = (await stock.post(ANSWER, body('ok'), stock.siteKey)).body;

    const [exchange] = await exchangesOf(stock, value.conversationId);
    const day = await stock.systemStore.findAnswerDay(6, Math.floor(Date.now() / 86_400_000));
    expect(exchange?.tokens.input).toBeGreaterThan(0);
    expect(exchange?.tokens.output).toBeGreaterThan(0);
    expect(day?.inputTokens).toBeGreaterThanOrEqual(exchange?.tokens.input ?? 0);
  });

  test('a style is an order only with an API key and where the engine trusts it', async () => {
    const systemOf = async (authorization: string) => {
      await stock.post(ANSWER, { question: QUESTION, customPrompt: 'Be brief, mode=ok' }, authorization);
      const { messages } = models.server.calls.at(-1) ?? { messages: [] };
      return messages
        .filter(({ role }) => role === 'system')
        .map(({ content }) => content)
        .join('\n');
    };

    expect(await systemOf(stock.basic)).not.toContain('Be brief');
    await stock.changeSettings(6, { trustedCustomPrompt: true, aiInstructions: 'Mention the warranty.' });
    expect(await systemOf(stock.basic)).toMatch(/Mention the warranty\.\n\nBe brief/);
    expect(await systemOf(stock.siteKey)).not.toContain('Be brief');
    await stock.changeSettings(6, { trustedCustomPrompt: false, aiInstructions: undefined });
  });

  test.each([
    ['ok', 200, 200],
    ['gone', 200, 502],
    ['no-answer', 422, 422],
  ])('a summary by a model that is %s is %i, and as a stream %i', async (mode, wholeStatus, streamStatus) => {
    await stock.changeSettings(6, { features: ['AiChat', 'SummaryOptions'] });
    const sent = { query: 'solar panel power', sources: [{ id: D1 }], includeCitations: true, ...models.choose(mode) };

    const summary = await stock.post(SUMMARIZE, sent, stock.siteKey);
    const { status, text } = await readStream(stock, `${SUMMARIZE}/stream`, { body: sent });

    expect([summary.status, status]).toEqual([wholeStatus, streamStatus]);
    if (status === 200) expect(text).toContain(`[1](${D1})`);
    if (summary.status === 200) expect(summary.body.value.summarySourceUrls).toEqual([D1]);
  });
});
