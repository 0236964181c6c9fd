import { expect, test } from 'vitest';
import { startAdminApi } from '../../helpers/admin-api.ts';

async function startWithCrawler() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: ['https://a.test/'] });
  return api;
}

test('a crawler is activated, run and deactivated', async () => {
  await using api = await startWithCrawler();

  expect(await api.post('/crawlers/17/run')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/activate it first/) },
  });
  expect(await api.post('/crawlers/17/activate')).toMatchObject({ status: 200, body: { active: true } });
  const run = await api.post('/crawlers/17/run', { kind: 'incremental' });
  expect(run).toMatchObject({ status: 202, body: { crawler: 17, kind: 'incremental' } });
  expect(await api.post('/crawlers/17/run')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/under way/) },
  });
  expect(await api.post('/crawlers/17/run', { kind: 'urls' })).toMatchObject({ status: 400 });
  expect(await api.get('/crawlers/17')).toMatchObject({
    body: { status: { lastRun: { id: run.body.run, kind: 'incremental', state: 'planned', crawler: 17 } } },
  });
  expect(await api.post('/crawlers/17/deactivate')).toMatchObject({ status: 200, body: { active: false } });
});

test('runs are listed and shown, those of another crawler are not found', async () => {
  await using api = await startWithCrawler();
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Other' });
  await api.post('/crawlers/17/activate');
  const { body } = await api.post('/crawlers/17/run');

  expect((await api.get('/crawlers/17/runs')).body.items).toMatchObject([{ id: body.run, kind: 'full', visited: 0 }]);
  expect(await api.get(`/crawlers/17/runs/${body.run}`)).toMatchObject({
    status: 200,
    body: { startedBy: 'operator' },
  });
  expect(await api.get(`/crawlers/18/runs/${body.run}`)).toMatchObject({ status: 404 });
  expect(await api.get('/crawlers/99/runs')).toMatchObject({ status: 404 });
});

test('queued URLs are acknowledged, and the crawl log is shown', async () => {
  await using api = await startWithCrawler();
  await api.post('/crawlers/17/activate');

  const queued = await api.post('/crawlers/17/urls', { urls: ['https://a.test/x'] });
  expect(queued).toMatchObject({
    status: 200,
    body: { active: true, urls: [{ url: 'https://a.test/x', status: 'Ok' }] },
  });
  expect(await api.get('/crawlers/17')).toMatchObject({ body: { status: { lastRun: { kind: 'urls', open: 1 } } } });
  expect(await api.post('/crawlers/17/urls', { urls: [] })).toMatchObject({ status: 400 });

  const store = await api.deps.engineStores.of(6);
  await store.logDiscarded(17, ['https://a.test/y'], 'none', 1);
  expect((await api.get('/crawlers/17/visits')).body.items).toMatchObject([
    { url: 'https://a.test/y', outcome: 'discarded', reason: 'none', run: null, httpStatus: null },
  ]);
  expect(await api.get('/crawlers/17/visits?url=https://a.test/unknown')).toMatchObject({ body: { items: [] } });
});

test('the documents of an engine are browsed, shown and removed', async () => {
  await using api = await startWithCrawler();
  const store = await api.deps.engineStores.of(6);
  const documents = ['a', 'b', 'c'].map((id) => ({
    id,
    kind: 'PageContent' as const,
    fields: new Map([['Title', [`Title ${id}`]]]),
    origin: 'pushed' as const,
    language: 'en',
  }));
  await store.putDocuments(17, documents, 1);

  const first = await api.get('/engines/6/documents?limit=2&crawler=17');
  expect(first.body.items).toMatchObject([
    { id: 'a', crawler: 17, title: 'Title a' },
    { id: 'b', crawler: 17 },
  ]);
  expect((await api.get(`/engines/6/documents?after=${first.body.next}`)).body).toMatchObject({
    items: [{ id: 'c' }],
    next: null,
  });
  const { rid } = first.body.items[0];
  expect((await api.get(`/engines/6/documents/${rid}`)).body.fields).toEqual({ Title: ['Title a'] });
  expect(await api.delete(`/engines/6/documents/${rid}`)).toMatchObject({ status: 204 });
  expect(await api.get(`/engines/6/documents/${rid}`)).toMatchObject({ status: 404 });
  expect(await store.countDocuments()).toBe(2);
});

test('the status shows roles, disk and engines, and says what is missing', async () => {
  await using api = await startWithCrawler();
  await api.leases.takeLease('indexer', 'indexer-1', Date.now(), Date.now() + 60_000);

  const { body } = await api.get('/status');

  expect(body).toMatchObject({
    version: '0.0.0-test',
    node: process.version,
    roles: [
      { role: 'indexer', holder: 'indexer-1' },
      { role: 'scheduler', holder: null },
    ],
    engines: [{ id: 6, name: 'Main', documents: 0, crawlers: 1, activeCrawlers: 0, seq: 0, visibleSeq: 0 }],
  });
  expect(body.disk.totalBytes).toBeGreaterThan(body.disk.freeBytes);
  expect(body.warnings).toContain(
    'No process has the role scheduler: start workers/scheduler.ts, or the whole with npm start',
  );
});
