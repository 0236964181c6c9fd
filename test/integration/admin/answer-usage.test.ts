import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Exchange } from '../../../src/storage/system/conversations.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';

const MARCH = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;

let api: Awaited<ReturnType<typeof startAdminApi>>;
let next = 1;

async function add(day: number, changes: Partial<Exchange>, engineId = 6): Promise<void> {
  await api.deps.systemStore.addExchange({
    id: `exchange-${next++}`,
    conversation: { customerId: 3, engineId, id: 'talk' },
    kind: 'answer',
    at: MARCH + (day - 1) * DAY,
    question: 'x',
    rewritten: undefined,
    answer: '',
    language: 'en',
    sources: [],
    couldAnswer: true,
    reason: undefined,
    composer: 'model',
    isIncomplete: false,
    isDegraded: false,
    millis: 9,
    tokens: { input: 1_000_000, output: 200_000, isEstimated: false },
    visitor: {},
    ...changes,
  });
}

beforeAll(async () => {
  api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  for (const id of [6, 7]) await api.post('/engines', { id, customer: 3, name: 'Main' });
  const none = { input: 0, output: 0, isEstimated: false };
  await add(1, {});
  await add(1, { composer: 'cache', tokens: none });
  await add(1, { composer: 'extractive', couldAnswer: false, tokens: none });
  await add(3, { kind: 'summary', tokens: { input: 200, output: 20, isEstimated: true } });
  await add(3, {}, 7);
});
afterAll(() => api[Symbol.asyncDispose]());

const usage = (query: string, engine = 6) => api.get(`/engines/${engine}/statistics/answers?${query}`);

const FIRST = {
  answers: 3,
  summaries: 0,
  refused: 1,
  cached: 1,
  inputTokens: 1_000_000,
  outputTokens: 200_000,
  estimatedTokens: 0,
  cost: 6,
};
const THIRD = {
  answers: 0,
  summaries: 1,
  refused: 0,
  cached: 0,
  inputTokens: 200,
  outputTokens: 20,
  estimatedTokens: 220,
  cost: 0.0009,
};

test('answers, refusals, tokens and costs are told per day and in all', async () => {
  const { status, body } = await usage('from=2026-03&to=2026-03');

  expect(status).toBe(200);
  expect(body).toEqual({
    from: '2026-03-01',
    to: '2026-03-31',
    total: {
      answers: 3,
      summaries: 1,
      refused: 1,
      cached: 1,
      inputTokens: 1_000_200,
      outputTokens: 200_020,
      estimatedTokens: 220,
      cost: 6.0009,
    },
    days: [
      { day: '2026-03-01', ...FIRST },
      { day: '2026-03-03', ...THIRD },
    ],
  });
  expect((await usage('from=2026-03-02&to=2026-03-02')).body).toMatchObject({ days: [], total: { cost: 0 } });
});

test.each([
  ['from=soon', 6, 400],
  ['device=mobile', 6, 400],
  ['', 99, 404],
])('%s of engine %i is refused', async (query, engine, expected) => {
  expect((await usage(query, engine)).status).toBe(expected);
});

test('without prices no costs are told', async () => {
  await using free = await startAdminApi(undefined, undefined, { tokenPrices: { input: 0, output: 0 } });
  await free.post('/customers', { id: 3, name: 'Three' });
  await free.post('/engines', { id: 6, customer: 3, name: 'Main' });

  expect((await free.get('/engines/6/statistics/answers')).body.total.cost).toBeNull();
});

test('the command lists them', async () => {
  const asked = ['stats', 'answers', '6', '--from', '2026-03', '--to', '2026-03'];
  const { code, out } = await runCli([...asked, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect(code).toBe(0);
  expect(out).toMatch(/2026-03-01\s+3\s+0\s+1\s+1\s+1000000\s+200000\s+0\s+6\n/);
  expect(out).toMatch(/in all\s+3\s+1\s+1\s+1\s+1000200/);
});
