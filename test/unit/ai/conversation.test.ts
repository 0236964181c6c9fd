import { expect, test } from 'vitest';
import { lockConversation, lockNewConversation, recordExchange } from '../../../src/ai/conversation.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import type { Exchange } from '../../../src/storage/system/conversations.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const CONVERSATION = { customerId: 3, engineId: 6, id: 'c' };
const EXCHANGE: Exchange = {
  id: 'e',
  conversation: CONVERSATION,
  at: 1,
  kind: 'answer',
  question: 'Q?',
  answer: 'A.',
  language: 'en',
  rewritten: undefined,
  sources: [],
  couldAnswer: true,
  reason: undefined,
  composer: 'extractive',
  millis: 1,
  isIncomplete: false,
  isDegraded: false,
  tokens: { input: 0, output: 0, isEstimated: false },
  visitor: {},
};

test('a store that fails costs the history, not the answer, and is counted', async () => {
  const system = await openSystem();
  await system[Symbol.asyncDispose]();
  const metrics = createMetrics();
  const deps = {
    systemStore: system.store,
    clock: systemClock,
    log: silentLog,
    metrics,
    conversations: { conversationTtlHours: 24, busyWaitMs: 100, redactStoredText: true },
  };
  const { signal } = new AbortController();

  {
    await using turn = await lockConversation(deps, CONVERSATION, { exchangeId: 'e', isNew: false, signal });
    expect(turn.history).toEqual([]);
  }
  await recordExchange(deps, EXCHANGE);

  const printed = await metrics.print();
  for (const step of ['read', 'free', 'write']) {
    expect(printed).toContain(`fossick_ai_history_lost_total{step="${step}"} 1`);
  }
});

test('who leaves while waiting for a turn is not answered', async () => {
  await using system = await openSystem();
  const deps = {
    systemStore: system.store,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    conversations: { conversationTtlHours: 24, busyWaitMs: 10_000, redactStoredText: true },
  };
  const leaving = new AbortController();
  const asking = { isNew: false, signal: leaving.signal };
  await using _held = await lockConversation(deps, CONVERSATION, { ...asking, exchangeId: 'first' });

  const waiting = lockConversation(deps, CONVERSATION, { ...asking, exchangeId: 'second' });
  leaving.abort();

  await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});

test('the first question of a conversation takes no turn, and the next one finds what was said', async () => {
  await using system = await openSystem();
  const deps = {
    systemStore: system.store,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    conversations: { conversationTtlHours: 24, busyWaitMs: 0, redactStoredText: true },
  };
  const before = system.store.changeToken();
  const first = lockNewConversation(deps);
  expect(first.history).toEqual([]);
  expect(system.store.changeToken()).toBe(before);
  await first.record({ ...EXCHANGE, at: systemClock.now() });
  await first[Symbol.asyncDispose]();

  const { signal } = new AbortController();
  await using next = await lockConversation(deps, CONVERSATION, { exchangeId: 'f', isNew: false, signal });

  expect(next.history).toMatchObject([{ id: 'e', question: 'Q?' }]);
});
