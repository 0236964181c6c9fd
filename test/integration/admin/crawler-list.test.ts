import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finding } from '../../../src/health/health.ts';
import type { Exchange } from '../../../src/storage/system/conversations.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { pageDocument } from '../../helpers/frontier.ts';
import { logSearch } from '../../helpers/log-search.ts';

const DAY = 86_400_000;

const FINDINGS = [
  finding('host-down', { subject: 'crawler 17 https://a.test', sentence: 'Down.', command: 'wait' }),
  finding('removals-held', { subject: 'crawler 17', sentence: 'Held.', command: 'fossick crawler removals 17' }),
  finding('titles-shared', { subject: 'engine 6', sentence: 'Shared.', command: 'read' }),
  finding('redis-down', { subject: 'redis', sentence: 'Away.', command: 'redis-cli ping' }),
];

let api: Awaited<ReturnType<typeof startAdminApi>>;

/** Engine 6 with a crawler that has run and one that runs, engine 7 with one that is inactive, of another customer. */
beforeAll(async () => {
  api = await startAdminApi(undefined, undefined, { health: { findings: async () => FINDINGS } });
  for (const id of [3, 4]) await api.post('/customers', { id, name: `Customer ${id}` });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main', page: { published: true } });
  await api.post('/engines', { id: 7, customer: 4, name: 'Other' });
  const schedule = { full: '0 3 * * *', incremental: 'manual' };
  await api.post('/crawlers', {
    id: 17,
    engine: 6,
    name: 'Site',
    seeds: ['https://a.test/'],
    schedule,
    timezone: 'UTC',
  });
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Handbook', seeds: ['https://b.test/'] });
  await api.post('/crawlers', { id: 19, engine: 7, name: 'Pushed' });
  const store = await api.deps.engineStores.of(6);
  for (const id of [17, 18]) await api.post(`/crawlers/${id}/activate`);
  const [first] = await store.listRuns(17, 1);
  if (first === undefined) throw new Error('No run');
  await store.startRun(first.id, 1_000);
  while (!(await store.planRun(first.id, 100, 1_000)).done);
  await store.discardRun(first.id, 100, 1_000);
  await store.stopRun(17, 2_000);
  const finished =
    (await store.createRun({ ...first, startedBy: 'test', kind: 'full', whenBusy: 'wait', at: 3_000 })) ?? 0;
  await store.startRun(finished, 3_000);
  while (!(await store.planRun(finished, 100, 3_000)).done);
  await store.cutRun(finished, 'runMinutes', 4_000);
  await store.finishRun(finished, '{}', 5_000);
  const [second] = await store.listRuns(18, 1);
  await store.startRun(second?.id ?? 0, 1_000);
  await store.putDocuments(17, [pageDocument('a'), pageDocument('b')], 1);
});
afterAll(() => api[Symbol.asyncDispose]());

const list = async (query = '') => {
  const { status, body } = await api.get(`/crawlers${query}`);
  expect(status).toBe(200);
  return body;
};
const idsOf = async (query: string) => (await list(query)).items.map(({ id }: { id: number }) => id);

describe('the list of crawlers', () => {
  test('tells what each is doing and has done', async () => {
    const { items, next } = await list();

    expect(next).toBeNull();
    expect(items[0]).toMatchObject({
      id: 17,
      seeds: ['https://a.test/'],
      state: {
        state: 'idle',
        run: null,
        lastRun: { state: 'finished', endedAt: '1970-01-01T00:00:05.000Z' },
        lastGoodRun: { state: 'finished', endedAt: '1970-01-01T00:00:05.000Z' },
        nextRun: { kind: 'full', at: expect.stringMatching(/T03:00:00.000Z$/) },
        documents: 2,
        heldRemovals: 0,
        findings: [{ name: 'host-down' }, { name: 'removals-held' }],
        problem: null,
      },
    });
    expect(items[1]).toMatchObject({
      id: 18,
      state: { state: 'running', run: { state: 'running', visited: 0, progress: 0 }, lastGoodRun: null, documents: 0 },
    });
    expect(items[2]).toMatchObject({ id: 19, state: { state: 'inactive', nextRun: null, findings: [] } });
  });

  test.each([
    ['?engine=6', [17, 18]],
    ['?customer=4', [19]],
    ['?text=HAND', [18]],
    ['?text=a.test', [17]],
    ['?text=19', [19]],
    ['?state=running', [18]],
    ['?state=inactive', [19]],
    ['?state=problem', [17]],
    ['?state=paused', []],
    ['?limit=1&after=17', [18]],
    ['?state=inactive&limit=1', [19]],
  ])('of %s holds %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test('goes on where a page ended, and refuses a state that is none', async () => {
    expect(await list('?limit=2')).toMatchObject({ next: 18 });
    expect(await api.get('/crawlers?state=broken')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'state' }] },
    });
  });

  test('is a table on the command line, and whole as JSON', async () => {
    const cli = (...args: string[]) =>
      runCli(['crawler', 'list', ...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

    const { out } = await cli('--engine', '6');
    const { out: json } = await cli('--state', 'problem', '--json');

    expect(out).toMatch(/^17 +6 +Site +idle +2 +1970-01-01 00:00 UTC +\S+ 03:00 UTC +2 +\["https:\/\/a\.test\/"\]$/m);
    expect(out).toMatch(/^18 +6 +Handbook +running, 0 %/m);
    expect(JSON.parse(json)).toMatchObject([{ id: 17, state: { documents: 2 } }]);
  });
});

describe('home', () => {
  const answered: Exchange = {
    id: 'e',
    conversation: { customerId: 3, engineId: 6, id: 'talk' },
    kind: 'answer',
    at: Date.now(),
    question: 'x',
    rewritten: undefined,
    answer: '',
    language: 'en',
    sources: [],
    couldAnswer: false,
    reason: 'no-passages',
    composer: 'extractive',
    isIncomplete: false,
    isDegraded: false,
    millis: 9,
    tokens: { input: 0, output: 0, isEstimated: false },
    visitor: {},
  };

  test('tells of each engine what visitors did today and the day before, and when it was crawled well', async () => {
    const store = api.deps.systemStore;
    const now = Date.now();
    await logSearch(store, 6, { text: 'solar', at: now, resultCount: 3 });
    await logSearch(store, 6, { text: 'wind', at: now, resultCount: 0 });
    await logSearch(store, 6, { text: 'heat', at: now - DAY, resultCount: 0 });
    await store.addExchange(answered);

    const { body } = await api.get('/home');

    const today = { searches: 2, withoutResults: 1, withoutResultsRatio: 0.5, answers: 1, refused: 1 };
    expect(body.today).toEqual(today);
    expect(body.engines).toEqual([
      {
        id: 6,
        name: 'Main',
        customer: 3,
        page: '/s/main',
        crawlers: 2,
        running: 1,
        documents: 2,
        lastGoodCrawl: '1970-01-01T00:00:05.000Z',
        today,
        yesterday: { searches: 1, withoutResults: 1, withoutResultsRatio: 1, answers: 0, refused: 0 },
      },
      expect.objectContaining({
        id: 7,
        page: null,
        lastGoodCrawl: null,
        today: expect.objectContaining({ searches: 0 }),
      }),
    ]);
  });

  test('names the page and the action that mend a finding, and what it is about', async () => {
    const { body } = await api.get('/home');

    expect(body.findings).toMatchObject([
      { name: 'host-down', page: 'site', action: 'release-host', crawler: 17, engine: 6, url: 'https://a.test' },
      { name: 'removals-held', page: 'site', action: 'view-removals', crawler: 17, engine: 6, url: null },
      { name: 'titles-shared', page: 'documents', action: 'view-documents', crawler: null, engine: 6 },
      { name: 'redis-down', page: 'system', action: 'view-logs', crawler: null, engine: null, url: null },
    ]);
  });

  test.each([
    { publicUrl: undefined, page: 'http://127.0.0.1:8090/s/main' },
    { publicUrl: 'https://search.example.org', page: 'https://search.example.org/s/main' },
  ])('leads to the port of visitors where it is another one ($publicUrl)', async ({ publicUrl, page }) => {
    await using apart = await startAdminApi(undefined, undefined, { publicUrl, visitorPort: 8090 });
    await apart.post('/customers', { id: 3, name: 'Three' });
    await apart.post('/engines', { id: 6, customer: 3, name: 'Main', page: { published: true } });

    expect((await apart.get('/home')).body.engines).toMatchObject([{ id: 6, page }]);
    const opened = await runCli(['open', '6', '--json', '--url', apart.origin, '--token', OPERATOR_TOKEN]);
    expect(JSON.parse(opened.out)).toEqual({ address: page });
  });

  test('is shown by the command line', async () => {
    const { out, err } = await runCli(['home', '--url', api.origin, '--token', OPERATOR_TOKEN]);

    expect(out).toMatch(/^6 +Main +2 +2 +1 +1 +1 +1 +1970-01-01 00:00 UTC$/m);
    expect(err).toContain('error: redis: Away.\n');
  });
});
