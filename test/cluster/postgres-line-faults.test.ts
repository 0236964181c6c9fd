import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import { AppError } from '../../src/core/errors.ts';
import type { EngineStore } from '../../src/storage/engine-store.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { eventually } from '../helpers/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { type PlannedFault, startTcpProxy } from '../helpers/tcp-proxy.ts';

const ENGINE = 6;
const CRAWLER = 17;
const LIMIT = { rows: 100_000, bytes: 2 ** 30 };
/** What a call may wait for a server that says nothing, before everybody knows: two looks of 2 s, and room. */
const NOTICED_WITHIN_MS = 8_000;
/** A call while the server is known not to answer. */
const AT_ONCE_MS = 500;

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Stores behind a line that fails, and the same stores by a line that does not. */
async function openBoth() {
  await using stack = new AsyncDisposableStack();
  databases++;
  const name = `line_${databases}`;
  await server.createDatabase(name);
  const direct = new URL(server.url(name));
  const line = stack.use(await startTcpProxy(Number(direct.port)));
  const behind = new URL(direct);
  behind.port = String(line.port);
  const open = async (url: string) =>
    stack.use(await openPostgresStores({ url, connections: 6, dataDir: '/nowhere', log: silentLog }));
  const [far, near] = [await open(behind.href), await open(direct.href)];
  const [store, other] = [await far.engineStores.of(ENGINE), await near.engineStores.of(ENGINE)];
  // Not by the first one: each statement of it is sent with its text then.
  await other.putDocuments(CRAWLER, [document('first')], 1);
  const owned = stack.move();
  return { line, far, store, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const document = (id: string, content = id): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [content]]]),
});

async function idsOf(store: EngineStore): Promise<readonly string[]> {
  return (await store.changesAfter(0, LIMIT)).map(({ id }) => id);
}

/** How a call ended, and after how long. */
async function timed(call: PromiseLike<unknown>) {
  const startedAtMs = performance.now();
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { code: error instanceof AppError ? error.code : error, ms: performance.now() - startedAtMs };
}

/** Each of these, and what may be there afterwards of a write that failed. */
const FAULTS: readonly (readonly [string, PlannedFault, readonly number[]])[] = [
  ['a write is cut before it begins', { text: 'pg_advisory_xact_lock', kind: 'unsent' }, [0]],
  ['a write is cut in its middle', { text: 'insert into "documents"', kind: 'unsent' }, [0]],
  ['a write is cut at its commit', { text: 'COMMIT', kind: 'unsent' }, [0]],
  ['the answer to a commit is lost', { text: 'COMMIT', kind: 'unanswered' }, [1]],
  // Its commit may be in the same packet.
  ['a write falls silent in its middle', { text: 'insert into "documents"', kind: 'silent' }, [0, 1]],
  ['the answer to a commit never comes', { text: 'COMMIT', kind: 'silent' }, [1]],
];

test.each(FAULTS)('%s: it fails, is there never or once, and is done anew', async (_what, fault, counts) => {
  await using stores = await openBoth();
  const { line, store, other } = stores;
  const planned = line.plan(fault);

  const failed = await timed(store.putDocuments(CRAWLER, [document('second')], 2));

  await planned;
  expect(failed.code).toBe('storage.unavailable');
  const found = await idsOf(other);
  expect(counts).toContain(found.filter((id) => id === 'second').length);
  await eventually(() => store.putDocuments(CRAWLER, [document('second'), document('third')], 3), 20_000);
  expect((await idsOf(other)).toSorted()).toEqual(['first', 'second', 'third']);
  expect(await store.lastSeq()).toBe(await other.lastSeq());
});

test('a read that is cut in the middle of its rows fails, and the next one has them all', async () => {
  await using stores = await openBoth();
  const { line, store } = stores;
  const many = Array.from({ length: 200 }, (_, at) => document(`many/${at}`, 'x'.repeat(1_000)));
  await store.putDocuments(CRAWLER, many, 2);
  line.cut();
  line.cutAfter(50_000);

  const ended: unknown[] = [];
  for (let at = 0; at < 20 && ended.length === 0; at++) {
    await store.changesAfter(0, LIMIT).catch((error: unknown) => ended.push(error));
  }

  expect(ended[0]).toMatchObject({ code: 'storage.unavailable' });
  expect(await eventually(() => idsOf(store), 20_000)).toHaveLength(201);
});

test('cuts all the time lose nothing that was acknowledged, and store nothing twice', async () => {
  await using stores = await openBoth();
  const { line, store, other } = stores;
  const acknowledged: string[] = [];
  const codes = new Set<unknown>();
  const writer = async (lane: number) => {
    for (let at = 0; at < 60; at++) {
      const id = `${lane}/${at}`;
      await store.putDocuments(CRAWLER, [document(id)], at).then(
        () => acknowledged.push(id),
        (error: unknown) => codes.add(error instanceof AppError ? error.code : error),
      );
      if (lane === 1 && at % 5 === 0) line.cut();
    }
  };

  await Promise.all([1, 2, 3].map(writer));

  const found = await idsOf(other);
  expect([...codes]).toEqual(['storage.unavailable']);
  expect(acknowledged.filter((id) => !found.includes(id))).toEqual([]);
  expect(new Set(found).size).toBe(found.length);
  await eventually(() => store.putDocuments(CRAWLER, [document('after')], 1), 20_000);
});

test('a server that says nothing is noticed by all calls, which fail at once until it answers', async () => {
  await using stores = await openBoth();
  const { line, far, store } = stores;
  line.silence();

  const first = await Promise.all([
    ...Array.from({ length: 10 }, () => timed(store.lastSeq())),
    ...Array.from({ length: 60 }, (_, at) => timed(store.putDocuments(CRAWLER, [document(`lost/${at}`)], 2))),
  ]);
  const next = await Promise.all([
    ...Array.from({ length: 10 }, () => timed(store.lastSeq())),
    ...Array.from({ length: 60 }, (_, at) => timed(store.putDocuments(CRAWLER, [document(`lost/${at}`)], 2))),
    timed(far.systemStore.listEngines()),
  ]);
  line.heal();

  expect(new Set([...first, ...next].map(({ code }) => code))).toEqual(new Set(['storage.unavailable']));
  expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(NOTICED_WITHIN_MS);
  expect(Math.max(...next.map(({ ms }) => ms))).toBeLessThan(AT_ONCE_MS);
  await eventually(() => store.putDocuments(CRAWLER, [document('after')], 3), 20_000);
  expect(await idsOf(store)).toEqual(['first', 'after']);
});

test('stores are closed within seconds while the server says nothing in the middle of a write', async () => {
  await using stores = await openBoth();
  const { line, far, store } = stores;
  const planned = line.plan({ text: 'insert into "documents"', kind: 'silent' });
  const lost = timed(store.putDocuments(CRAWLER, [document('lost')], 2));
  await planned;
  line.silence();

  const closed = await timed(far[Symbol.asyncDispose]());

  expect(closed.code).toBeUndefined();
  expect(closed.ms).toBeLessThan(NOTICED_WITHIN_MS);
  expect((await lost).code).toBe('storage.unavailable');
});

test('a machine that vanishes in the middle of a write holds up others for some seconds', async () => {
  await using stores = await openBoth();
  const { line, store, other } = stores;
  const planned = line.plan({ text: 'insert into "documents"', kind: 'vanished' });
  const lost = timed(store.putDocuments(CRAWLER, [document('lost')], 2));
  await planned;

  const written = await timed(other.putDocuments(CRAWLER, [document('second')], 2));

  expect(written.code).toBeUndefined();
  expect(written.ms).toBeLessThan(20_000);
  expect((await lost).code).toBe('storage.unavailable');
  expect(await idsOf(other)).toEqual(['first', 'second']);
});

test('answers that are late are waited for', async () => {
  await using stores = await openBoth();
  const { line, store } = stores;
  line.delay(300);

  await store.putDocuments(CRAWLER, [document('second')], 2);

  expect(await store.lastSeq()).toBe(2);
});

test('statements of others that take long keep nobody from seeing that the server answers', async () => {
  await using stores = await openBoth();
  const { line, store } = stores;
  const name = `line_${databases}`;
  // Longer than a server that says nothing is given.
  const held = server.query(
    name,
    `BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('fossick_engine_${ENGINE}', 0)); SELECT pg_sleep(9); COMMIT`,
  );

  const written = await timed(store.putDocuments(CRAWLER, [document('second')], 2));

  await held;
  expect(written.code).toBeUndefined();
  expect(line.count()).toBeGreaterThan(0);
});
