import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Exchange } from '../../src/storage/system/conversations.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: SystemStore;
let next = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

async function addAnswer(engineId: number, changes: Partial<Exchange>): Promise<string> {
  const id = `exchange-${next++}`;
  await store.addExchange({
    id,
    conversation: { customerId: 3, engineId, id: `conversation-${id}` },
    at: 1_000,
    kind: 'answer',
    question: id,
    rewritten: undefined,
    answer: 'A panel lasts 25 years.',
    language: 'en',
    sources: [],
    couldAnswer: true,
    reason: undefined,
    composer: 'extractive',
    isIncomplete: false,
    isDegraded: false,
    tokens: { input: 0, output: 0, isEstimated: false },
    millis: 12,
    visitor: {},
    ...changes,
  });
  return id;
}

const rate = (engineId: number, key: string, rating: 'positive' | 'negative') =>
  store.mergeRatedFeedback({
    engineId,
    kind: 'answer',
    key,
    at: 2_000,
    rating,
    reason: undefined,
    comment: undefined,
    language: undefined,
    matched: true,
    extra: {},
  });

const click = (engineId: number, exchangeId: string) =>
  store.addAnswerClick({
    engineId,
    conversationId: 'c',
    exchangeId,
    url: 'https://example.com/',
    at: 2_000,
    matched: true,
    extra: {},
  });

const search = (engineId: number, text: string, resultCount: number) =>
  store.addQueryEvent(
    {
      id: `query-${next++}`,
      engineId,
      at: 3_000,
      queryId: 'q1',
      sessionId: 's1',
      ip: undefined,
      extra: {},
      text,
      resultCount,
      fixedQuery: undefined,
      device: 'desktop',
      querySessionId: undefined,
    },
    undefined,
  );

const list = async (engineId: number, range: { from?: number; to?: number; limit?: number } = {}) =>
  (await store.listGapQuestions({ engineId, from: 0, to: 10_000, limit: 100, ...range })).map(
    ({ question, signal }) => [question, signal],
  );

test('what was asked in vain is listed under its strongest signal, newest first', async () => {
  const engineId = next++;
  await addAnswer(engineId, { question: 'refused', couldAnswer: false, reason: 'below-gate', at: 1_000 });
  await rate(engineId, await addAnswer(engineId, { question: 'bad', isDegraded: true, at: 1_001 }), 'negative');
  await addAnswer(engineId, { question: 'half', isDegraded: true, at: 1_002 });
  await addAnswer(engineId, { question: 'unfollowed', at: 1_003 });
  await search(engineId, 'nothing found', 0);
  await search(engineId, 'found', 2);

  expect(await list(engineId)).toEqual([
    ['nothing found', 'without-results'],
    ['unfollowed', 'without-click'],
    ['half', 'degraded'],
    ['bad', 'rated-negative'],
    ['refused', 'refused'],
  ]);
});

test('an answer that was rated positive or followed is not listed, unless it was rated negative too', async () => {
  const engineId = next++;
  await rate(engineId, await addAnswer(engineId, {}), 'positive');
  await click(engineId, await addAnswer(engineId, {}));
  const disliked = await addAnswer(engineId, { question: 'disliked' });
  await click(engineId, disliked);
  await rate(engineId, disliked, 'negative');

  expect(await list(engineId)).toEqual([['disliked', 'rated-negative']]);
});

test('a follow-up is listed as it was understood, with what is known of who asked', async () => {
  const engineId = next++;
  const asked = { question: 'and in winter?', rewritten: 'opening hours in winter', couldAnswer: false };
  await addAnswer(engineId, { ...asked, reason: 'no-passages', language: 'en', visitor: { sessionId: 's7' } });

  expect(await store.listGapQuestions({ engineId, from: 0, to: 10_000, limit: 100 })).toEqual([
    {
      signal: 'refused',
      question: 'opening hours in winter',
      language: 'en',
      reason: 'no-passages',
      at: 1_000,
      visitor: 's7',
    },
  ]);
});

test('only questions of the engine and of the time are listed, at most as many as wanted', async () => {
  const engineId = next++;
  for (const at of [1_000, 2_000, 3_000]) await addAnswer(engineId, { question: `at ${at}`, couldAnswer: false, at });
  await addAnswer(next++, { couldAnswer: false, at: 2_000 });

  expect(await list(engineId, { from: 2_000, to: 3_000 })).toEqual([['at 2000', 'refused']]);
  expect(await list(engineId, { limit: 2 })).toEqual([
    ['at 3000', 'refused'],
    ['at 2000', 'refused'],
  ]);
});
