import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../../../src/core/crawl-words.ts';
import { keyOfUrl } from '../../../src/core/url.ts';
import { ENGINE_MIGRATIONS } from '../../../src/storage/sql/migrations/engine-migrations.ts';
import { SYSTEM_MIGRATIONS } from '../../../src/storage/sql/migrations/system-migrations.ts';
import { openEngineStores } from '../../../src/storage/sqlite/engine-stores.ts';
import type { MigratedStore } from '../../../src/storage/sqlite/migrate-with-copy.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { startWriteThread } from '../../../src/storage/sqlite/write-thread.ts';
import { emptyDisk } from '../../helpers/full-disk.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ENGINE = 6;
const CRAWLER = 17;
const URL = 'https://site.example/a';

/** A store as the version before wrote it, with a host, a page, a pattern, a link that was not followed, and a run. */
async function engineStoreOfVersion4(dataDir: string): Promise<void> {
  const path = storePath(dataDir, { kind: 'engine', engineId: ENGINE });
  await mkdir(dirname(path), { recursive: true });
  using db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  for (const statement of ENGINE_MIGRATIONS.slice(0, 4).flat()) db.exec(statement);
  db.prepare("INSERT INTO meta (name, value) VALUES ('schema_version', '4')").run();
  db.prepare('INSERT INTO hosts (id, crawler_id, origin) VALUES (1, ?, ?)').run(CRAWLER, 'https://site.example');
  db.prepare(
    'INSERT INTO urls (id, crawler_id, host_id, key, url, kind, state, reason, origin, depth, first_seen_at) VALUES (1, ?, 1, ?, ?, 0, 1, 0, 0, 1, 5)',
  ).run(CRAWLER, keyOfUrl(URL), URL);
  db.prepare(
    'INSERT INTO kept_pages (url_id, crawler_id, host_id, at, voters, source, body) VALUES (1, ?, 1, 6, 3, ?, ?)',
  ).run(CRAWLER, '{}', Buffer.alloc(1));
  db.prepare(
    "INSERT INTO url_patterns (id, crawler_id, host_id, pattern, family_id, doubt) VALUES (1, ?, 1, '/{s}', 2, 1)",
  ).run(CRAWLER);
  db.prepare(
    'INSERT INTO left_links (crawler_id, slot, key, reason, found_on, depth, at) VALUES (?, 1, 2, ?, 1, 1, 6)',
  ).run(CRAWLER, REASONS.indexOf('too-deep'));
  const run = db.prepare(
    "INSERT INTO runs (id, crawler_id, activation, kind, state, started_by, config_version, created_at, summary) VALUES (?, ?, 1, 'full', 'finished', 'schedule', 1, 5, ?)",
  );
  const document = db.prepare(
    "INSERT INTO documents (crawler_id, id, seq, write_seq, kind, origin, language, encoding, content_hash, row_hash, deleted, created_at, updated_at) VALUES (?, ?, ?, 1, 0, 0, 'en', 0, ?, ?, ?, 5, 5)",
  );
  document.run(CRAWLER, URL, 1, Buffer.alloc(16), Buffer.alloc(16), 0);
  document.run(CRAWLER, `${URL}/gone`, 2, Buffer.alloc(16), Buffer.alloc(16), 1);
  run.run(1, CRAWLER, JSON.stringify({ reasons: { new: 2 }, twins: { exact: 2, near: null } }));
  run.run(2, CRAWLER, JSON.stringify({ reasons: {}, twins: null }));
  run.run(3, CRAWLER, null);
}

test('an engine store of the version before opens with its rows, and keeps what this version adds', async () => {
  await using folder = await temporaryFolder();
  await engineStoreOfVersion4(folder.path);
  await using writeThread = startWriteThread(folder.path);
  await using stores = openEngineStores({ dataDir: folder.path, writeThread });

  const store = await stores.of(ENGINE);

  expect(await store.findUrl(CRAWLER, URL)).toMatchObject({
    id: 1,
    url: URL,
    facts: { state: 'live', hasEndTag: false },
  });
  expect(await store.listPendingPages({ crawlerId: CRAWLER, after: 0, limit: 9 })).toMatchObject([{ url: URL, at: 6 }]);
  expect((await store.templatesOf([1]))[0]?.inFolders).toEqual([]);
  expect(await store.findPattern(1)).toMatchObject({ pattern: '/{s}', urlTemplateId: 2, quarantine: true });
  expect(await store.countUnfollowedLinks(CRAWLER, 'too-deep')).toBe(1);
  expect(await store.countDocumentsByCrawler()).toEqual(new Map([[CRAWLER, 1]]));
  expect(await store.sharedTitles({ crawlerId: CRAWLER, limit: 9 })).toEqual({ documents: 0, titles: [] });
  const summaries = (await store.listRuns(CRAWLER, 9)).map(({ summary }) => summary && JSON.parse(summary));
  expect(summaries).toEqual([
    undefined,
    { reasons: {}, duplicates: null },
    { reasons: { new: 2 }, duplicates: { exact: 2, near: null } },
  ]);
});

test('a system store of the version before opens with its rows, and keeps conversations and holds', async () => {
  await using folder = await temporaryFolder();
  using db = new DatabaseSync(storePath(folder.path, { kind: 'system' }));
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  for (const statement of SYSTEM_MIGRATIONS.slice(0, 2).flat()) db.exec(statement);
  db.prepare("INSERT INTO meta (name, value) VALUES ('schema_version', '2')").run();
  db.prepare("INSERT INTO customers (id, name, created_at) VALUES (3, 'Three', 5)").run();
  const crawler = db.prepare(
    "INSERT INTO crawlers (id, engine_id, customer_id, name, config, created_at) VALUES (?, 6, 3, 'Site', ?, 5)",
  );
  crawler.run(17, JSON.stringify({ seeds: ['https://a.example/'], twins: { exact: 'off' } }));
  crawler.run(18, JSON.stringify({ seeds: [] }));
  db.exec('INSERT INTO synonym_groups (customer_id, language, words) VALUES (3, \'en\', \'["a","b"]\')');
  db.exec(`INSERT INTO quicklinks (customer_id, engine_id, record) VALUES (3, 6, '{"url":"/contact"}')`);

  await using system = await openSystem(folder.path);

  expect(await system.store.listCustomers()).toMatchObject([{ id: 3, name: 'Three' }]);
  const crawlers = await Promise.all([17, 18].map((id) => system.store.findCrawler(id)));
  expect(crawlers.map((found) => found?.config)).toEqual([
    { seeds: ['https://a.example/'], duplicates: { exact: 'off' } },
    { seeds: [] },
  ]);
  expect(await system.store.listTools('quicklink', { customerId: 3 })).toEqual([
    { id: 1, customerId: 3, engineId: 6, url: '/contact', terms: [], managedBy: undefined, broken: undefined },
  ]);
  expect(await system.store.listSynonymGroups(3)).toMatchObject([{ words: ['a', 'b'], managedBy: undefined }]);
  const key = { customerId: 3, engineId: 6, id: 'c' };
  expect(await system.store.takeConversation(key, { holder: 'a', now: 1, until: 2, expiredBefore: 0 })).toBe(true);
  expect(system.store.listHolds()).toEqual([]);
  expect(await system.store.hasPeople()).toBe(false);
});

describe('before a store is moved forward', () => {
  const FOLDER = `engines/${ENGINE}`;
  const namesOf = async (dataDir: string) =>
    (await readdir(join(dataDir, FOLDER))).filter((name) => !/-(?:wal|shm)$/.test(name)).sort();
  const open = async (dataDir: string) => {
    const migrated: MigratedStore[] = [];
    await using writeThread = startWriteThread(dataDir, (each) => migrated.push(each));
    await using stores = openEngineStores({ dataDir, writeThread });
    await stores.of(ENGINE);
    return migrated;
  };

  test('a copy of it as it was is kept beside it, and who opened it is told', async () => {
    await using folder = await temporaryFolder();
    await engineStoreOfVersion4(folder.path);

    const migrated = await open(folder.path);
    const again = await open(folder.path);

    expect(await namesOf(folder.path)).toEqual(['store.db', 'store.version-4.db']);
    expect(migrated).toMatchObject([{ from: 4, copy: join(folder.path, FOLDER, 'store.version-4.db') }]);
    expect(again).toEqual([]);
    using copy = new DatabaseSync(join(folder.path, FOLDER, 'store.version-4.db'), { readOnly: true });
    expect(copy.prepare("SELECT value FROM meta WHERE name = 'schema_version'").get()).toEqual({ value: '4' });
    expect(copy.prepare('SELECT url FROM urls').get()).toEqual({ url: URL });
  });

  test('of earlier copies the last one stays', async () => {
    await using folder = await temporaryFolder();
    await engineStoreOfVersion4(folder.path);
    for (const version of [1, 2, 3]) await writeFile(join(folder.path, FOLDER, `store.version-${version}.db`), '');

    await open(folder.path);

    expect(await namesOf(folder.path)).toEqual(['store.db', 'store.version-3.db', 'store.version-4.db']);
  });

  test('processes that open it together make one copy', async () => {
    await using folder = await temporaryFolder();
    await engineStoreOfVersion4(folder.path);

    const migrated = (await Promise.all([1, 2, 3].map(() => open(folder.path)))).flat();

    expect(migrated).toHaveLength(1);
    expect(await namesOf(folder.path)).toEqual(['store.db', 'store.version-4.db']);
  });

  // Takes root.
  test.each(isLongForm ? [1] : [])(
    'without room for the copy it is not moved, on a disk of %d MB',
    async (megabytes) => {
      await using disk = await emptyDisk(megabytes);
      await engineStoreOfVersion4(disk.path);
      const { bavail, bsize } = await statfs(disk.path);
      await writeFile(join(disk.path, 'full'), Buffer.alloc(bavail * bsize - 100_000));

      await expect(open(disk.path)).rejects.toThrow(/older version, and there is no room for the copy/);

      await rm(join(disk.path, 'full'));
      expect(await namesOf(disk.path)).toEqual(['store.db']);
      expect(await open(disk.path)).toMatchObject([{ from: 4 }]);
      reportFigure('backups.migration-full-disk', 'no room: store as it was; with room: copied and moved');
    },
  );

  test('a new store that processes open together has no copy', async () => {
    await using folder = await temporaryFolder();

    const migrated = await Promise.all([open(folder.path), open(folder.path), open(folder.path)]);

    expect(await namesOf(folder.path)).toEqual(['store.db']);
    expect(migrated).toEqual([[], [], []]);
  });

  test('a new store has no copy', async () => {
    await using folder = await temporaryFolder();

    expect(await open(folder.path)).toEqual([]);

    expect(await namesOf(folder.path)).toEqual(['store.db']);
  });
});
