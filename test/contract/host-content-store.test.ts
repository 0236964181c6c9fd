import { expect, test } from 'vitest';
import { CRAWLER, facts, openFrontier, pageDocument, urlOf, visited } from '../helpers/frontier.ts';

const FIRST = '-9223372036854775808';
const PATHS = Array.from({ length: 8 }, (_, i) => `/p${i}`);

/** Live pages of one host, visited at 2,000. */
async function livePages() {
  const frontier = await openFrontier();
  await frontier.add(PATHS);
  const lane = await frontier.lane();
  const rows = await frontier.take(lane);
  await frontier.record(
    lane,
    rows.map((row) =>
      visited(row, {
        document: { put: pageDocument(row.url, `Title ${row.url}`) },
        record: facts({ similarity: '-5', contentHash: '7', extractVersion: 3, state: 'live' }),
      }),
    ),
  );
  const host = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  return { ...frontier, rows, host, [Symbol.asyncDispose]: frontier[Symbol.asyncDispose] };
}

test('1: live pages come with what is stored of them, from any place in their order on', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  const of = { hostId: host.id, visitedBefore: 9_000 };

  const all = await store.livePages({ ...of, from: FIRST, limit: 100 });
  const some = await store.livePages({ ...of, from: '9223372036854775807', limit: 3 });

  expect(all.map(({ url }) => url).sort()).toEqual(PATHS.map(urlOf));
  expect(all[0]).toEqual({
    url: all[0]?.url,
    title: `Title ${all[0]?.url}`,
    facts: { similarity: '-5', extractVersion: 3, asksPassword: false },
  });
  expect(some.map(({ url }) => url)).toEqual(all.slice(0, 3).map(({ url }) => url));
  expect(await store.livePages({ ...of, from: FIRST, limit: 3, visitedBefore: 2_000 })).toEqual([]);
});

test('2: what is noted of a host is read with it', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  expect(host.content).toEqual({ probe: undefined, notFound: undefined, believedUntil: 0 });

  await store.noteProbe(host.id, { at: 5, failedSince: 4 }, undefined);
  await store.noteNotFound(host.id, { at: 6, target: 'https://site.example/oops', similarity: undefined });

  expect((await store.findHost(host.id))?.content).toEqual({
    probe: { at: 5, failedSince: 4 },
    notFound: { at: 6, target: 'https://site.example/oops' },
    believedUntil: 0,
  });
});

test('3: a released host is not held, its failures are forgotten, and it is believed for a while', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  await store.noteProbe(host.id, { at: 5, failedSince: 4 }, { untilAt: 99_000, reason: 'start-probe' });
  expect(await store.findHost(host.id)).toMatchObject({ heldUntil: 99_000, holdReason: 'start-probe' });

  await store.releaseHost(host.id, 50_000);

  expect(await store.findHost(host.id)).toMatchObject({ heldUntil: 0, holdReason: undefined, failures: 0 });
  expect((await store.findHost(host.id))?.content).toEqual({
    probe: undefined,
    notFound: undefined,
    believedUntil: 50_000,
  });
});

test('3: a look at a host that was under way when it was released holds it no more', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  const strange = (at: number) =>
    store.noteProbe(host.id, { at, failedSince: at }, { untilAt: at + 100, reason: 'start-probe' });

  await store.releaseHost(host.id, 50_000);
  expect(await strange(10_000)).toBe(false);
  expect(await store.findHost(host.id)).toMatchObject({ heldUntil: 0, content: { probe: undefined } });
  expect(await strange(50_000)).toBe(true);
  expect(await store.findHost(host.id)).toMatchObject({ heldUntil: 50_100, content: { probe: { at: 50_000 } } });
});

test('4: hosts are listed once, in pages', async () => {
  await using shared = await livePages();
  const { store } = shared;
  for (const name of ['a', 'b']) await store.ensureHost(CRAWLER, `https://${name}.example`);

  const first = await store.listHosts({ crawlerId: CRAWLER, after: 0, limit: 2 });
  const rest = await store.listHosts({ crawlerId: CRAWLER, after: first[1]?.id ?? 0, limit: 2 });

  expect([...first, ...rest].map(({ origin }) => origin)).toEqual([
    'https://site.example',
    'https://a.example',
    'https://b.example',
  ]);
});

test('another live page with the same content is found, the page itself is not', async () => {
  await using shared = await livePages();
  const { store, rows } = shared;
  const urlId = rows[0]?.urlId ?? 0;

  expect(await store.hasSameContent({ crawlerId: CRAWLER, urlId, contentHash: '7' })).toBe(true);
  expect(await store.hasSameContent({ crawlerId: CRAWLER, urlId, contentHash: '8' })).toBe(false);
});

test('a forgotten robots.txt is read anew', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  await store.saveRobots(host.id, { body: undefined, status: 404, at: 5, goodAt: 5 }, undefined);

  await store.forgetRobots(host.id);

  expect((await store.findHost(host.id))?.robots).toBeUndefined();
});

test('a host that only looks strange is open to queued URLs, and to nothing else', async () => {
  await using shared = await livePages();
  const { store, host } = shared;
  await store.queueUrls({ crawlerId: CRAWLER, activation: 1, configVersion: 1, urls: [urlOf('/p0')], now: 3_000 });
  await store.noteProbe(host.id, { at: 3_000, failedSince: 3_000 }, { untilAt: 99_000, reason: 'start-probe' });
  const work = (maxPriority: number) =>
    store.hostsWithWork({
      crawlerId: CRAWLER,
      activation: 1,
      stage: 'page',
      maxPriority,
      after: 0,
      limit: 9,
      now: 4_000,
    });

  expect([(await work(0)).length, (await work(3)).length]).toEqual([1, 0]);
  const unreachable = { body: undefined, status: 500, at: 3_000, goodAt: undefined };
  await store.saveRobots(host.id, unreachable, { untilAt: 100_000, reason: 'robots-unreachable' });
  expect((await work(0)).length).toBe(0);
});
