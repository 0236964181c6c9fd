import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { keyOfUrl } from '../../../src/core/url.ts';
import { openEngineStores } from '../../../src/storage/sql/engine-stores.ts';
import { statements as initial } from '../../../src/storage/sql/migrations/engine/0001-initial.ts';
import { statements as crawlEvidence } from '../../../src/storage/sql/migrations/engine/0002-crawl-evidence.ts';
import { storePath } from '../../../src/storage/sql/store-path.ts';
import { startWriteThread } from '../../../src/storage/sql/write-thread.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ENGINE = 6;
const CRAWLER = 17;
const URL = 'https://site.example/a';

/** A store as the version before wrote it, with a host and a page. */
async function storeOfVersion2(dataDir: string): Promise<void> {
  const path = storePath(dataDir, { kind: 'engine', engineId: ENGINE });
  await mkdir(dirname(path), { recursive: true });
  using db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  for (const statement of [...initial, ...crawlEvidence]) db.exec(statement);
  db.prepare("INSERT INTO meta (name, value) VALUES ('schema_version', '2')").run();
  db.prepare('INSERT INTO hosts (id, crawler_id, origin) VALUES (1, ?, ?)').run(CRAWLER, 'https://site.example');
  db.prepare(
    'INSERT INTO urls (id, crawler_id, host_id, key, url, kind, state, reason, origin, depth, first_seen_at) VALUES (1, ?, 1, ?, ?, 0, 1, 0, 0, 1, 5)',
  ).run(CRAWLER, keyOfUrl(URL), URL);
}

test('a store of the version before opens with its rows, and keeps what this version adds', async () => {
  await using folder = await temporaryFolder();
  await storeOfVersion2(folder.path);
  await using writeThread = startWriteThread(folder.path);
  await using stores = openEngineStores({ dataDir: folder.path, writeThread });

  const store = await stores.of(ENGINE);

  expect(await store.findUrl(CRAWLER, URL)).toMatchObject({ id: 1, url: URL, facts: { state: 'live' } });
  expect(await store.sampledPages(1)).toEqual([]);
  expect(await store.listKeptPages({ crawlerId: CRAWLER, after: 0, limit: 10 })).toEqual([]);
});
