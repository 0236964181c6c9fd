import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const DEUTSCH = 'Die Bibliothek ist am Montag geschlossen, und am Dienstag öffnet sie um neun Uhr für alle Besucher. ';
const NAMED = '<meta property="og:site_name" content="Stadtbibliothek">';

const stack = new AsyncDisposableStack();
let api: Awaited<ReturnType<typeof startAdminApi>>;
let site: Awaited<ReturnType<typeof startSiteServer>>;

beforeAll(async () => {
  const text = `<h1>Start</h1><p>${DEUTSCH.repeat(5)}</p><a href="/docs/a">a</a>`;
  site = stack.use(
    await startSiteServer({
      '/': { body: `<html lang="de"><title>Start</title>${NAMED}${text}</html>` },
      '/docs/a': page('A'),
    }),
  );
  const crawl = stack.use(await openCrawl({ seeds: [] }));
  api = stack.use(await startAdminApi(undefined, undefined, { openDryRun: async () => crawl.sliceDeps }));
});
afterAll(() => stack.disposeAsync());

const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

describe('a site', () => {
  test('needs a customer', async () => {
    expect(await api.post('/sites', { url: site.origin })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'customer', message: expect.stringContaining('make one first') }] },
    });
    await api.post('/customers', { id: 3, name: 'Three' });
  });

  test('is looked at without a crawler, in one answer', async () => {
    expect(await api.post('/probe', { url: site.origin })).toMatchObject({
      status: 200,
      body: {
        address: `${site.origin}/`,
        problem: null,
        siteName: 'Stadtbibliothek',
        sections: [{ path: '/docs/', urls: 1 }],
        pages: [{ title: 'Stadtbibliothek', language: 'de', reason: null }, { title: 'A' }],
        known: [],
      },
    });
  });

  test('is looked at step by step, and at last told whole', async () => {
    const answer = await fetch(`${api.origin}/admin/v1/probe`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: site.origin }),
    });
    const events = (await answer.text()).split('\n\n').filter((event) => event.startsWith('event:'));

    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(events[0]).toMatch(/^event: step\ndata: \{"step":"robots"/);
    expect(events.at(-1)).toMatch(/^event: result\ndata: \{.*"siteName":"Stadtbibliothek"/);
  });

  test('is added with an engine that answers, in its language and by its name, and its first run begins', async () => {
    const { status, body } = await api.post('/sites', { url: site.origin, scope: { exclude: ['/old/**'] } });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      engine: { customer: 3, name: 'Stadtbibliothek', language: 'de', aiEnabled: true, page: { published: true } },
      crawler: {
        active: true,
        seeds: [`${site.origin}/`],
        exclude: ['/old/**'],
        content: { categoryFromPath: true },
        engine: body.engine.id,
      },
      run: expect.any(Number),
      searchPage: '/s/stadtbibliothek',
    });
    expect(body.engine.crawlers).toEqual([body.crawler.id]);
    expect((await api.post('/probe', { url: site.origin })).body.known).toEqual([
      { crawler: body.crawler.id, engine: body.engine.id, name: new URL(site.origin).host },
    ]);
    expect((await api.get('/audit')).body.items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['put-engine', 'put-crawler', 'activate-crawler']),
    );
  });

  test('is added once more with names of its own, and its page stays unpublished where the path is taken', async () => {
    const again = await api.post('/sites', { url: site.origin, customer: 3 });
    const named = await api.post('/sites', { url: site.origin, name: 'Other', language: 'en' });

    expect(again.body).toMatchObject({ engine: { name: 'Stadtbibliothek' }, searchPage: null });
    expect(named.body).toMatchObject({ engine: { name: 'Other', language: 'en' }, searchPage: '/s/other' });
  });

  test.each([
    [{ url: 'nothing.test' }, 'url', /host name does not exist/],
    [{ url: 'http://a.test/', customer: 99 }, 'customer', /there is no customer 99/],
    [{ url: 'http://a.test/', probe: false, settings: { depht: 3 } }, 'depht', /no setting of a crawler/],
    [{ url: 'http://a.test/', probe: false, settings: { seeds: [] }, typo: 1 }, 'typo', /./],
  ])('of %j is refused, and nothing is made', async (sent, path, message) => {
    const before = (await api.get('/engines')).body.items.length;

    expect(await api.post('/sites', sent)).toMatchObject({
      status: 400,
      body: { errors: [{ path, message: expect.stringMatching(message) }] },
    });
    expect((await api.get('/engines')).body.items).toHaveLength(before);
  });

  test('is looked at and added on the command line', async () => {
    const { out } = await cli('site', 'probe', site.origin);
    const added = await cli(
      'site',
      'add',
      'http://unseen.test/',
      '--no-probe',
      '--no-watch',
      'limits.depth=2',
      '--json',
    );
    const refused = await cli('site', 'add', 'http://nothing.test/');

    expect(out).toMatch(/^name +Stadtbibliothek$/m);
    expect(out).toMatch(/^sections +\/docs\/ \(1\)$/m);
    expect(out).toMatch(/^200 +de +false +\d+ +Stadtbibliothek +http/m);
    expect(JSON.parse(added.out)).toMatchObject({ name: 'unseen.test', searchPage: `${api.origin}/s/unseen-test` });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('The host name does not exist') });
  });
});

test('where nothing keeps the pace of hosts nothing is looked at, and a site is added unseen', async () => {
  await using paceless = await startAdminApi();
  await paceless.post('/customers', { id: 3, name: 'Three' });

  expect(await paceless.post('/probe', { url: 'http://a.test/' })).toMatchObject({ status: 403 });
  expect(await paceless.post('/sites', { url: 'http://a.test/', probe: false })).toMatchObject({ status: 201 });
});
