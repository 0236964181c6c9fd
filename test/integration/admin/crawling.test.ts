import { expect, test } from 'vitest';
import { installationStatus } from '../../../src/accounts/installation-status.ts';
import { openEmbeddingModels } from '../../../src/compose/models/embedding-models.ts';
import { openLanguageModels } from '../../../src/compose/models/language-model.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { vectorSetOf } from '../../../src/core/document-vectors.ts';
import { startModelProbes } from '../../../src/llm/circuit-breaker.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { holdProcessLock } from '../../../src/storage/sqlite/process-locks.ts';
import { startAdminApi } from '../../helpers/admin-api.ts';
import { startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { PROMPT, readCall, unaborted } from '../../helpers/model-calls.ts';
import { silentLog } from '../../helpers/silent-log.ts';

async function startWithCrawler() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: ['https://a.test/'] });
  return api;
}

test('a crawler is activated with a first run, run again and deactivated', async () => {
  await using api = await startWithCrawler();
  const inactive = { message: expect.stringMatching(/activate it first/) };

  expect(await api.post('/crawlers/17/run')).toMatchObject({ status: 409, body: inactive });
  expect(await api.post('/crawlers/17/activate')).toMatchObject({ status: 200, body: { active: true } });
  expect(await api.get('/crawlers/17')).toMatchObject({
    body: { status: { lastRun: { kind: 'full', state: 'planned', crawler: 17, startedBy: 'operator' } } },
  });
  const [planned] = (await api.get('/crawlers/17/runs')).body.items;
  expect(await api.post('/crawlers/17/run')).toMatchObject({ status: 202, body: { run: planned.id, waits: false } });
  expect(await api.post('/crawlers/17/run', { kind: 'incremental' })).toMatchObject({
    status: 202,
    body: { kind: 'incremental', waits: true },
  });

  await (await api.deps.engineStores.of(6)).stopRuns(17, Number.MAX_SAFE_INTEGER, Date.now());
  const run = await api.post('/crawlers/17/run', { kind: 'incremental' });
  expect(run).toMatchObject({ status: 202, body: { crawler: 17, kind: 'incremental' } });
  expect(await api.get('/crawlers/17')).toMatchObject({
    body: {
      status: {
        lastRun: { id: run.body.run, kind: 'incremental', state: 'running' },
        waiting: expect.any(Number),
        nextRuns: expect.arrayContaining([{ kind: 'incremental', at: expect.stringMatching(/:59:00.000Z$/) }]),
      },
    },
  });
  expect(await api.post('/crawlers/17/run', { kind: 'urls' })).toMatchObject({ status: 400 });

  expect(await api.post('/crawlers/17/deactivate')).toMatchObject({ status: 200, body: { active: false } });
  expect(await api.get(`/crawlers/17/runs/${run.body.run}`)).toMatchObject({ body: { state: 'stopped' } });
  expect(await api.get('/crawlers/17')).toMatchObject({ body: { status: { waiting: 0, nextRuns: [] } } });
});

test('runs are listed and shown, those of another crawler are not found', async () => {
  await using api = await startWithCrawler();
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Other' });
  await api.post('/crawlers/17/activate');

  const { items } = (await api.get('/crawlers/17/runs')).body;

  expect(items).toMatchObject([{ kind: 'full', visited: 0, summary: null }]);
  const { id } = items[0];
  expect(await api.get(`/crawlers/17/runs/${id}`)).toMatchObject({ status: 200, body: { startedBy: 'operator' } });
  expect(await api.get(`/crawlers/18/runs/${id}`)).toMatchObject({ status: 404 });
  expect(await api.get('/crawlers/99/runs')).toMatchObject({ status: 404 });
});

test('queued URLs are acknowledged, explained and, when the crawler is inactive, logged as discarded', async () => {
  await using api = await startWithCrawler();
  const url = 'https://a.test/x';
  const explain = `/crawlers/17/explain?url=${encodeURIComponent(url)}`;

  expect(await api.post('/crawlers/17/urls', { urls: [url] })).toMatchObject({
    status: 200,
    body: { active: false, urls: [{ url, status: 'Ok' }] },
  });
  expect((await api.get('/crawlers/17/visits')).body.items).toMatchObject([
    { url, outcome: 'discarded', reason: 'inactive', run: null, httpStatus: null },
  ]);
  expect(await api.get(explain)).toMatchObject({ status: 200, body: { verdict: 'unknown', reason: 'inactive' } });

  await api.post('/crawlers/17/activate');
  expect(await api.post('/crawlers/17/urls', { urls: [url, 'no URL'] })).toMatchObject({
    body: { active: true, urls: [{ status: 'Ok' }, { status: 'Invalid' }] },
  });
  expect(await api.get(explain)).toMatchObject({
    status: 200,
    body: {
      url,
      normalForm: url,
      verdict: 'waiting',
      reason: 'none',
      foundBy: { origin: 'queued', path: [], inlinks: 0 },
      visits: [],
      document: null,
    },
  });
  expect(await api.get('/crawlers/17/explain?url=mailto:a')).toMatchObject({
    body: { verdict: 'unknown', reason: 'scheme', normalForm: null },
  });
  expect(await api.post('/crawlers/17/urls', { urls: [] })).toMatchObject({ status: 400 });
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

test('the status shows roles, disk and engines', async () => {
  await using api = await startWithCrawler();
  using _lock = await holdProcessLock(api.dataDir, 'indexer-1');
  await api.leases.takeLease({ name: 'indexer', holder: 'indexer-1', at: 0 });
  await api.leases.takeLease({ name: 'scheduler', holder: 'dead', at: 0 });

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
});

test('the status shows how far the passages of engines with answers are embedded', async () => {
  await using api = await startWithCrawler();
  const vectors = async (embeddingModel?: string) => {
    const { engines } = await installationStatus({ ...api.deps, embeddingModel });
    return engines.map(({ vectorSeq }) => vectorSeq);
  };
  await (await api.deps.engineStores.of(6)).putVectors(vectorSetOf('small'), { seq: 7, documents: [] });
  expect(await vectors('small')).toEqual([undefined]);
  await api.patch('/engines/6', { aiEnabled: true });
  expect([await vectors(), await vectors('small'), await vectors('large')]).toEqual([[undefined], [7], [0]]);
});

test('the status names the models that are configured, whether they answer and why they did not', async () => {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await startWithCrawler());
  const server = stack.use(await startFakeModelServer());
  const probes = stack.use(startModelProbes(silentLog));
  const context = { log: silentLog, metrics: createMetrics(), report: () => undefined, probes };
  const config = (variables: object) => CONFIG.parse({ LLM_BASE_URL: server.baseUrl, ...variables });
  const language = { LLM_MODEL: 'ok', LLM_REWRITE_MODEL: 'http:404' };
  const models = (await openLanguageModels(stack, { ...context, config: config(language) }))?.forEngine(6);
  const embedding = { EMBEDDING_BASE_URL: server.baseUrl, EMBEDDING_MODEL: 'html' };
  await openEmbeddingModels(stack, { ...context, config: config({ ...embedding, LLM_MODEL: 'ok' }) });

  if (models === undefined) throw new Error('models are configured');
  for (const model of [models.answer, models.rewrite]) await readCall(model.stream(PROMPT, unaborted()));
  const { at, models: shown } = await installationStatus({ ...api.deps, modelStates: probes.states });

  expect(shown).toEqual([
    { kind: 'language', name: 'ok', state: 'answers', answeredAt: expect.any(Number) },
    { kind: 'language', name: 'http:404', state: 'fails', failedAt: expect.any(Number), fault: 'http-status 404' },
    { kind: 'embedding', name: 'html', state: 'unknown' },
  ]);
  expect(shown[0]?.answeredAt).toBeLessThanOrEqual(at);
});
