import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { ConversationKey, Exchange } from '../../src/storage/system/conversations.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

const DAY = 86_400_000;
const BOUNDS = { limit: 20, maxChars: 64_000 };

let system: OpenSystem;
let store: SystemStore;
let next = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const newConversation = (): ConversationKey => ({ customerId: 3, engineId: next++, id: `conversation-${next}` });
const take = (holder: string, now: number, until = now + 65_000) => ({ holder, now, until, expiredBefore: now - DAY });

function exchange(conversation: ConversationKey, changes: Partial<Exchange> = {}): Exchange {
  return {
    id: `exchange-${next++}`,
    conversation,
    at: 1_000,
    kind: 'answer',
    question: 'How long does a panel last?',
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
  };
}

describe('a conversation', () => {
  test('has one holder at a time, until it is freed', async () => {
    const key = newConversation();

    expect(await store.takeConversation(key, take('a', 1_000))).toBe(true);
    expect(await store.takeConversation(key, take('b', 2_000))).toBe(false);
    await store.freeConversation(key, 'b');
    expect(await store.takeConversation(key, take('b', 2_000))).toBe(false);
    await store.freeConversation(key, 'a');
    expect(await store.takeConversation(key, take('b', 2_000))).toBe(true);
  });

  test('is free when the exchange of its holder is added, not by that of another', async () => {
    const key = newConversation();
    const held = exchange(key);
    await store.takeConversation(key, take(held.id, 1_000));

    await store.addExchange(exchange(key));
    expect(await store.takeConversation(key, take('b', 1_001))).toBe(false);
    await store.addExchange(held);
    expect(await store.takeConversation(key, take('b', 1_001))).toBe(true);
  });

  test('is free when its time has passed', async () => {
    const key = newConversation();
    await store.takeConversation(key, take('a', 1_000, 5_000));

    expect(await store.takeConversation(key, take('b', 4_999))).toBe(false);
    expect(await store.takeConversation(key, take('b', 5_000))).toBe(true);
  });

  test('of the same id is another one under another customer or engine', async () => {
    const key = newConversation();
    const others = [
      { ...key, customerId: 4 },
      { ...key, engineId: key.engineId + 100_000 },
    ];
    await store.takeConversation(key, take('a', 1_000));
    await store.addExchange(exchange(key));

    for (const other of others) {
      expect(await store.readConversation(other, BOUNDS)).toEqual([]);
      expect(await store.takeConversation(other, take('b', 1_000))).toBe(true);
    }
  });

  test('begins anew when it expired', async () => {
    const key = newConversation();
    await store.addExchange(exchange(key, { at: 1_000 }));
    await store.takeConversation(key, take('a', DAY + 1_000));
    expect(await store.readConversation(key, BOUNDS)).toHaveLength(1);
    await store.freeConversation(key, 'a');

    await store.takeConversation(key, take('b', DAY + 1_001));

    expect(await store.readConversation(key, BOUNDS)).toEqual([]);
    await store.addExchange(exchange(key, { id: 'after', at: DAY + 1_002 }));
    expect((await store.readConversation(key, BOUNDS)).map(({ id }) => id)).toEqual(['after']);
  });
});

describe('exchanges', () => {
  test('come back exactly as stored', async () => {
    const key = newConversation();
    const full = exchange(key, {
      kind: 'summary',
      rewritten: 'how long does a solar panel last',
      language: 'da',
      sources: [{ crawlerId: 17, documentId: 'æ/1', url: 'https://example.com/', ordinal: 3, hash: 'ab' }],
      couldAnswer: false,
      reason: 'below-gate',
      composer: 'model',
      isIncomplete: true,
      isDegraded: true,
      tokens: { input: 900, output: 40, isEstimated: true },
      visitor: { sessionId: 's', __proto: 'x' },
    });

    await store.addExchange(full);

    expect(await store.readConversation(key, BOUNDS)).toEqual([full]);
  });

  test('are read oldest first, as many as the bounds allow', async () => {
    const key = newConversation();
    for (const at of [1, 3, 2, 4]) await store.addExchange(exchange(key, { at, question: 'q', answer: 'a'.repeat(9) }));
    const timesOf = async (bounds: typeof BOUNDS) => (await store.readConversation(key, bounds)).map(({ at }) => at);

    await store.takeConversation(key, take('a', 5));

    expect(await timesOf({ limit: 3, maxChars: 100 })).toEqual([2, 3, 4]);
    expect(await timesOf({ limit: 9, maxChars: 20 })).toEqual([3, 4]);
    expect(await timesOf({ limit: 9, maxChars: 19 })).toEqual([4]);
  });

  test('are found by engine, kind and id', async () => {
    const key = newConversation();
    const added = exchange(key);
    await store.addExchange(added);

    expect(await store.findExchange(key.engineId, 'answer', added.id)).toEqual(added);
    expect(await store.findExchange(key.engineId, 'summary', added.id)).toBeUndefined();
    expect(await store.findExchange(key.engineId + 100_000, 'answer', added.id)).toBeUndefined();
  });

  test('add up to the sums of their day, with tokens that belong to none', async () => {
    const key = newConversation();
    const { engineId } = key;
    const tokens = { input: 10, output: 5, isEstimated: false };
    await store.addExchange(exchange(key, { at: 2 * DAY, tokens, composer: 'cache' }));
    await store.addExchange(exchange(key, { at: 2 * DAY + 5, kind: 'summary', couldAnswer: false }));
    await store.addExchange(exchange(key, { at: 3 * DAY }));
    await store.addTokens({ engineId, at: 2 * DAY, tokens: { input: 7, output: 1, isEstimated: true } });

    expect(await store.findAnswerDay(engineId, 2)).toEqual({
      ...{ engineId, day: 2, answers: 1, summaries: 1, refused: 1, cached: 1 },
      ...{ inputTokens: 17, outputTokens: 6, estimatedTokens: 8 },
    });
    expect(await store.findAnswerDay(engineId, 4)).toBeUndefined();
  });

  test('list the days on which something was asked, in order', async () => {
    const key = newConversation();
    for (const day of [5, 3, 2, 9]) await store.addExchange(exchange(key, { at: day * DAY }));
    await store.addExchange(exchange(newConversation(), { at: 4 * DAY }));

    const listed = await store.listAnswerDays({ engineId: key.engineId, firstDay: 3, lastDay: 8 });
    expect(listed.map(({ day, answers }) => [day, answers])).toEqual([
      [3, 1],
      [5, 1],
    ]);
  });
});

describe('the end', () => {
  test('of conversations clears answers without feedback, in bounded steps', async () => {
    const key = newConversation();
    const { engineId } = key;
    const young = { ...key, id: 'young' };
    await store.addExchange(exchange(key, { id: 'rated', at: 1 }));
    await store.addExchange(exchange({ ...key, id: 'other' }, { id: 'plain', at: 2 }));
    await store.addExchange(exchange(young, { at: 100 }));
    const feedback = { kind: 'answer', key: 'rated', at: 5, rating: 'negative', matched: true, extra: {} } as const;
    await store.mergeFeedback({ ...feedback, engineId, reason: undefined, comment: undefined, language: undefined });

    expect(await store.dropConversations({ engineId, before: 50, limit: 1 })).toBe(true);
    expect(await store.dropConversations({ engineId, before: 50, limit: 1 })).toBe(true);
    expect(await store.dropConversations({ engineId, before: 50, limit: 1 })).toBe(false);

    // A conversation of the same id that begins at the time of the old one shows what is left of it.
    for (const [id, answer] of [
      [key.id, 'A panel lasts 25 years.'],
      ['other', ''],
    ] as const) {
      await store.takeConversation({ ...key, id }, take('x', 0));
      expect((await store.readConversation({ ...key, id }, BOUNDS)).map((left) => left.answer)).toEqual([answer]);
    }
    expect(await store.readConversation(young, BOUNDS)).toHaveLength(1);
  });

  test('of an engine takes its conversations with it', async () => {
    const settings = { settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS };
    const engine = { kind: 'put-engine', id: 900_000, customerId: 3, name: 'E', language: 'en', ...settings } as const;
    await store.changeRecords('test', [{ kind: 'put-customer', id: 3, name: 'C' }, engine], 1);
    const key = { customerId: 3, engineId: 900_000, id: 'c' };
    const added = exchange(key);
    await store.addExchange(added);

    await store.changeRecords('test', [{ kind: 'remove-engine', id: 900_000 }], 2);

    expect(await store.findExchange(900_000, 'answer', added.id)).toBeUndefined();
    expect(await store.findAnswerDay(900_000, 0)).toBeUndefined();
    expect(await store.takeConversation(key, take('x', 0))).toBe(true);
  });

  test('of the retention drops exchanges and sums of days', async () => {
    const key = newConversation();
    const { engineId } = key;
    await store.addExchange(exchange(key, { at: 2 * DAY }));
    await store.addExchange(exchange(key, { at: 9 * DAY }));

    await store.dropTracking({ engineId, before: 5 * DAY, limit: 100 });

    expect((await store.readConversation(key, BOUNDS)).map(({ at }) => at)).toEqual([9 * DAY]);
    expect(await store.findAnswerDay(engineId, 2)).toBeUndefined();
    expect(await store.findAnswerDay(engineId, 9)).toBeDefined();
  });
});
