import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openStores } from '../../../src/compose/stores.ts';
import { restoreBackup } from '../../../src/storage/sqlite/backup/restore-backup.ts';
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
import { emptyDisk } from '../../helpers/full-disk.ts';
import { seededRandom } from '../../helpers/random.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const ENGINE_STORE = 'engines/6/store.db';
const COUNT = 'SELECT count(*) AS n FROM documents';
const BIN = join(import.meta.dirname, '../../../bin/fossick.js');
const KILLS = isLongForm ? 60 : 4;

test('a restore that is killed changes nothing, or keeps everything off until it is run again', {
  timeout: 600_000,
}, async () => {
  await using folder = await twoFolders();
  await closedInstallation(folder.dataDir, [6, 7, 8]);
  await backUp(folder.dataDir, folder.file);
  await changeInstallation(folder.dataDir);
  const random = seededRandom(3);
  const seen = { old: 0, refused: 0, restored: 0 };

  for (let kill = 0; kill < KILLS; kill++) {
    const dataDir = join(folder.path, `data-${kill}`);
    await cp(folder.dataDir, dataDir, { recursive: true });
    await killInRestore(folder.file, dataDir, {
      seen: kill % 2 === 0 ? 'restore-staging' : 'restore.json',
      afterMs: random.whole(0, 20),
    });
    const state = await stateOf(dataDir);
    seen[state] += 1;
    if (state !== 'restored') await restoreBackup({ file: folder.file, dataDir, replace: true, now: Date.now });

    expect(await stateOf(dataDir)).toBe('restored');
    const kept = (await readdir(dataDir)).filter((name) => name.startsWith('before-restore-'));
    expect(kept).toHaveLength(1);
    expect(readStore(join(dataDir, kept[0] ?? ''), ENGINE_STORE, COUNT)).toEqual([{ n: 4 }]);
    await rm(dataDir, { recursive: true });
  }

  const { old, refused, restored } = seen;
  reportFigure(
    'backups.restore-killed',
    `${KILLS} kills: ${old} as before, ${refused} refused to start, ${restored} restored`,
  );
});

type Kill = { readonly seen: string; readonly afterMs: number };

/** Ends the command some milliseconds after a name is seen: it unpacks then, or moves stores. */
async function killInRestore(file: string, dataDir: string, { seen, afterMs }: Kill): Promise<void> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const child = spawn(process.execPath, [BIN, 'restore', file, '--replace'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  // Closer than `eventually` looks: the moves take some milliseconds.
  while (child.exitCode === null && !existsSync(join(dataDir, seen))) await setImmediate();
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await ended;
  clearTimeout(timer);
}

async function stateOf(dataDir: string): Promise<'old' | 'refused' | 'restored'> {
  try {
    await using stores = await openStores({ DATA_DIR: dataDir }, silentLog);
    return (await (await stores.engineStores.of(6)).countDocuments()) === 4 ? 'old' : 'restored';
  } catch (error) {
    expect(String(error)).toContain('run it to its end with fossick restore');
    return 'refused';
  }
}

/** Takes root. */
const SMALL_DISKS = isLongForm ? [2] : [];

describe.each(SMALL_DISKS)('on a disk of %d MB', (megabytes) => {
  const withLargeStore = async () => {
    const folder = await twoFolders();
    await using installation = await openInstallation(folder.dataDir);
    const store = await installation.engines.of(6);
    const text = () => randomBytes(50_000).toString('base64');
    for (let n = 0; n < 60; n++) await store.putDocuments(17, [pushedDocument(`d${n}`, text())], 1);
    return folder;
  };

  test('a backup that does not fit leaves nothing behind', async () => {
    await using folder = await withLargeStore();
    await using disk = await emptyDisk(megabytes);

    const { code, err } = await runCli(['backup', join(disk.path, 'b')], { environment: { DATA_DIR: folder.dataDir } });

    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^fossick: .*(no room|is full).*\n$/) });
    expect(await readdir(disk.path)).toEqual([]);
  });

  test('a restore that does not fit changes nothing', async () => {
    await using folder = await withLargeStore();
    await backUp(folder.dataDir, folder.file);
    await using disk = await emptyDisk(megabytes);

    const { code, err } = await runCli(['restore', folder.file], { environment: { DATA_DIR: disk.path } });

    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^fossick: The disk of .* is full, so nothing/),
    });
    expect((await readdir(disk.path)).filter((name) => name !== 'lock.db')).toEqual([]);
    reportFigure('backups.full-disk', 'backup and restore: one line, nothing left behind');
  });
});
