import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/storage/system/conversations.ts';
import type { Feedback } from '../../../src/storage/system/tracking.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { pageDocument } from '../../helpers/frontier.ts';
import { logClickOn, logSearch } from '../../helpers/log-search.ts';

const MARCH = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;
const RANGE = 'from=2026-03&to=2026-03';
const PAGE = 'https://a.test/solar';

let api: Awaited<ReturnType<typeof startAdminApi>>;

const at = (day: number) => MARCH + (day - 1) * DAY + 12 * 3_600_000;

async function ask(id: string, day: number, changes: Partial<Exchange>): Promise<void> {
  await api.deps.systemStore.addExchange({
    id,
    conversation: { customerId: 3, engineId: 6, id: 'talk' },
    kind: 'answer',
    at: at(day),
    question: 'When do you open?',
    rewritten: undefined,
    answer: 'At nine.',
    language: 'en',
    sources: [],
    couldAnswer: true,
    reason: undefined,
    composer: 'extractive',
    isIncomplete: false,
    isDegraded: false,
    millis: 9,
    tokens: { input: 0, output: 0, isEstimated: false },
    visitor: {},
    ...changes,
  });
}

async function say(key: string, day: number, changes: Partial<Feedback>): Promise<void> {
  await api.deps.systemStore.mergeFeedback({
    engineId: 6,
    kind: 'answer',
    key,
    at: at(day),
    rating: undefined,
    reason: undefined,
    comment: undefined,
    language: undefined,
    matched: true,
    extra: {},
    ...changes,
  });
}

beforeAll(async () => {
  api = await startAdminApi();
  const store = api.deps.systemStore;
  await api.post('/customers', { id: 3, name: 'Three' });
  for (const id of [6, 7]) await api.post('/engines', { id, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site' });
  await logSearch(store, 6, { text: 'Solar', at: at(1), resultCount: 4, queryId: 'a' });
  await logSearch(store, 6, {
    text: 'solar',
    at: at(2),
    resultCount: 0,
    fixedQuery: 'solar power',
    queryId: 'b',
    device: 'mobile',
  });
  await logSearch(store, 6, { text: 'wind', at: at(2), resultCount: 9, queryId: 'c' });
  await logSearch(store, 6, { text: 'wind', at: at(3), resultCount: 9, queryId: 'd' });
  await logSearch(store, 6, { text: '=cmd|calc', at: at(3), resultCount: 2, queryId: 'e' });
  await logSearch(store, 7, { text: 'solar', at: at(1), resultCount: 1, queryId: 'f' });
  await logClickOn(store, 6, { queryId: 'a', at: at(1), rank: 1, url: PAGE, title: 'Old' });
  await logClickOn(store, 6, { queryId: 'a', at: at(2), rank: 3, url: PAGE, title: 'Solar power' });
  await logClickOn(store, 6, { queryId: 'c', at: at(2), url: PAGE, title: 'Solar power' });
  await logClickOn(store, 6, { queryId: 'b', at: at(2), kind: 'banner', bannerId: '5', url: 'https://a.test/sale' });
  await logClickOn(store, 6, { queryId: 'b', at: at(2), kind: 'quicklink', url: 'https://a.test/q', title: 'Quick' });
  await (await api.deps.engineStores.of(6)).putDocuments(
    17,
    [pageDocument('https://a.test/hours', 'Opening hours')],
    1,
  );
  const source = {
    crawlerId: 17,
    documentId: 'https://a.test/hours',
    url: 'https://a.test/hours',
    ordinal: 0,
    hash: 'h',
  };
  await ask('one', 4, { sources: [source] });
  await ask('two', 5, { question: 'Is there parking?', answer: '', couldAnswer: false, reason: 'no-passages' });
  await ask('three', 6, { question: '@SUM(1)', isDegraded: true });
  await say('one', 4, { rating: 'negative', reason: 'wrong', comment: 'It is ten now' });
  await say('result', 6, { kind: 'result', rating: 'positive', extra: { url: PAGE } });
});
afterAll(() => api[Symbol.asyncDispose]());

const report = async (path: string) => {
  const { status, body } = await api.get(`/engines/6/statistics/${path}`);
  expect(status).toBe(200);
  return body;
};
const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

test('one query is told by days and devices, with results, corrections, clicks and its latest searches', async () => {
  const body = await report(`query?query=SOLAR&${RANGE}`);

  expect(body).toMatchObject({
    query: 'solar',
    total: { searches: 2, withoutResults: 1, clicks: 2 },
    days: [
      { day: '2026-03-01', searches: 1 },
      { day: '2026-03-02', searches: 1 },
    ],
    devices: [{ device: 'mobile', searches: 1 }, { device: 'desktop' }],
    fixedQueries: [{ query: 'solar power', searches: 1 }],
    results: { least: 0, most: 4, last: 0 },
    hits: [
      { url: PAGE, title: 'Solar power', clicks: 2, searches: 1, meanRank: 2 },
      { kind: 'quicklink' },
      { kind: 'banner' },
    ],
    searches: [
      { text: 'solar', results: 0, device: 'mobile', clicks: 0 },
      { text: 'Solar', results: 4, fixedQuery: null, clicks: 2 },
    ],
  });
  expect(await report(`query?query=solar&device=mobile&${RANGE}`)).toMatchObject({ total: { searches: 1 } });
  expect(await report(`query?query=nothing&${RANGE}`)).toMatchObject({
    total: { searches: 0 },
    results: null,
    hits: [],
  });
});

test('queries whose results nobody clicks come first, in pages, and by part of their text', async () => {
  const texts = async (query: string) =>
    (await report(`queries?${RANGE}&${query}`)).items.map((item: { query: string }) => item.query);

  expect(await texts('order=low-click')).toEqual(['wind', '=cmd|calc']);
  expect(await texts('text=OLA')).toEqual(['Solar']);
  expect(await report(`queries?${RANGE}&limit=2`)).toMatchObject({ next: 2 });
  expect(await texts('limit=2&after=2')).toEqual(['=cmd|calc']);
});

describe('clicks', () => {
  test.each([
    ['pages', [{ url: PAGE, title: 'Solar power', clicks: 3, searches: 2, meanRank: 2, banner: null }]],
    ['banners', [{ banner: '5', url: 'https://a.test/sale', clicks: 1 }]],
    ['quicklinks', [{ title: 'Quick', clicks: 1 }]],
  ])('on %s are added up by address', async (name, items) => {
    expect(await report(`${name}?${RANGE}`)).toMatchObject({ items, next: null });
  });

  test('are found by part of title or address, and none outside of the days', async () => {
    expect((await report(`pages?${RANGE}&text=POWER`)).items).toHaveLength(1);
    expect((await report(`pages?${RANGE}&text=nothing`)).items).toEqual([]);
    expect((await report('pages?from=2026-04&to=2026-04')).items).toEqual([]);
  });

  test('on one page are told by day and by query', async () => {
    expect(await report(`page?url=${encodeURIComponent(PAGE)}&${RANGE}`)).toEqual({
      url: PAGE,
      clicks: 3,
      days: [
        { day: '2026-03-01', clicks: 1 },
        { day: '2026-03-02', clicks: 2 },
      ],
      queries: [
        { query: 'solar', clicks: 2, meanRank: 2 },
        { query: 'wind', clicks: 1, meanRank: null },
      ],
    });
  });
});

describe('what visitors say', () => {
  test('comes with the question that it is about, newest first', async () => {
    expect(await report(`feedback?${RANGE}`)).toMatchObject({
      items: [
        { kind: 'result', rating: 'positive', url: PAGE, question: null },
        {
          kind: 'answer',
          rating: 'negative',
          reason: 'wrong',
          comment: 'It is ten now',
          question: 'When do you open?',
        },
      ],
    });
    expect((await report(`feedback?${RANGE}&comments=true`)).items).toHaveLength(1);
    expect((await report(`feedback?${RANGE}&kind=result&rating=positive`)).items).toHaveLength(1);
    const { next } = await report(`feedback?${RANGE}&limit=1`);
    expect((await report(`feedback?${RANGE}&limit=1&after=${next}`)).items).toMatchObject([{ kind: 'answer' }]);
  });

  test.each([
    ['all', ['three', 'two', 'one']],
    ['refused', ['two']],
    ['negative', ['one']],
    ['degraded', ['three']],
  ])('and ask is listed: %s', async (show, ids) => {
    expect((await report(`exchanges?${RANGE}&show=${show}`)).items.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('and ask comes with answer, refusal, rating and the titles of cited pages', async () => {
    const [, two, one] = (await report(`exchanges?${RANGE}`)).items;

    expect(one).toMatchObject({
      answer: 'At nine.',
      rating: 'negative',
      comment: 'It is ten now',
      sources: [{ url: 'https://a.test/hours', title: 'Opening hours' }],
    });
    expect(two).toMatchObject({ couldAnswer: false, refusal: 'no-passages', rating: null, sources: [] });
    expect((await report(`exchanges?${RANGE}&text=PARKING`)).items).toHaveLength(1);
  });
});

describe('as CSV', () => {
  test.each([
    ['days', /^day,searches,/, /^2026-03-01,1,0,/m],
    ['gaps', /^question,language,/, /^Is there parking\?,/m],
    ['queries', /^query,searches,/, /^'=cmd\|calc,1,/m],
    ['pages', /^url,title,kind,banner,clicks,/, /^https:\/\/a\.test\/solar,Solar power,searchresult,,3,2,2\r$/m],
    ['banners', /^url,/, /,5,1,1,\r$/m],
    ['feedback', /^id,at,kind,rating,/, /,negative,wrong,It is ten now,,When do you open\?,\r$/m],
    ['exchanges', /^id,at,kind,question,/, /,'@SUM\(1\),/],
    ['query', /^at,text,results,/, /,Solar,4,,desktop,2\r$/m],
    ['page', /^query,clicks,meanRank/, /^solar,2,2\r$/m],
  ])('%s are a file with a head, safe for spreadsheets', async (name, head, row) => {
    const path = `/engines/6/statistics${name === 'days' ? '' : `/${name}`}?${RANGE}&format=csv`;
    const extra = { query: '&query=solar', page: `&url=${encodeURIComponent(PAGE)}` }[name] ?? '';
    const answer = await fetch(`${api.origin}/admin/v1${path}${extra}`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="engine-6-[a-z]+\.csv"$/);
    expect(text).toMatch(head);
    expect(text).toMatch(row);
  });
});

test('all of it is shown on the command line', async () => {
  const range = ['--from', '2026-03', '--to', '2026-03'];

  expect((await cli('stats', 'query', '6', 'solar', ...range)).out).toMatch(/searched for solar power: 1 times/);
  expect((await cli('stats', 'page', '6', PAGE, ...range)).out).toMatch(/^2 +2 +solar$/m);
  expect((await cli('stats', 'exchanges', '6', '--show', 'refused', ...range)).out).toMatch(/Is there parking\?/);
  expect((await cli('stats', 'feedback', '6', '--csv', ...range)).out).toMatch(/^id,at,kind/);
  expect(JSON.parse((await cli('stats', 'pages', '6', '--json', ...range)).out)).toMatchObject([{ clicks: 3 }]);
});
