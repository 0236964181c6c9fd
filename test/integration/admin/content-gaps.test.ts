import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { logSearch } from '../../helpers/log-search.ts';

const MARCH = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

let api: Awaited<ReturnType<typeof startAdminApi>>;

async function refuse(question: string, visitor: string, at: number): Promise<void> {
  await api.deps.systemStore.addExchange({
    id: `exchange-${at}-${visitor}`,
    conversation: { customerId: 3, engineId: 6, id: `talk-${visitor}` },
    at,
    kind: 'answer',
    question,
    rewritten: undefined,
    answer: '',
    language: 'en',
    sources: [],
    couldAnswer: false,
    reason: 'below-gate',
    composer: 'extractive',
    isIncomplete: false,
    isDegraded: false,
    millis: 9,
    tokens: { input: 0, output: 0, isEstimated: false },
    visitor: { sessionId: visitor },
  });
}

beforeAll(async () => {
  api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await refuse('Can I bring my dog?', 'anna', MARCH + HOUR);
  await refuse('bring a dog', 'bert', MARCH + 2 * HOUR);
  await logSearch(api.deps.systemStore, 6, { text: 'parking', at: MARCH + 3 * HOUR, queryId: 'q1', resultCount: 0 });
});
afterAll(() => api[Symbol.asyncDispose]());

const gaps = (query: string, engine = 6) => api.get(`/engines/${engine}/statistics/gaps?${query}`);

test('what visitors asked in vain is listed with how many asked, why, and what comes nearest', async () => {
  const { status, body } = await gaps('from=2026-03-01&to=2026-03-31');

  expect(status).toBe(200);
  expect(body).toEqual({
    from: '2026-03-01',
    to: '2026-03-31',
    items: [
      {
        question: 'bring a dog',
        wordings: ['Can I bring my dog?'],
        language: 'en',
        questions: 2,
        visitors: 2,
        lastAt: '2026-03-01T02:00:00.000Z',
        signals: { refused: 2 },
        reasons: ['below-gate'],
        closed: false,
        nearest: [],
      },
      {
        question: 'parking',
        wordings: [],
        language: '',
        questions: 1,
        visitors: 1,
        lastAt: '2026-03-01T03:00:00.000Z',
        signals: { 'without-results': 1 },
        reasons: [],
        closed: false,
        nearest: [],
      },
    ],
  });
  expect((await gaps('from=2026-04-01&to=2026-04-30')).body.items).toEqual([]);
  expect((await gaps('from=2026-03-01&to=2026-03-31&limit=1')).body.items).toHaveLength(1);
});

test.each([
  ['limit=0', 400],
  ['limit=101', 400],
  ['from=soon', 400],
  ['device=mobile', 400],
])('%s is refused', async (query, expected) => {
  expect((await gaps(query)).status).toBe(expected);
});

test('an engine that does not exist has none', async () => {
  expect((await gaps('', 99)).status).toBe(404);
});

test('the command lists them', async () => {
  const asked = ['stats', 'gaps', '6', '--from', '2026-03-01', '--to', '2026-03-31'];
  const { code, out } = await runCli([...asked, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect(code).toBe(0);
  expect(out).toContain('bring a dog');
  expect(out).toContain('refused 2');
});
