import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { startTrackingUpkeep } from '../../../src/jobs/tracking-upkeep.ts';
import type { ConversationStore } from '../../../src/storage/system/conversations.ts';
import { dropOldTracking } from '../../../src/tracking/statistics.ts';
import { eventually } from '../../helpers/eventually.ts';
import { logSearch } from '../../helpers/log-search.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const DAY = 86_400_000;
const NOW = 500 * DAY;
const EVENTS = 430;

const conversation = (id: string) => ({ customerId: 3, engineId: 6, id });

const addExchange = (store: ConversationStore, id: string, at: number) =>
  store.addExchange({
    id,
    conversation: conversation(id),
    at,
    kind: 'answer',
    question: 'Q?',
    answer: 'An answer.',
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
  });

async function openLogged() {
  const system = await openSystem();
  const { store } = system;
  const settings = { settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS };
  const engine = (id: number) =>
    ({ kind: 'put-engine', id, customerId: 3, name: 'E', language: 'en', ...settings }) as const;
  await store.changeRecords('test', [{ kind: 'put-customer', id: 3, name: 'C' }, engine(6), engine(7)], 1);
  for (const engineId of [6, 7]) {
    const old = Array.from({ length: EVENTS }, (_, i) =>
      logSearch(store, engineId, { text: `old ${i}`, at: 99 * DAY }),
    );
    await Promise.all([...old, logSearch(store, engineId, { text: 'young', at: 100 * DAY + 1 })]);
  }
  const deps = { systemStore: store, clock: { now: () => NOW }, retentionDays: 400, conversationTtlHours: 24 };
  const texts = async () => {
    const of = [6, 7].map((engineId) => store.listQueryEvents({ engineId, limit: 9_999 }));
    return (await Promise.all(of)).flat().map(({ text }) => text);
  };
  return { system, deps, texts };
}

test('events older than the retention are dropped of every engine, however many there are', async () => {
  const { system, deps, texts } = await openLogged();
  await using _closing = system;

  await dropOldTracking(deps, new AbortController().signal);

  expect(await texts()).toEqual(['young', 'young']);
});

test('conversations end when their time is over, and lose their answers', async () => {
  const { system, deps } = await openLogged();
  await using _closing = system;
  const { store } = system;
  const ids = Array.from({ length: 130 }, (_, i) => `old ${i}`);
  await Promise.all([
    ...ids.map((id) => addExchange(store, id, NOW - DAY - 1)),
    addExchange(store, 'young', NOW - DAY),
  ]);

  await dropOldTracking(deps, new AbortController().signal);

  expect(await store.dropConversations({ engineId: 6, before: NOW - DAY, limit: 1 })).toBe(false);
  expect(await store.readConversation(conversation('young'), { limit: 1, maxChars: 99 })).toMatchObject([
    { answer: 'An answer.' },
  ]);
});

test('dropping ends between two steps when it is asked to', async () => {
  const { system, deps, texts } = await openLogged();
  await using _closing = system;
  const stop = new AbortController();
  const dropTracking: typeof system.store.dropTracking = async (of) => {
    stop.abort();
    return system.store.dropTracking(of);
  };
  const { listEngines, dropConversations } = system.store;
  const systemStore = { dropTracking, listEngines, dropConversations };

  await dropOldTracking({ ...deps, systemStore }, stop.signal);

  expect((await texts()).length).toBe(2 * (EVENTS + 1) - 100);
});

test('the scheduler role drops old events by itself', async () => {
  const { system, deps, texts } = await openLogged();
  await using _closing = system;

  await using _upkeep = startTrackingUpkeep({ ...deps, log: silentLog });

  await eventually(async () => ((await texts()).length === 2 ? true : undefined));
});
