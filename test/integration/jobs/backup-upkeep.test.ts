import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupUpkeepOf } from '../../../src/compose/backups.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { checkBackups } from '../../../src/health/store-checks.ts';
import { type BackupUpkeepDeps, startBackupUpkeep } from '../../../src/jobs/backup-upkeep.ts';
import { restoreBackup } from '../../../src/storage/sqlite/backup/restore-backup.ts';
import { openInstallation } from '../../helpers/backups.ts';
import { eventually } from '../../helpers/eventually.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');

/** The upkeep with a clock of the test; `write` in place of the real one, or a note in its file. */
async function openUpkeep(write?: BackupUpkeepDeps['write']) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { system } = stack.use(await openInstallation(folder.path));
  const clock = { at: START, now: () => clock.at };
  const config = CONFIG.parse({ DATA_DIR: folder.path, BACKUP_KEEP: '2' });
  const deps: BackupUpkeepDeps = {
    ...backupUpkeepOf(config, system, silentLog),
    installedAt: async () => START,
    write:
      write ??
      (async (file) => {
        await writeFile(file, 'a backup');
        return { bytes: 8 };
      }),
    clock,
  };
  const files = () => readdir(join(folder.path, 'backups')).catch(() => []);
  const check = checkBackups({ ...deps, listBackups: system.listBackups });
  /** Looks once, to its end. */
  const look = async () => {
    const upkeep = startBackupUpkeep(deps);
    await system.listBackups();
    await upkeep[Symbol.asyncDispose]();
  };
  const owned = stack.move();
  return {
    dataDir: folder.path,
    system,
    clock,
    deps,
    files,
    look,
    findings: () => check.look(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('a backup is written once a period, and the last ones stay', async () => {
  await using upkeep = await openUpkeep();
  const counts: number[] = [];

  for (let hour = 0; hour <= 96; hour += 12) {
    upkeep.clock.at = START + hour * 3_600_000;
    await upkeep.look();
    counts.push((await upkeep.files()).length);
  }

  expect(counts).toEqual([0, 0, 1, 1, 2, 2, 2, 2, 2]);
  expect((await upkeep.files()).sort()).toEqual([
    'fossick-2026-03-04T00-00-00-000Z.tar.zst',
    'fossick-2026-03-05T00-00-00-000Z.tar.zst',
  ]);
  expect(await upkeep.system.listBackups()).toMatchObject([
    { state: 'done', startedBy: 'schedule', endedAt: START + 4 * DAY_MS, bytes: 8 },
    { state: 'done', endedAt: START + 3 * DAY_MS },
  ]);
});

test('a first start writes no backup, however long it takes to note its time', async () => {
  await using upkeep = await openUpkeep();
  const deps: BackupUpkeepDeps = { ...upkeep.deps, installedAt: async () => ++upkeep.clock.at };

  await using _running = startBackupUpkeep(deps);
  await eventually(() => upkeep.clock.at > START);
  await upkeep.system.listBackups();

  expect(await upkeep.system.listBackups()).toEqual([]);
});

test('a clock that is set back holds no backup up', async () => {
  await using upkeep = await openUpkeep();
  upkeep.clock.at = START + 300 * DAY_MS;
  await upkeep.look();
  upkeep.clock.at = START + DAY_MS;

  await upkeep.look();

  expect(await upkeep.files()).toHaveLength(2);
});

test('a failure is kept with its cause, told by the health, and tried again after an hour', async () => {
  let isBroken = true;
  await using upkeep = await openUpkeep(async () => {
    if (isBroken) throw new Error('The disk is full');
    return { bytes: 8 };
  });
  upkeep.clock.at = START + DAY_MS;
  await upkeep.look();
  const failed = await upkeep.findings();
  upkeep.clock.at += 1_800_000;
  await upkeep.look();
  expect(await upkeep.system.listBackups()).toHaveLength(1);
  isBroken = false;
  upkeep.clock.at += 1_800_000;

  await upkeep.look();

  expect(failed).toMatchObject([{ name: 'backup-failed', sentence: expect.stringContaining('The disk is full') }]);
  expect(await upkeep.findings()).toEqual([]);
  upkeep.clock.at += 3 * DAY_MS;
  expect(await upkeep.findings()).toMatchObject([
    { name: 'backup-late', sentence: expect.stringContaining('72 hours') },
  ]);
});

test.each([
  ['daily', 1, 26, 27],
  ['weekly', 7, 170, 171],
  ['every six hours', 0.25, 26, 27],
])(
  'without a backup a %s schedule is late after its period and two hours, at least a day',
  async (_name, days, quietHours, lateHours) => {
    await using upkeep = await openUpkeep();
    const check = checkBackups({ ...upkeep.deps, everyMs: days * DAY_MS, listBackups: upkeep.system.listBackups });
    const findingsAfter = (hours: number) => {
      upkeep.clock.at = START + hours * 3_600_000;
      return check.look();
    };

    expect(await findingsAfter(quietHours)).toEqual([]);
    expect(await findingsAfter(lateHours)).toMatchObject([{ name: 'backup-late' }]);
    expect(await checkBackups({ ...upkeep.deps, everyMs: 0, listBackups: upkeep.system.listBackups }).look()).toEqual(
      [],
    );
  },
);

test('what was running when its process ended has failed, and what is asked for is written whole', async () => {
  await using upkeep = await openUpkeep();
  const broken = await upkeep.system.askBackup('schedule', START);
  await upkeep.system.startBackup(broken, join(upkeep.dataDir, 'gone'));
  const asked = await upkeep.system.askBackup('operator', START);
  const again = await upkeep.system.askBackup('operator', START);
  const real = backupUpkeepOf(CONFIG.parse({ DATA_DIR: upkeep.dataDir }), upkeep.system, silentLog);
  await using _running = startBackupUpkeep({ ...real, clock: upkeep.clock });

  const [done, failed] = await eventually(async () => {
    const records = await upkeep.system.listBackups();
    return records[0]?.state === 'done' ? records : undefined;
  });

  expect(again).toBe(asked);
  expect(failed).toMatchObject({ id: broken, state: 'failed', problem: expect.stringContaining('broken off') });
  expect(done).toMatchObject({ id: asked, startedBy: 'operator' });
  const restored = join(upkeep.dataDir, 'restored');
  await mkdir(restored);
  await restoreBackup({ file: done?.file ?? '', dataDir: restored, replace: false, now: Date.now });
  await using copy = await openInstallation(restored);
  expect((await copy.system.listBackups()).map(({ id }) => id)).toEqual([broken]);
});
