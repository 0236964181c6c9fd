import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const stack = new AsyncDisposableStack();
let api: Awaited<ReturnType<typeof startAdminApi>>;
let origin: string;

const fields = (title: string, language: string, url: string) =>
  new Map([
    ['Title', [title]],
    ['Language', [language]],
    ['Url', [url]],
    ['Content', [`About ${title}`]],
  ]);

beforeAll(async () => {
  const site = stack.use(await startSiteServer({ '/solar': page('Solar now') }));
  ({ origin } = site);
  const crawl = stack.use(await openCrawl({ seeds: [] }));
  api = stack.use(await startAdminApi(undefined, undefined, { openDryRun: async () => crawl.sliceDeps }));
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: [`${origin}/`] });
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Pushed' });
  const store = await api.deps.engineStores.of(6);
  const crawled = { kind: 'PageContent', origin: 'crawled' } as const;
  await store.putDocuments(
    17,
    [
      { ...crawled, id: `${origin}/solar`, language: 'en', fields: fields('Solar power', 'en', `${origin}/solar`) },
      { ...crawled, id: `${origin}/wind`, language: 'de', fields: fields('Windkraft', 'de', `${origin}/wind`) },
    ],
    1,
  );
  const file = { kind: 'FileContent', origin: 'pushed', language: 'en' } as const;
  await store.putDocuments(
    18,
    [{ ...file, id: 'sku-1', fields: fields('Solar panel', 'en', 'https://b.test/panel.pdf') }],
    1,
  );
  const writer = api.deps.searchIndex.writer(6);
  writer.apply(await store.changesAfter(0, { rows: 10, bytes: 1e6 }));
  await writer.refresh();
});
afterAll(() => stack.disposeAsync());

const titles = async (query: string): Promise<string[]> => {
  const { status, body } = await api.get(`/engines/6/documents?${query}`);
  expect(status).toBe(200);
  return body.items.map(({ title }: { title: string }) => title);
};
const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

describe('documents are found', () => {
  test.each([
    ['text=solar', ['Solar power', 'Solar panel']],
    ['text=solar&crawler=18', ['Solar panel']],
    ['title=WIND', ['Windkraft']],
    ['url=b.test', ['Solar panel']],
    ['language=de', ['Windkraft']],
    ['type=FileContent', ['Solar panel']],
    ['type=PageContent&language=en', ['Solar power']],
    ['text=nothing', []],
    ['crawler=17', ['Solar power', 'Windkraft']],
  ])('by %s', async (query, expected) => {
    expect((await titles(query)).sort()).toEqual([...expected].sort());
  });

  test('in pages', async () => {
    const first = (await api.get('/engines/6/documents?text=solar&limit=1')).body;
    const second = (await api.get(`/engines/6/documents?text=solar&limit=1&after=${first.next}`)).body;

    expect([...first.items, ...second.items].map(({ title }) => title).sort()).toEqual(['Solar panel', 'Solar power']);
  });

  test.each(['language=deutsch', 'type=Page', 'text='])('but not by %s', async (query) => {
    expect(await api.get(`/engines/6/documents?${query}`)).toMatchObject({ status: 400 });
  });
});

test('a document is shown by its address, be it its id or a field', async () => {
  const at = (url: string) => api.get(`/engines/6/documents/by-url?url=${encodeURIComponent(url)}`);

  expect((await at(`${origin}/solar`)).body).toMatchObject({
    url: `${origin}/solar`,
    fields: { Title: ['Solar power'] },
  });
  expect((await at('https://b.test/panel.pdf')).body).toMatchObject({ id: 'sku-1', url: 'https://b.test/panel.pdf' });
  expect(await at('https://b.test/panel')).toMatchObject({ status: 404 });
});

test('what is read from its page is told, of a fetch made for it', async () => {
  const { rid } = (await api.get(`/engines/6/documents/by-url?url=${encodeURIComponent(`${origin}/solar`)}`)).body;

  const { status, body } = await api.post(`/engines/6/documents/${rid}/extraction`);

  expect(status).toBe(200);
  expect(body).toMatchObject({ note: expect.stringContaining('fetched anew'), fetch: { status: 200 } });
  expect(body.http.fields).toContainEqual({ name: 'Title', values: ['Solar now'], source: expect.any(String) });
  expect(body.http.blocks[0]).toMatchObject({ why: expect.any(String), chosen: expect.any(Boolean) });
});

test('of a document that was pushed nothing was extracted', async () => {
  const { rid } = (await api.get('/engines/6/documents?text=panel')).body.items[0];

  expect(await api.post(`/engines/6/documents/${rid}/extraction`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('pushed') },
  });
});

test('all of it is there on the command line', async () => {
  const list = await cli('documents', 'list', '6', '--text', 'solar', '--type', 'FileContent');
  const shown = await cli('documents', 'get', '6', `${origin}/solar`, '--json');
  const read = await cli('documents', 'extract', '6', String(JSON.parse(shown.out).rid));

  expect(list.out).toContain('Solar panel');
  expect(JSON.parse(shown.out)).toMatchObject({ title: 'Solar power' });
  expect(read.out).toContain('fetched anew');
});
