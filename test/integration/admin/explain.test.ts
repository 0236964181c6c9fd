import { describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';

/** An engine with one crawler and two documents, indexed. */
async function startWithDocuments() {
  const api = await startAdminApi();
  const { body: customer } = await api.post('/customers', { name: 'Example' });
  const { body: engine } = await api.post('/engines', { customer: customer.id, name: 'Docs' });
  const { body: crawler } = await api.post('/crawlers', { engine: engine.id, name: 'Site' });
  const store = await api.deps.engineStores.of(engine.id);
  const page = (id: string, title: string, category: string) => ({
    id,
    kind: 'PageContent' as const,
    language: 'en',
    origin: 'pushed' as const,
    fields: new Map([
      ['Title', [title]],
      ['Category', [category]],
    ]),
  });
  await store.putDocuments(crawler.id, [page('a', 'VACUUM', 'Guides'), page('b', 'Wind', 'News')], 1);
  const index = async (after: number) => {
    const writer = api.deps.searchIndex.writer(engine.id);
    writer.apply(await store.changesAfter(after, { rows: 10, bytes: 1e6 }));
    await writer.refresh();
  };
  await index(0);
  const explain = (body: object) => api.post(`/engines/${engine.id}/explain`, body);
  const explainQuery = (body: object) => api.post(`/engines/${engine.id}/explain-query`, body);
  const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  return {
    api,
    id: String(engine.id),
    explain,
    explainQuery,
    cli,
    crawler,
    store,
    index,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

test('a hit is explained with its place and score', async () => {
  await using engine = await startWithDocuments();

  const { status, body } = await engine.explain({ id: 'a', search: { query: 'vacuum' } });

  expect(status).toBe(200);
  expect(body).toMatchObject({ isHit: true, rank: 1, pin: null, reason: null, rid: 1, indexSeq: 2, documentSeq: 1 });
  expect(body.score).toMatchObject({ name: 'score', parts: [{ name: 'relevance' }] });
});

test('a document that is no hit is told why, with the values it has', async () => {
  await using engine = await startWithDocuments();
  const reason = async (body: object) => (await engine.explain(body)).body.reason;

  expect(await reason({ id: 'b', search: { query: 'vacuum' } })).toMatchObject({
    cause: 'words',
    clause: { kind: 'word', text: 'vacuum' },
  });
  expect(await reason({ id: 'b', search: { query: '*', filters: { Category: ['Guides'] } } })).toMatchObject({
    cause: 'filter',
    condition: { field: 'Category' },
    values: ['News'],
  });
  expect(await reason({ id: 'z', crawler: engine.crawler.id, search: { query: '*' } })).toMatchObject({
    cause: 'unknown',
  });
});

test('a document that was deleted is told from one that never was', async () => {
  await using engine = await startWithDocuments();
  await engine.store.deleteDocuments(engine.crawler.id, ['a'], 2);
  await engine.index(2);
  const reason = async (id: string) => (await engine.explain({ id, search: { query: '*' } })).body.reason;

  expect(await reason('a')).toMatchObject({ cause: 'deleted' });
  expect(await reason('z')).toMatchObject({ cause: 'unknown' });
});

test('a document that is stored but not indexed yet is told so', async () => {
  await using engine = await startWithDocuments();
  const fields = new Map([['Title', ['New']]]);
  await engine.store.putDocuments(
    engine.crawler.id,
    [{ id: 'c', kind: 'PageContent', origin: 'pushed', language: 'en', fields }],
    2,
  );

  const { body } = await engine.explain({ id: 'c', search: { query: 'new' } });

  expect(body).toMatchObject({ isHit: false, indexSeq: 2, documentSeq: 3, reason: { cause: 'waiting' } });
});

test.each<[what: string, body: object, path: string]>([
  ['no id', { search: { query: 'a' } }, 'id'],
  ['no search', { id: 'a' }, 'search'],
  ['an unknown member', { id: 'a', search: { query: 'a' }, page: 2 }, 'page'],
  ['a wrong search', { id: 'a', search: { query: 'a', page: 'x' } }, 'page'],
])('%s is refused', async (_what, body, path) => {
  await using engine = await startWithDocuments();

  const answer = await engine.explain(body);

  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body.errors)).toContain(path);
});

describe('a query', () => {
  test('is explained hit by hit, with places and the parts of the scores', async () => {
    await using engine = await startWithDocuments();

    const { status, body } = await engine.explainQuery({ search: { query: 'vacuum wind' } });

    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, fixedQuery: '', document: null });
    expect(body.hits.map(({ rank, id }: { rank: number; id: string }) => [rank, id])).toEqual([
      [1, expect.any(String)],
      [2, expect.any(String)],
    ]);
    expect(body.hits[0]).toMatchObject({ title: expect.any(String), crawler: engine.crawler.id, pin: null });
    expect(body.hits[0].score).toMatchObject({ name: 'score', parts: [{ name: 'relevance' }] });
  });

  test('goes on behind its first page, and tells the place of a page that is on none of those shown', async () => {
    await using engine = await startWithDocuments();

    const { body } = await engine.explainQuery({ search: { query: '*', page: 2, perPage: 1 }, url: 'a' });

    expect(body.hits).toMatchObject([{ rank: 2 }]);
    expect(body.document).toMatchObject({ isHit: true, rank: expect.any(Number) });
  });

  test.each([
    ['b', { query: 'vacuum' }, { cause: 'words', clause: { text: 'vacuum' } }],
    ['b', { query: '*', filters: { Category: ['Guides'] } }, { cause: 'filter', values: ['News'] }],
    ['https://a.test/none', { query: '*' }, { cause: 'unknown' }],
  ])('tells why %s is not among the hits of %j', async (url, search, reason) => {
    await using engine = await startWithDocuments();

    expect((await engine.explainQuery({ search, url })).body.document).toMatchObject({ isHit: false, reason });
  });

  test('is explained on the command line', async () => {
    await using engine = await startWithDocuments();

    const { out } = await engine.cli('search', 'rank', engine.id, 'vacuum', '--page', 'b');

    expect(out).toMatch(/^1 +[\d.]+ +- +VACUUM +a +words /m);
    expect(out).toContain('b is no hit: The document lacks what the query asks');
  });
});

describe('a URL of an engine', () => {
  const URLS = {
    known: 'https://a.test/docs/x',
    excluded: 'https://a.test/old/x',
    elsewhere: 'https://docs.b.test/',
    far: 'https://c.example/',
  };

  async function startWithCrawlers() {
    const engine = await startWithDocuments();
    const { body: first } = await engine.api.post('/crawlers', {
      engine: Number(engine.id),
      name: 'A',
      seeds: ['https://a.test/'],
      exclude: ['/old/**'],
    });
    const { body: second } = await engine.api.post('/crawlers', {
      engine: Number(engine.id),
      name: 'B',
      seeds: ['https://www.b.test/'],
    });
    const owner = (url: string) => engine.api.get(`/engines/${engine.id}/explain?url=${encodeURIComponent(url)}`);
    return { ...engine, first, second, owner, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
  }

  test('is explained by the crawler that knows it, or would visit it', async () => {
    await using engine = await startWithCrawlers();
    await engine.api.post(`/crawlers/${engine.first.id}/urls`, { urls: [URLS.known] });

    expect((await engine.owner(URLS.known)).body).toMatchObject({
      crawler: engine.first.id,
      explanation: { url: URLS.known, reason: 'inactive' },
      others: [{ crawler: engine.second.id, reason: 'out-of-domain' }, { reason: 'out-of-domain' }],
    });
  });

  test('that no crawler would visit comes with those that leave it out, the nearest first, and why', async () => {
    await using engine = await startWithCrawlers();

    expect((await engine.owner(URLS.excluded)).body).toMatchObject({
      crawler: null,
      explanation: null,
      others: [
        { crawler: engine.first.id, name: 'A', reason: 'excluded', rule: '/old/**', cause: expect.any(String) },
        { reason: 'out-of-domain' },
        { reason: 'out-of-domain' },
      ],
    });
    expect((await engine.owner(URLS.elsewhere)).body.others[0]).toMatchObject({ crawler: engine.second.id });
    expect((await engine.owner('no URL')).body).toEqual({ crawler: null, explanation: null, others: [] });
    expect(await engine.api.get('/engines/99/explain?url=x')).toMatchObject({ status: 404 });
    expect(await engine.api.get(`/engines/${engine.id}/explain`)).toMatchObject({ status: 400 });
  });

  test('is asked for on the command line without naming crawler or engine', async () => {
    await using engine = await startWithCrawlers();

    const known = await engine.cli('why', 'https://www.b.test/new');
    const left = await engine.cli('why', URLS.excluded, '--json');

    expect(known.out).toMatch(new RegExp(`^Crawler ${engine.second.id} of engine ${engine.id}\n`));
    expect(known.out).toContain('The crawler is not active.');
    expect(left.code).toBe(1);
    expect(JSON.parse(left.out)).toMatchObject({ crawler: null, others: [{ name: 'A', rule: '/old/**' }, {}, {}] });
  });
});
