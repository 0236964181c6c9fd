import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openStores } from '../../../src/compose/stores.ts';
import type { ReadProgress } from '../../../src/storage/sqlite/backup/backup-archive.ts';
import { restoreBackup } from '../../../src/storage/sqlite/backup/restore-backup.ts';
import { takeSnapshots } from '../../../src/storage/sqlite/backup/store-snapshots.ts';
import { lockDataFolder } from '../../../src/storage/sqlite/process-locks.ts';
import {
  backUp,
  changeInstallation,
  closedInstallation,
  openInstallation,
  pushedDocument,
  readStore,
  twoFolders,
} from '../../helpers/backups.ts';
import { runCli } from '../../helpers/cli.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const ENGINE_STORE = 'engines/6/store.db';
const COUNT = 'SELECT count(*) AS n FROM documents';

describe('a backup', () => {
  test('tells while it is brought back how much of it is read', async () => {
    await using folder = await twoFolders();
    await closedInstallation(folder.dataDir);
    await backUp(folder.dataDir, folder.file);
    const told: ReadProgress[] = [];

    await restoreBackup({
      file: folder.file,
      dataDir: folder.restored,
      replace: false,
      now: Date.now,
      onProgress: (progress) => told.push(progress),
    });

    const totalBytes = (await stat(folder.file)).size;
    expect(told.at(-1)).toEqual({ doneBytes: totalBytes, totalBytes });
  });

  test('holds everything that was acknowledged before it, while writes go on', async () => {
    await using folder = await twoFolders();
    await using installation = await openInstallation(folder.dataDir);
    const store = await installation.engines.of(6);
    let pushed = 0;
    let slowestMs = 0;
    const push = async () => {
      const documents = Array.from({ length: 20 }, (_, place) => pushedDocument(`d${pushed + place}`));
      const begunAt = performance.now();
      await store.putDocuments(17, documents, 1);
      slowestMs = Math.max(slowestMs, performance.now() - begunAt);
      pushed += documents.length;
    };
    let isOver = false;
    const pushing = (async () => {
      while (!isOver) await push();
    })();
    await push();
    const acknowledged = pushed;

    const { contents, heldMs } = await backUp(folder.dataDir, folder.file);
    isOver = true;
    await pushing;
    await restoreBackup({ file: folder.file, dataDir: folder.restored, replace: false, now: Date.now });

    const [found] = readStore(folder.restored, ENGINE_STORE, COUNT);
    expect(found?.['n']).toBeGreaterThanOrEqual(acknowledged);
    expect(contents.stores.find(({ name }) => name === ENGINE_STORE)?.documents).toBe(found?.['n']);
    expect(pushed).toBeGreaterThan(acknowledged);
    const figure = `${acknowledged} acknowledged, ${found?.['n']} found; writes held up ${heldMs.toFixed(1)} ms, slowest write ${slowestMs.toFixed(0)} ms`;
    reportFigure('backups.acknowledged', figure);
  });

  test('is of one instant over all stores', async () => {
    await using folder = await twoFolders();
    const engineIds = Array.from({ length: 12 }, (_, place) => place + 1);
    await closedInstallation(folder.dataDir, engineIds);
    const ends = ['system.db', 'engines/12/store.db'].map((name) => join(folder.dataDir, name));
    await using _writing = await countInTurn(ends);

    const rounds = isLongForm ? 300 : 20;
    const leads: number[] = [];
    const held: number[] = [];
    for (let round = 0; round < rounds; round++) {
      using snapshots = await takeSnapshots(folder.dataDir, Date.now);
      const counts = snapshots.stores.map(({ db }) => counted(db));
      held.push(snapshots.heldMs);
      leads.push((counts.at(0) ?? 0) - (counts.at(-1) ?? 0));
    }

    expect(leads.filter((lead) => lead !== 0 && lead !== 1)).toEqual([]);
    const longest = Math.max(...held).toFixed(1);
    reportFigure('backups.instant', `${rounds} snapshots of 13 stores, writes held up ${longest} ms at most`);
  });

  test('is an archive that tar and zstd read, for its user alone', async () => {
    await using folder = await twoFolders();
    await closedInstallation(folder.dataDir);

    await backUp(folder.dataDir, folder.file);

    const names = execFileSync('tar', ['--zstd', '-tf', folder.file], { encoding: 'utf8' });
    expect(names.trim().split('\n')).toEqual(['system.db', ENGINE_STORE, 'backup.json']);
    expect((await stat(folder.file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    { withSecrets: false, secrets: [] },
    { withSecrets: true, secrets: ['secrets-key', 'operator-token'] },
  ])('holds secrets only when they are asked for: $withSecrets', async ({ withSecrets, secrets }) => {
    await using folder = await twoFolders();
    await closedInstallation(folder.dataDir);
    for (const name of ['secrets-key', 'operator-token']) await writeFile(join(folder.dataDir, name), `the ${name}\n`);

    const { contents } = await backUp(folder.dataDir, folder.file, withSecrets);
    await restoreBackup({ file: folder.file, dataDir: folder.restored, replace: false, now: Date.now });

    expect(contents.secrets.map(({ name }) => name)).toEqual(secrets);
    const found = (await readdir(folder.restored)).filter((name) => /key|token/.test(name));
    expect(found.sort()).toEqual([...secrets].sort());
  });

  test('of a damaged store is refused, names the store and leaves nothing behind', async () => {
    await using folder = await twoFolders();
    await closedInstallation(folder.dataDir);
    const path = join(folder.dataDir, ENGINE_STORE);
    const bytes = await readFile(path);
    bytes.fill(0xff, 4096 * 3, 4096 * 3 + 200);
    await writeFile(path, bytes);

    await expect(backUp(folder.dataDir, folder.file)).rejects.toThrow(/engines\/6\/store\.db.*fossick verify/);

    expect(await readdir(folder.path)).toEqual(['data']);
  });

  test('tells a mistake in one line, with the exit code of a refusal where the file exists', async () => {
    await using folder = await twoFolders();
    await closedInstallation(folder.dataDir);
    const run = (file: string, dataDir = folder.dataDir) =>
      runCli(['backup', file], { environment: { DATA_DIR: dataDir } });
    await writeFile(folder.file, 'mine');

    expect(await run(folder.file)).toMatchObject({ code: 4, err: expect.stringMatching(/^fossick: .* exists: name/) });
    expect(await run(join(folder.path, 'nowhere/b'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^fossick: There is no folder .*nowhere: make it/),
    });
    expect(await run(join(folder.path, 'b'), folder.path)).toMatchObject({
      code: 3,
      err: expect.stringMatching(/holds no installation: set DATA_DIR/),
    });
    expect(await readFile(folder.file, 'utf8')).toBe('mine');
    expect((await readdir(folder.path)).sort()).toEqual(['data', 'fossick.tar.zst']);
  });
});

const EPOCH = "SELECT value FROM meta WHERE name = 'epoch'";

describe('a restore', () => {
  async function withBackup(prepare: (dataDir: string) => Promise<void> = (dataDir) => closedInstallation(dataDir)) {
    const folder = await twoFolders();
    await prepare(folder.dataDir);
    await backUp(folder.dataDir, folder.file);
    const restore = (dataDir = folder.restored, replace = false) =>
      restoreBackup({ file: folder.file, dataDir, replace, now: () => Date.parse('2026-01-02T03:04:05Z') });
    return { ...folder, restore };
  }

  test('begins a new epoch in every store and lets go of what dead processes held', async () => {
    await using folder = await withBackup(async (dataDir) => {
      await using installation = await openInstallation(dataDir);
      await installation.system.takeLease({ name: 'indexer', holder: 'dead', at: 0 });
      const store = await installation.engines.of(6);
      await store.takeLane({ crawlerId: 17, stage: 'page', lane: 1, holder: 'dead' });
    });
    const epochsOf = (dataDir: string) =>
      ['system.db', ENGINE_STORE].map((name) => readStore(dataDir, name, EPOCH)[0]?.['value']);

    await folder.restore();

    expect(readStore(folder.restored, 'system.db', 'SELECT * FROM leases')).toEqual([]);
    expect(readStore(folder.restored, ENGINE_STORE, 'SELECT holder FROM lanes')).toEqual([{ holder: null }]);
    const epochs = epochsOf(folder.restored);
    expect(epochs).not.toContain(undefined);
    expect(epochs.filter((epoch) => epochsOf(folder.dataDir).includes(epoch))).toEqual([]);
  });

  test('into a folder with stores is refused without --replace and changes nothing', async () => {
    await using folder = await withBackup();
    const before = await namesBelow(folder.dataDir);

    const { code, err } = await runCli(['restore', folder.file], { environment: { DATA_DIR: folder.dataDir } });

    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringContaining(`restore ${folder.file} --replace keeps it`),
    });
    expect(await namesBelow(folder.dataDir)).toEqual([...before, 'lock.db'].sort());
  });

  test('with --replace keeps the old stores beside and drops index, Redis and spool', async () => {
    await using folder = await withBackup();
    for (const name of ['engines/6/index/MANIFEST', 'redis/dump.rdb', 'spool/x', 'packages/p']) {
      await mkdir(dirname(join(folder.dataDir, name)), { recursive: true });
      await writeFile(join(folder.dataDir, name), 'old');
    }
    await changeInstallation(folder.dataDir);

    const { keptIn } = await folder.restore(folder.dataDir, true);

    expect(keptIn).toBe('before-restore-2026-01-02T03-04-05-000Z');
    const kept = keptIn ?? '';
    const names = (await namesBelow(folder.dataDir)).filter((name) => !name.startsWith(kept));
    expect(names).toEqual([ENGINE_STORE, 'lock.db', 'packages/p', 'system.db']);
    expect(readStore(folder.dataDir, ENGINE_STORE, COUNT)).toEqual([{ n: 3 }]);
    expect(readStore(join(folder.dataDir, kept), ENGINE_STORE, COUNT)).toEqual([{ n: 4 }]);
  });

  test('that is tried says what it would do and changes nothing', async () => {
    await using folder = await withBackup();
    const environment = { DATA_DIR: folder.dataDir };
    const before = await namesBelow(folder.dataDir);

    const { code, out } = await runCli(['restore', folder.file, '--replace', '--dry-run'], { environment });

    expect(code).toBe(0);
    expect(out).toMatch(/^engines\/6\/store\.db +\d+ +3 /m);
    expect(out).toMatch(/^Nothing is changed\. .* keep what is there now in before-restore-/m);
    expect((await namesBelow(folder.dataDir)).filter((name) => name !== 'lock.db')).toEqual(before);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['cut to nothing', () => Buffer.alloc(0)],
    ['flipped in one byte', (bytes: Buffer) => flipped(bytes, bytes.length >> 1)],
    ['flipped in its first byte', (bytes: Buffer) => flipped(bytes, 0)],
    ['written by something else', () => Buffer.from('PK\u0003\u0004 an archive of another kind')],
    ['a tar archive of other files', () => zstdCompressSync(tarOf('../../etc/passwd'))],
    ['without its last file', () => zstdCompressSync(tarOf('system.db'))],
  ])('of an archive that is %s is refused and changes nothing', async (_name, change) => {
    await using folder = await withBackup();
    await writeFile(folder.file, change(await readFile(folder.file)));
    await changeInstallation(folder.dataDir);

    await expect(folder.restore()).rejects.toThrow(/is no whole backup of Fossick/);
    await expect(folder.restore(folder.dataDir, true)).rejects.toThrow(/is no whole backup of Fossick/);

    expect((await readdir(folder.path)).sort()).toEqual(['data', 'fossick.tar.zst']);
    expect(await namesBelow(folder.dataDir)).toEqual([ENGINE_STORE, 'lock.db', 'system.db']);
    expect(readStore(folder.dataDir, ENGINE_STORE, COUNT)).toEqual([{ n: 4 }]);
  });

  test('is refused where the product runs, with or without a supervisor', async () => {
    await using folder = await withBackup();
    const refused = () => expect(folder.restore(folder.dataDir, true)).rejects;
    {
      using _lock = lockDataFolder(folder.dataDir);
      await refused().toThrow(/^Fossick runs on .*: stop it before a restore$/);
    }
    await using _role = await openInstallation(folder.dataDir);
    await refused().toThrow(/^A process of Fossick, or a backup, works on .*: stop it before a restore$/);
  });

  test('of a newer product is refused by its number', async () => {
    await using folder = await withBackup(async (dataDir) => {
      await closedInstallation(dataDir);
      using db = new DatabaseSync(join(dataDir, ENGINE_STORE));
      db.exec("UPDATE meta SET value = '999' WHERE name = 'schema_version'");
    });

    await expect(folder.restore()).rejects.toThrow(/version 999, this program knows \d+/);

    expect((await readdir(folder.path)).sort()).toEqual(['data', 'fossick.tar.zst']);
  });

  test.each([
    ['setting-aside', 'while stores are moved away'],
    ['placing', 'while the restored ones are moved in'],
  ])('that ended in phase %s keeps everything off the folder until it is run again', async (phase) => {
    await using folder = await withBackup();
    await changeInstallation(folder.dataDir);
    const keptIn = 'before-restore-x';
    await mkdir(join(folder.dataDir, keptIn));
    await rename(join(folder.dataDir, 'system.db'), join(folder.dataDir, keptIn, 'system.db'));
    if (phase === 'placing') await rename(join(folder.dataDir, 'engines'), join(folder.dataDir, keptIn, 'engines'));
    if (phase === 'placing') await writeFile(join(folder.dataDir, 'system.db'), 'half of a store');
    const mark = { file: folder.file, keptIn, phase };
    await writeFile(join(folder.dataDir, 'restore.json'), JSON.stringify(mark));

    await expect(openStores({ DATA_DIR: folder.dataDir }, silentLog)).rejects.toThrow(
      /run it to its end with fossick restore/,
    );
    await expect(backUp(folder.dataDir, `${folder.file}.2`)).rejects.toThrow(/run it to its end with fossick restore/);
    await folder.restore(folder.dataDir);

    expect(readStore(folder.dataDir, ENGINE_STORE, COUNT)).toEqual([{ n: 3 }]);
    expect(readStore(join(folder.dataDir, keptIn), ENGINE_STORE, COUNT)).toEqual([{ n: 4 }]);
    await using _opened = await openStores({ DATA_DIR: folder.dataDir }, silentLog);
  });
});

/** A thread that counts in `meta` of one store after the other, as fast as it can, until it is disposed. */
async function countInTurn(paths: readonly string[]): Promise<AsyncDisposable> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { DatabaseSync } = require('node:sqlite');
    const statements = workerData.map((path) => {
      const db = new DatabaseSync(path, { timeout: 5000 });
      db.exec('PRAGMA synchronous=OFF');
      return db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('counter', ?)");
    });
    let n = 0;
    const step = () => {
      for (const end = n + 100; n < end; n++) for (const statement of statements) statement.run(String(n));
      if (n === 100) parentPort.postMessage('counting');
      setImmediate(step);
    };
    step();
  `;
  const worker = new Worker(code, { eval: true, workerData: paths });
  await once(worker, 'message');
  return { [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
}

function counted(db: DatabaseSync): number {
  return Number(db.prepare("SELECT value FROM meta WHERE name = 'counter'").get()?.['value']);
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x10;
  return changed;
}

function tarOf(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('00000000000\u0000', 124);
  header.write('        0', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return Buffer.concat([header, Buffer.alloc(1024)]);
}
