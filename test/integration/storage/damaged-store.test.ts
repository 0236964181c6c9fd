import { copyFile, open, stat, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { installationStatus } from '../../../src/accounts/installation-status.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { NewDocument } from '../../../src/core/document.ts';
import type { Crawler, Engine } from '../../../src/core/records.ts';
import { readCrawlLoad } from '../../../src/crawl/crawl-load.ts';
import { checkStores } from '../../../src/health/crawler-checks.ts';
import { projectEngines } from '../../../src/indexing/project-engines.ts';
import { openEngineStores } from '../../../src/storage/sqlite/engine-stores.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { type Random, seededRandom } from '../../helpers/random.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { sharedWriteThread } from '../../helpers/shared-write-thread.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const HURT = 6;
const WELL = 7;
const CRAWLER = 17;
const ENGINES = [HURT, WELL].map((id) => ({ id, name: `Engine ${id}`, language: 'en', settings: {} })) as Engine[];
const CRAWLERS = ENGINES.map(({ id }) => ({ id: CRAWLER, engineId: id, active: true, activation: 1 })) as Crawler[];

/** Of SQLite. */
const PAGE_BYTES = 4096;
const FILE_HEAD_BYTES = 100;

const document = (id: string, text = 'Text'): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [`${text} ${id}`]]]),
});

async function openStores(dataDir: string) {
  await using stack = new AsyncDisposableStack();
  const { log, lines } = captureLog();
  const writeThread = stack.use(sharedWriteThread(dataDir));
  const stores = stack.use(openEngineStores({ dataDir, writeThread, log }));
  const owned = stack.move();
  const put = async (engineId: number, id: string) =>
    (await stores.of(engineId)).putDocuments(CRAWLER, [document(id)], 1);
  return { stores, log, lines, put, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

type Opened = Awaited<ReturnType<typeof openStores>>;

/** Two engines with documents, nothing running; the file of the one that is going to be damaged. */
async function twoEngines(dataDir: string): Promise<string> {
  await using opened = await openStores(dataDir);
  for (const id of [HURT, WELL]) {
    const documents = Array.from({ length: 300 }, (_, i) => document(`d-${i}`, 'Some words of a page '.repeat(10)));
    await (await opened.stores.of(id)).putDocuments(CRAWLER, documents, 1);
  }
  return storePath(dataDir, { kind: 'engine', engineId: HURT });
}

const statusOf = ({ stores }: Opened) =>
  installationStatus({
    engineStores: stores,
    visibleSeq: () => 0,
    version: '1',
    storedIn: 'SQLite',
    modelStates: () => [],
    clock: systemClock,
    isProcessAlive: async () => true,
    indexerLease: 'indexer',
    processes: { living: async () => [] },
    tier: 'embedded',
    store: { listEngines: async () => ENGINES, listCrawlers: async () => [], findLease: async () => undefined },
    diskSpace: async () => ({ freeBytes: 1, totalBytes: 1 }),
  });

const findingsOf = ({ stores }: Opened) => checkStores({ engines: async () => ENGINES, engineStores: stores }).look();

const NO_HOLDS = {
  hostHolds: { of: () => [], ofHosts: () => [] },
  workOn: async () => ({ hasSlots: true, hasWorker: true }),
};

/** What runs for all engines goes on for the one that is well. */
async function expectOthersWell(opened: Opened): Promise<void> {
  const { stores, log } = opened;
  expect((await statusOf(opened)).engines.at(-1)).toMatchObject({ id: WELL, documents: expect.any(Number) });
  await readCrawlLoad({ ...NO_HOLDS, engineStores: stores, listCrawlers: async () => CRAWLERS, clock: systemClock });
  await using index = createInMemoryIndex();
  const stop = new AbortController();
  const accounts = { listEngines: async () => ENGINES, changeToken: () => 1 };
  const openWriter = async ({ id }: Engine) => index.writer(id);
  const project = { accounts, engineStores: stores, openWriter, log, refreshMs: 1, monotonicMs: () => Date.now() };
  const running = projectEngines(project, stop.signal);
  const { seq } = await opened.put(WELL, `new ${Math.random()}`);
  await eventually(() => index.visibleSeq(WELL) >= seq);
  stop.abort();
  await running;
}

const DAMAGE = {
  'cut in half': async (file: string) => truncate(file, (await stat(file)).size >> 1),
  'of other bytes': (file: string) => writeFile(file, 'This is no database. '.repeat(1_000)),
  'of a newer version': async (file: string) => {
    using db = new DatabaseSync(file);
    db.exec("UPDATE meta SET value = '99' WHERE name = 'schema_version'");
  },
} as const;

describe.each(Object.entries(DAMAGE))('a store %s', (_name, damage) => {
  test('is not opened and takes no push, is named in status, and costs no other engine anything', async () => {
    await using folder = await temporaryFolder();
    await damage(await twoEngines(folder.path));
    await using opened = await openStores(folder.path);

    await expect(opened.put(HURT, 'new')).rejects.toMatchObject({ code: expect.stringMatching(/^storage\./) });
    await expect(opened.put(HURT, 'new')).rejects.toMatchObject({ code: expect.stringMatching(/^storage\./) });

    expect((await statusOf(opened)).engines[0]).toMatchObject({ id: HURT, problem: expect.any(String) });
    expect(await findingsOf(opened)).toMatchObject([{ name: 'store-unusable', subject: `engine ${HURT}` }]);
    await expectOthersWell(opened);
    expect(opened.lines.map(({ message }) => message)).toEqual(['store of an engine cannot be used']);
    reportFigure('stores.damaged-engine', 'named; push refused; the other engine searched, pushed, crawled');
  });

  test('is opened again when a good one was put in its place', async () => {
    await using folder = await temporaryFolder();
    const file = await twoEngines(folder.path);
    await copyFile(file, `${file}.copy`);
    await damage(file);
    await using opened = await openStores(folder.path);
    await expect(opened.put(HURT, 'new')).rejects.toThrow();

    await copyFile(`${file}.copy`, file);

    expect(await opened.put(HURT, 'new')).toMatchObject({ rows: ['created'] });
    expect(await findingsOf(opened)).toEqual([]);
  });
});

test('damage that is met later is told, and the store is used no more', async () => {
  await using folder = await temporaryFolder();
  const file = await twoEngines(folder.path);
  await using opened = await openStores(folder.path);
  const store = await opened.stores.of(HURT);
  const pages = (await stat(file)).size / PAGE_BYTES;
  await using handle = await open(file, 'r+');
  for (let page = 2; page < pages; page++) await handle.write(Buffer.alloc(100, 0xff), 0, 100, page * PAGE_BYTES);

  await expect(store.listDocuments({ after: 0, limit: 1_000 })).rejects.toMatchObject({ code: 'storage.damaged' });

  await expect(opened.put(HURT, 'new')).rejects.toMatchObject({ code: 'storage.damaged' });
  expect(await findingsOf(opened)).toMatchObject([{ subject: `engine ${HURT}` }]);
});

test('one flipped byte anywhere in a store leaves the other engine and the status as they are', async () => {
  const rounds = isLongForm ? 300 : 20;
  const random = seededRandom(1);
  let refused = 0;
  await using folder = await temporaryFolder();
  const file = await twoEngines(folder.path);
  await copyFile(file, `${file}.copy`);
  for (let round = 0; round < rounds; round++) {
    await copyFile(`${file}.copy`, file);
    await flip(file, placeOf(random, (await stat(file)).size));
    await using opened = await openStores(folder.path);
    refused += await opened.put(HURT, 'new').then(
      () => 0,
      () => 1,
    );
    await opened.put(WELL, `new ${round}`);
    const { engines } = await statusOf(opened);
    expect(engines.map(({ id }) => id)).toEqual([HURT, WELL]);
    await readCrawlLoad({
      ...NO_HOLDS,
      engineStores: opened.stores,
      listCrawlers: async () => CRAWLERS,
      clock: systemClock,
    });
  }
  reportFigure('stores.flipped-byte', `${rounds} bytes: status 200 each time, ${refused} stores not opened`);
});

/** Every other time in the head of a page, where the structure is; else anywhere. */
function placeOf(random: Random, size: number): number {
  if (random.chance(0.5)) return random.whole(0, size - 1);
  const page = random.whole(0, size / PAGE_BYTES - 1);
  return page * PAGE_BYTES + (page === 0 ? FILE_HEAD_BYTES : 0) + random.whole(0, 7);
}

async function flip(file: string, at: number): Promise<void> {
  await using handle = await open(file, 'r+');
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0x10]), 0, 1, at);
}
