import { expect, test } from 'vitest';
import { createTrackedSearch, type Hit, type SearchResponse } from '../../../packages/client/src/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Reply, startScriptedService } from './scripted-service.ts';

const SETTINGS = { optOutCookieTracking: true, enableAnonymousTracking: false };
const STORED: Reply = { body: { id: 'event-1' } };
const hit = { Id: 'd1', ResultIndex: 3, Fields: { Title: { Value: 'Solar' } } } as unknown as Hit;
const found = (queryId: string, shown: Partial<SearchResponse> = {}): Reply => ({
  body: {
    QueryId: queryId,
    TotalDocument: 9,
    FixedQuery: '',
    ResponseTime: 4,
    TypedDocuments: [hit],
    Quicklinks: [],
    Banners: [],
    ...shown,
  },
});

/** A page that has read its settings. */
async function trackedPage(replies: readonly Reply[], settings: Reply = { body: SETTINGS }) {
  const service = await startScriptedService([settings, ...replies]);
  const { baseUrl } = service;
  const page = createTrackedSearch({ baseUrl, customerId: 3, engineId: 6, retries: 0 });
  await eventually(async () => (service.received.length === 1 ? true : undefined));
  const events = (count: number) =>
    eventually(async () => {
      const sent = service.received.filter(({ path }) => path.includes('/pushstat/'));
      return sent.length === count ? sent.map(({ path, body }) => ({ path: path.split('/').at(-1), body })) : undefined;
    });
  return { ...service, page, events };
}

test('a search is logged with what its answer says, and a click under it', async () => {
  await using tracked = await trackedPage([found('query-1'), STORED, STORED]);

  const { TypedDocuments } = await tracked.page.search({ query: 'solar' });
  const [query] = await tracked.events(1);
  tracked.page.logClick(TypedDocuments[0]!);
  const [, click] = await tracked.events(2);

  expect(query).toEqual({ path: 'querylog', body: { sw: 'solar', qid: 'query-1', rc: '9', fquery: '', rt: '4' } });
  expect(click).toEqual({
    path: 'clicklog',
    body: { sw: 'solar', qid: 'query-1', ls: 'searchresult', clurl: 'd1', cli: '3', title: 'Solar' },
  });
});

test('a click belongs to the search that brought what was clicked, whatever was searched since', async () => {
  await using tracked = await trackedPage([found('query-1'), STORED, found('query-2'), STORED, STORED]);

  const first = await tracked.page.search({ query: 'solar', searchContext: 'SAYT' });
  tracked.page.logClick(first.TypedDocuments[0]!);
  await tracked.events(2).catch(() => undefined);
  const sent = tracked.received.filter(({ path }) => path.includes('/pushstat/'));

  expect(sent.map(({ body }) => body)).toMatchObject([{ qid: 'query-1' }, { qid: 'query-1' }]);
});

test.each([{ searchContext: 'SAYT' as const }, { isInternalSearch: true }])(
  'a search with %j is not logged',
  async (kind) => {
    await using tracked = await trackedPage([found('query-1'), found('query-2'), STORED]);

    await tracked.page.search({ query: 'sol', ...kind });
    await tracked.page.search({ query: 'solar' });

    expect(await tracked.events(1)).toMatchObject([{ body: { sw: 'solar', qid: 'query-2' } }]);
  },
);

test('a banner, a quicklink and a completed document are logged as what they are', async () => {
  const shown = {
    Banners: [{ Id: 4, Name: 'Sale', Banner: '<a href="/sale">Sale</a>', WebsiteId: 6 }],
    Quicklinks: [{ Id: 2, Url: '/contact', Term: 'contact' }],
  };
  const completions = {
    queryId: 'query-2',
    suggestions: [],
    results: [{ id: 'd1', fields: { Title: 'Solar', Url: '' } }],
  };
  await using tracked = await trackedPage([
    found('query-1', shown),
    STORED,
    STORED,
    STORED,
    { body: completions },
    STORED,
  ]);

  const { Banners, Quicklinks } = await tracked.page.search({ query: 'contact' });
  await tracked.events(1);
  tracked.page.logBannerClick(Banners[0]!, 'https://example.com/sale');
  await tracked.events(2);
  tracked.page.logClick(Quicklinks[0]!);
  await tracked.events(3);
  const { results } = await tracked.page.autocomplete({ query: 'so' });
  tracked.page.logClick(results[0]!);

  const [, ...clicks] = await tracked.events(4);
  expect(clicks.map(({ body }) => body)).toEqual([
    { sw: 'contact', qid: 'query-1', ls: 'banner', cloi: '4', clurl: 'https://example.com/sale', title: 'Sale' },
    { sw: 'contact', qid: 'query-1', ls: 'quicklink', ql: '2', clurl: '/contact', title: 'contact' },
    { sw: 'so', qid: 'query-2', ls: 'autocomplete', clurl: 'd1', cli: '1', title: 'Solar' },
  ]);
});

test('while the settings are unknown nothing is said about the visitor', async () => {
  await using tracked = await trackedPage([found('query-1'), STORED], { status: 500, body: 'Broken' });

  await tracked.page.search({ query: 'solar' });

  const [event] = await tracked.events(1);
  expect(event?.body).toMatchObject({ ip: 'none' });
});
