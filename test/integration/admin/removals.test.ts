import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { facts, removal, visited } from '../../helpers/frontier.ts';

/** A crawler with three documents of which one left and two are held. */
async function startWithRemovals() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: ['https://a.test/'] });
  await api.post('/crawlers/17/activate');
  const store = await api.deps.engineStores.of(6);
  const crawler = await api.deps.store.findCrawler(17);
  const [run] = await store.listRuns(17, 1);
  const of = { crawlerId: 17, activation: crawler?.activation ?? 0, now: 1_000 };
  await store.startRun(run?.id ?? 0, 1_000);
  const urls = ['/a', '/b', '/c'].map((path) => `https://a.test${path}`);
  const document = (id: string) => ({
    ...({ id, kind: 'PageContent', origin: 'crawled', language: 'en' } as const),
    fields: new Map([['Title', [id]]]),
  });
  await store.putDocuments(17, urls.map(document), 1_000);
  const added = { origin: 'link', depth: 1, priority: 2, flags: 2, enqueue: 'if-new' } as const;
  await store.addUrls({ ...of, runId: run?.id ?? 0, urls: urls.map((url) => ({ url, ...added })) });
  const lane = await store.takeLane({ crawlerId: 17, stage: 'page', lane: 1, holder: 'test' });
  const host = await store.ensureHost(17, 'https://a.test');
  if (lane === undefined) throw new Error('The lane is busy');
  const hosts = [{ hostId: host.id, limit: 9 }];
  const rows = await store.takeDue({ ...of, lane, stage: 'page', maxPriority: 3, hosts });
  const log = {
    outcome: 'suspected',
    reason: 'removal-held',
    httpStatus: 404,
    bytes: 0,
    millis: 0,
    detail: undefined,
  } as const;
  const instead = { record: facts({ state: 'suspected', reason: 'removal-held' }), log };
  const guard = { allowed: 1, since: 0, counts: false, instead };
  const visits = rows.map((row) =>
    visited(row, { record: facts({ state: 'gone' }), document: removal(row.url, { guard }) }),
  );
  await store.recordVisits({ ...of, lane, visits });
  return { ...api, store, host, [Symbol.asyncDispose]: api[Symbol.asyncDispose] };
}

test('held removals are listed, grouped, shown in the status, approved and undone', async () => {
  await using api = await startWithRemovals();

  expect(await api.get('/crawlers/17/removals')).toMatchObject({
    status: 200,
    body: { items: [{ class: 'hard', cause: 'not-found', state: 'held', host: 'https://a.test' }, {}], next: null },
  });
  expect((await api.get('/crawlers/17/removals/groups')).body.groups).toMatchObject([{ count: 1 }, { count: 1 }]);
  expect((await api.get('/crawlers/17')).body.status.removals).toEqual({ held: 2, removed: 1 });

  const { items } = (await api.get('/crawlers/17/removals?limit=1')).body;
  expect(await api.post('/crawlers/17/approve-removals', { rids: [items[0].rid] })).toMatchObject({
    status: 200,
    body: { asked: 1, applied: 1 },
  });
  expect(await api.store.countDocuments(17)).toBe(1);
  expect(
    await api.post('/crawlers/17/undo-removals', { group: { class: 'hard', host: 'https://a.test' } }),
  ).toMatchObject({
    body: { asked: 3, applied: 3 },
  });
  expect(await api.store.countDocuments(17)).toBe(3);
  expect((await api.get('/crawlers/17/removals?state=undone')).body.items).toHaveLength(3);
});

test('the list of held removals says how many have left, and how to list them', async () => {
  await using api = await startWithRemovals();
  const cli = async (...args: string[]) =>
    (await runCli(['crawler', 'removals', '17', ...args, '--url', api.origin, '--token', OPERATOR_TOKEN])).out;

  expect(await cli()).toMatch(/\/b\n(.*\n)*1 removed: fossick crawler removals 17 --state removed\n$/);
  await api.post('/crawlers/17/approve-removals', { group: { class: 'hard' } });

  expect(await cli()).toBe('none is held\n3 removed: fossick crawler removals 17 --state removed\n');
  expect(await cli('--groups')).toBe('none is held\n3 removed: fossick crawler removals 17 --state removed --groups\n');
  expect(await cli('--state', 'removed')).not.toContain('3 removed:');
  expect(await cli('--state', 'undone')).toBe('none\n');
});

test.each([
  [{ rids: [] }],
  [{ rids: ['1'] }],
  [{ group: { class: 'unknown' } }],
  [{ group: { reason: 'gone' } }],
  [{ all: true }],
])('a choice such as %j is refused', async (choice) => {
  await using api = await startWithRemovals();

  expect(await api.post('/crawlers/17/approve-removals', choice)).toMatchObject({ status: 400 });
  expect(await api.store.countDocuments(17)).toBe(2);
});

test('hosts are listed with what is wrong, released, and asked for robots.txt anew', async () => {
  await using api = await startWithRemovals();
  const hold = { untilAt: Date.now() + 60_000, reason: 'start-probe' } as const;
  await api.store.noteProbe(api.host.id, { at: 5, failedSince: 5 }, hold);
  const robots = { body: undefined, status: 200, at: 5, goodAt: 5 };
  await api.store.saveRobots(api.host.id, robots, undefined);

  expect((await api.get('/crawlers/17/hosts')).body).toMatchObject({
    items: [{ origin: 'https://a.test', concern: 'start-probe', holdReason: 'start-probe', robots: { status: 200 } }],
    next: null,
  });
  expect((await api.get('/crawlers/17')).body.status.hosts).toMatchObject([
    { origin: 'https://a.test', concern: 'start-probe' },
  ]);

  expect((await api.post('/crawlers/17/hosts/release', { origin: 'https://a.test/' })).status).toBe(204);
  expect((await api.post('/crawlers/17/hosts/refresh-robots', { origin: 'https://a.test' })).status).toBe(204);
  expect((await api.get('/crawlers/17/hosts')).body.items[0]).toMatchObject({
    concern: null,
    heldUntil: null,
    robots: { at: null },
    probe: { believedUntil: expect.any(String) },
  });
  expect((await api.post('/crawlers/17/hosts/release', { origin: 'https://b.test' })).status).toBe(404);
  expect((await api.post('/crawlers/17/hosts/release', { origin: 'nonsense' })).status).toBe(400);
});
