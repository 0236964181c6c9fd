import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Device } from '../../../src/storage/system/tracking.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { logClickOn, logSearch } from '../../helpers/log-search.ts';

const MARCH = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;
const HOUR = 3_600_000;

let api: Awaited<ReturnType<typeof startAdminApi>>;
let nextQueryId = 1;

type Logged = {
  readonly text: string;
  /** Day of March 2026. */
  readonly day: number;
  readonly results?: number;
  readonly device?: Device;
  readonly ranks?: readonly number[];
  readonly engineId?: number;
};

/** A search at noon and the clicks on it, on the next day. */
async function log({ text, day, results, device, ranks = [], engineId = 6 }: Logged): Promise<void> {
  const store = api.deps.systemStore;
  const queryId = `query-${nextQueryId++}`;
  const at = MARCH + (day - 1) * DAY + 12 * HOUR;
  const said = { ...(results !== undefined && { resultCount: results }), ...(device !== undefined && { device }) };
  await logSearch(store, engineId, { text, at, queryId, ...said });
  for (const rank of ranks) await logClickOn(store, engineId, { queryId, rank, at: at + DAY });
}

beforeAll(async () => {
  api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  for (const id of [6, 7, 9]) await api.post('/engines', { id, customer: 3, name: 'Main' });
  await log({ text: 'Solar', day: 1, results: 3, ranks: [1, 4] });
  await log({ text: 'solar', day: 1, results: 3 });
  await log({ text: 'solar', day: 2, results: 0, device: 'mobile', ranks: [2] });
  await log({ text: 'wind', day: 2, results: 0 });
  await log({ text: 'wind', day: 31, results: 0, device: 'mobile' });
  await log({ text: 'heat pump', day: 31 });
  await log({ text: 'other', day: 1, results: 0, engineId: 7 });
});
afterAll(() => api[Symbol.asyncDispose]());

const statistics = (query = '', engine = 6) => api.get(`/engines/${engine}/statistics${query}`);
const queries = async (query: string) => {
  const { status, body } = await api.get(`/engines/6/statistics/queries?${query}`);
  expect(status).toBe(200);
  return body;
};
const MARCH_2026 = '?from=2026-03&to=2026-03';

describe('statistics of an engine', () => {
  test('are searches, those without results, and clicks: in all, per device and per day', async () => {
    const { status, body } = await statistics(MARCH_2026);

    expect(status).toBe(200);
    expect(body).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
      device: null,
      total: {
        ...{ searches: 6, withoutResults: 3, withoutResultsRatio: 0.6, clickedSearches: 2, clickThroughRatio: 0.3333 },
        ...{ clicks: 3, meanClickRank: 2.3333, bannerClicks: 0 },
      },
      devices: [expect.objectContaining({ device: 'mobile' }), expect.objectContaining({ device: 'desktop' })],
      days: [
        expect.objectContaining({ day: '2026-03-01', searches: 2, clickThroughRatio: 0.5, meanClickRank: 2.5 }),
        expect.objectContaining({ day: '2026-03-02', searches: 2, withoutResultsRatio: 1, meanClickRank: 2 }),
        expect.objectContaining({ day: '2026-03-31', searches: 2, clicks: 0, meanClickRank: null }),
      ],
    });
    expect(body.devices[0]).toMatchObject({ searches: 2, withoutResults: 2, clickThroughRatio: 0.5 });
  });

  test.each([
    ['?from=2026-03-02&to=2026-03-30', 2],
    ['?from=2026-03-31&to=2026-04-30', 2],
    ['?from=2026-03-31T23:00:00Z&to=2026-03-31T23:30:00Z', 2],
    [`${MARCH_2026}&device=mobile`, 2],
    [`${MARCH_2026}&device=tablet`, 0],
    ['?to=2026-03-30', 4],
    ['', 0],
  ])('of %s hold %i searches', async (query, searches) => {
    expect((await statistics(query)).body.total.searches).toBe(searches);
  });

  test('without a range are those of 30 days', async () => {
    const { body } = await statistics('?to=2026-03-31', 9);

    expect([body.from, body.to]).toEqual(['2026-03-02', '2026-03-31']);
    expect(body.total).toEqual({
      ...{ searches: 0, withoutResults: 0, withoutResultsRatio: null, clickedSearches: 0, clickThroughRatio: null },
      ...{ clicks: 0, meanClickRank: null, bannerClicks: 0 },
    });
  });

  test.each([
    ['/engines/6/statistics?from=2026-04-01&to=2026-03-01', 'from'],
    ['/engines/6/statistics?from=soon', 'from'],
    ['/engines/6/statistics?device=phone', 'device'],
    ['/engines/6/statistics?days=3', 'days'],
    ['/engines/6/statistics/queries?order=name', 'order'],
    ['/engines/6/statistics/queries?limit=1001', 'limit'],
  ])('%s is refused and names its member', async (path, member) => {
    const { status, body } = await api.get(path);
    expect([status, body.errors?.[0]?.path]).toEqual([400, member]);
  });

  test('of an engine that is not there are 404, and nobody without the token sees any', async () => {
    expect((await statistics('', 99)).status).toBe(404);
    expect((await api.get('/engines/99/statistics/queries')).status).toBe(404);
    expect((await api.call('GET', '/engines/6/statistics', undefined, 'wrong')).status).toBe(401);
  });
});

describe('the queries of an engine', () => {
  test.each([
    ['searches', ['solar', 'wind', 'heat pump']],
    ['without-results', ['wind', 'solar']],
    ['clicks', ['solar']],
  ])('in order of %s are %j', async (order, expected) => {
    const { items } = await queries(`from=2026-03&to=2026-03&order=${order}`);
    expect(items.map(({ query }: { query: string }) => query)).toEqual(expected);
  });

  test('have the figures of all their spellings and days', async () => {
    const body = await queries('from=2026-03&to=2026-03&limit=1');
    expect(body).toEqual({
      ...{ from: '2026-03-01', to: '2026-03-31', device: null, order: 'searches', next: 1 },
      items: [
        {
          ...{ query: 'solar', searches: 3, withoutResults: 1, withoutResultsRatio: 0.3333 },
          ...{ clickedSearches: 2, clickThroughRatio: 0.6667, clicks: 3, meanClickRank: 2.3333 },
        },
      ],
    });
  });

  test('are those of the days and the device that are asked', async () => {
    expect((await queries('from=2026-03-02&to=2026-03-31&device=mobile')).items).toMatchObject([
      { query: 'solar', searches: 1, clicks: 1 },
      { query: 'wind', searches: 1, clicks: 0 },
    ]);
  });

  test('are added up over more rows than one read takes', async () => {
    const texts = Array.from({ length: 1_500 }, (_, i) => `q${String(i).padStart(4, '0')}`);
    for (const day of [1, 2]) await Promise.all(texts.map((text) => log({ text, day, engineId: 9 })));
    await log({ text: 'q0700', day: 3, engineId: 9 });

    const { body } = await api.get('/engines/9/statistics/queries?from=2026-03&to=2026-03&limit=1000');

    expect(body.items[0]).toMatchObject({ query: 'q0700', searches: 3 });
    expect(body.items.slice(1)).toMatchObject(
      texts
        .filter((text) => text !== 'q0700')
        .slice(0, 999)
        .map((query) => ({ query, searches: 2 })),
    );
  });
});

describe('the command stats', () => {
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  const range = ['--from', '2026-03', '--to', '2026-03'];

  test('prints tables for people', async () => {
    const { code, out } = await run('stats', '6', ...range);

    expect(code).toBe(0);
    expect(out).toMatch(/^2026-03-01 to 2026-03-31, days in UTC\n/);
    expect(out).toMatch(/^without results +3 \(60\.0 %\)$/m);
    expect(out).toMatch(/^device +searches +without results +click-through +clicks +mean rank$/m);
    expect(out).toMatch(/^mobile +2 +2 \(100\.0 %\) +50\.0 % +1 +2\.0$/m);
    expect(out).toMatch(/^2026-03-31 +2 +1 \(100\.0 %\) +0\.0 % +0 +-$/m);
  });

  test('lists queries, with --json as the admin API gives them', async () => {
    const { out } = await run('stats', 'queries', '6', '--order', 'without-results', ...range);
    expect(out.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual(['query', 'wind', 'solar', '']);

    const json = await run('stats', 'queries', '6', ...range, '--limit', '1', '--json');
    expect(JSON.parse(json.out)).toEqual((await queries('from=2026-03&to=2026-03&limit=1')).items);
    expect(JSON.parse((await run('stats', '6', ...range, '--json')).out)).toEqual((await statistics(MARCH_2026)).body);
  });

  test('says what to do when there are none, and what was wrong', async () => {
    expect((await run('stats', '6', '--device', 'tablet')).out).toMatch(/^no searches yet: .*http-api\.md/m);
    expect(await run('stats', '6', '--from', 'soon')).toMatchObject({ code: 2 });
    expect(await run('stats', '99')).toMatchObject({ code: 3 });
  });
});
