import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClickEvent, Feedback, QueryEvent, TrackingStore } from '../../src/storage/system/tracking.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: TrackingStore;
let nextEngineId = 1;
let nextId = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const newEngine = () => nextEngineId++;
const newId = () => `event-${nextId++}`;

const query = (engineId: number, changes: Partial<QueryEvent> = {}): QueryEvent => ({
  id: newId(),
  engineId,
  at: 1_000,
  queryId: 'q',
  text: 'solar',
  resultCount: undefined,
  fixedQuery: undefined,
  device: 'unknown',
  sessionId: undefined,
  querySessionId: undefined,
  ip: undefined,
  extra: {},
  ...changes,
});

const click = (engineId: number, changes: Partial<ClickEvent> = {}): ClickEvent => ({
  id: newId(),
  engineId,
  at: 1_000,
  queryId: 'q',
  kind: 'searchresult',
  url: undefined,
  rank: undefined,
  bannerId: undefined,
  title: undefined,
  text: undefined,
  sessionId: undefined,
  ip: undefined,
  extra: {},
  ...changes,
});

const feedback = (engineId: number, changes: Partial<Feedback> = {}): Feedback => ({
  engineId,
  kind: 'answer',
  key: 'exchange',
  at: 1_000,
  rating: undefined,
  reason: undefined,
  comment: undefined,
  language: undefined,
  matched: false,
  extra: {},
  ...changes,
});

describe('events', () => {
  test('come back exactly as stored', async () => {
    const engineId = newEngine();
    const full = query(engineId, {
      resultCount: 0,
      fixedQuery: 'solar',
      device: 'tablet',
      sessionId: 's',
      querySessionId: 'qs',
      ip: '192.0.2.1',
      extra: { refurl: 'https://example.com/', __proto: 'x' },
    });
    const fullClick = click(engineId, {
      kind: 'banner',
      url: 'https://example.com/',
      rank: 3,
      bannerId: '12',
      title: 'T',
      text: 'solar',
      sessionId: 's',
      ip: '2001:db8::1',
      extra: { a: '1' },
    });
    const answerClick = {
      engineId,
      conversationId: 'c',
      exchangeId: 'e',
      url: 'https://example.com/',
      at: 5,
      matched: true,
      extra: { sessionId: 's' },
    };

    await Promise.all([
      store.addQueryEvent(full, undefined),
      store.addClickEvent(fullClick),
      store.addAnswerClick(answerClick),
    ]);

    expect(await store.listQueryEvents({ engineId, limit: 9 })).toEqual([full]);
    expect(await store.listClickEvents({ engineId, limit: 9 })).toEqual([fullClick]);
    expect(await store.listAnswerClicks({ engineId, limit: 9 })).toEqual([answerClick]);
  });

  test('are listed for one engine, newest first, up to the limit', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    for (const [of, at] of [
      [engineId, 1],
      [engineId, 3],
      [other, 4],
      [engineId, 2],
    ] as const) {
      await store.addQueryEvent(query(of, { at }), undefined);
      await store.addClickEvent(click(of, { at }));
    }

    const queries = await store.listQueryEvents({ engineId, limit: 2 });
    const clicks = await store.listClickEvents({ engineId, limit: 2 });

    expect(queries.map(({ at }) => at)).toEqual([3, 2]);
    expect(clicks.map(({ at }) => at)).toEqual([3, 2]);
  });

  test('repeat for repeated clicks on one query', async () => {
    const engineId = newEngine();
    await store.addClickEvent(click(engineId));
    await store.addClickEvent(click(engineId));

    expect(await store.listClickEvents({ engineId, limit: 9 })).toHaveLength(2);
  });
});

describe('feedback', () => {
  test('is one record per engine, kind and key: what is sent replaces, what is absent stays', async () => {
    const engineId = newEngine();
    await store.mergeFeedback(
      feedback(engineId, { rating: 'positive', reason: 'fast', matched: true, extra: { a: '1', b: '1' } }),
    );
    await store.mergeFeedback(
      feedback(engineId, { rating: 'negative', comment: 'late', language: 'en', at: 2_000, extra: { b: '2' } }),
    );

    expect(await store.listFeedback({ engineId, limit: 9 })).toEqual([
      feedback(engineId, {
        rating: 'negative',
        reason: 'fast',
        comment: 'late',
        language: 'en',
        at: 2_000,
        matched: true,
        extra: { a: '1', b: '2' },
      }),
    ]);
  });

  test('of another kind, key or engine is another record', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    await store.mergeFeedback(feedback(engineId));
    await store.mergeFeedback(feedback(engineId, { kind: 'summary' }));
    await store.mergeFeedback(feedback(engineId, { key: 'another' }));
    await store.mergeFeedback(feedback(other));

    expect(await store.listFeedback({ engineId, limit: 9 })).toHaveLength(3);
    expect(await store.listFeedback({ engineId, limit: 2 })).toHaveLength(2);
  });

  test('that needs a rating is refused until its record has one', async () => {
    const engineId = newEngine();
    const comment = feedback(engineId, { comment: 'why' });

    expect(await store.mergeRatedFeedback(comment)).toBe(false);
    expect(await store.listFeedback({ engineId, limit: 9 })).toEqual([]);
    expect(await store.mergeRatedFeedback(feedback(engineId, { rating: 'positive' }))).toBe(true);
    expect(await store.mergeRatedFeedback(comment)).toBe(true);
    expect(await store.listFeedback({ engineId, limit: 9 })).toEqual([{ ...comment, rating: 'positive' }]);
  });
});
