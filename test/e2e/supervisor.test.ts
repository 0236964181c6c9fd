import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import {
  childRunning,
  type FullDisk,
  familyOf,
  limitedFiles,
  readOnlyFileSystem,
  smallFileSystem,
} from '../helpers/full-disk.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KEY = 'supervisor-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const DOCUMENTS = 40;

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Supervisor test',
      keys: [{ name: 'test', value: KEY }],
      engines: [{ id: 1, name: 'Pushed', language: 'en' }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', active: false, seeds: [] }],
    },
  ],
};

async function installation(make: () => Promise<FullDisk> = limitedFiles) {
  await using stack = new AsyncDisposableStack();
  const disk = stack.use(await make());
  const folder = stack.use(await temporaryFolder());
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const environment = { CONFIG_FILE: file, RATE_SEARCH_PER_SECOND: '0', RATE_MANAGEMENT_PER_SECOND: '0' };
  const owned = stack.move();
  return {
    disk,
    options: { dataDir: join(disk.path, 'data'), environment },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function push({ address }: RunningProduct, from: number): Promise<number> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({
    id: `document-${from + index}`,
    fields: { Title: `Document ${from + index}`, Content: 'Text of a document' },
  }));
  const response = await fetch(`${address}/api/v4/1/index/1/documents`, {
    method: 'PUT',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  await response.arrayBuffer();
  return response.status;
}

async function search({ address }: RunningProduct): Promise<{ status: number; total: number | undefined }> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*' }),
  });
  const body = (await response.json()) as { TotalDocument?: number };
  return { status: response.status, total: body.TotalDocument };
}

async function pidsNow(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(join(dataDir, 'processes.json'), 'utf8').catch(() => '[]');
  const rows = JSON.parse(text) as { role: string; pid: number }[];
  return new Map(rows.map(({ role, pid }) => [role, pid]));
}

/** The pid of a role as soon as there is another one than before. */
function newPid(dataDir: string, role: string, before?: number): Promise<number> {
  return eventually(async () => {
    const pid = (await pidsNow(dataDir)).get(role);
    return pid === before ? undefined : pid;
  }, 120_000);
}

test('a role that is killed or stopped while it starts for the first time ends nothing, and comes up later', async () => {
  await using made = await installation();
  const { dataDir } = made.options;
  const starting = startProcesses(made.options);
  await using _ended = { [Symbol.asyncDispose]: async () => void (await (await starting).stop()) };
  const disturb = async (role: string, signal: NodeJS.Signals) => {
    const pid = await newPid(dataDir, role);
    process.kill(pid, signal);
    return pid;
  };

  const [, stopped] = await Promise.all([
    disturb('api', 'SIGKILL'),
    disturb('upkeep', 'SIGSTOP'),
    disturb('crawl-1', 'SIGKILL'),
  ]);
  const product = await starting;

  expect(await search(product)).toEqual({ status: 200, total: 0 });
  expect(await push(product, 0)).toBe(200);
  expect(product.stdout()).toContain('upkeep is still starting');
  goOn(stopped);
  await eventually(async () => (await search(product)).total === DOCUMENTS, 120_000);
  reportFigure('processes.first-start', 'api and crawl killed, upkeep stopped at their first start: all came up');
});

/** On a busy machine the supervisor has given it up by now, and started another one. */
function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
  }
}

const FILES = { api: '/api.ts', upkeep: '/upkeep.ts', 'crawl-1': '/crawl.ts' } as const;

/** kill -9 of each process in turn; the statuses of searches that were answered with a failure. */
/** On the full disk; a restart takes its time there. */
const KILLED = isLongForm ? Object.values(FILES) : [FILES.api, FILES['crawl-1']];

async function killInTurn(product: RunningProduct): Promise<readonly number[]> {
  const failures: number[] = [];
  for (const file of KILLED) {
    const before = childRunning(product.supervisorPid, file) ?? 0;
    process.kill(before, 'SIGKILL');
    await eventually(async () => {
      const now = childRunning(product.supervisorPid, file);
      const { status, total } = await search(product).catch(() => ({ status: 0, total: 0 }));
      if (status >= 400) failures.push(status);
      return now !== undefined && now !== before && total === DOCUMENTS;
    }, 60_000);
  }
  return failures;
}

const isStored = async (product: RunningProduct, from: number, total: number) => {
  await eventually(async () => (await push(product, from)) === 200, 60_000);
  await eventually(async () => (await search(product)).total === total, 60_000);
};

const FULL_DISKS: [name: string, make: () => Promise<FullDisk>][] = [['processes may write no byte', limitedFiles]];
if (isLongForm) FULL_DISKS.push(['a small file system', smallFileSystem]);

test.each(FULL_DISKS)(
  'on a full disk (%s) each process that is killed comes back, and a start serves searches',
  async (name, make) => {
    await using made = await installation(make);
    const { disk, options } = made;
    {
      await using product = await startProcesses(options);
      await isStored(product, 0, DOCUMENTS);
      disk.fill(familyOf(product.supervisorPid));

      expect(await push(product, DOCUMENTS)).toBe(500);
      expect(await killInTurn(product)).toEqual([]);

      disk.makeRoom(familyOf(product.supervisorPid));
      await isStored(product, 0, DOCUMENTS);
    }
    expect(await serveWhileFull(made)).toBe(2 * DOCUMENTS);
    reportFigure('processes.full-disk', `${name}: ${KILLED.length} kills and 1 start, 0 failed searches`);
  },
);

if (isLongForm) {
  test('on a read-only disk a start serves searches, and stores when it may write', async () => {
    await using made = await installation(readOnlyFileSystem);
    {
      await using product = await startProcesses(made.options);
      await isStored(product, 0, DOCUMENTS);
    }

    expect(await serveWhileFull(made)).toBe(2 * DOCUMENTS);
    reportFigure('processes.read-only-disk', 'a start serves searches, pushes work without a restart');
  });
}

function checkpoint(path: string): void {
  using store = new DatabaseSync(path);
  store.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Starts on the full disk; resolves with what is found after there was room again. */
async function serveWhileFull({
  disk,
  options,
}: Awaited<ReturnType<typeof installation>>): Promise<number | undefined> {
  // A stop that took too long on a busy machine leaves a log, whose shared memory needs room.
  for (const name of ['system.db', 'engines/1/store.db']) checkpoint(join(options.dataDir, name));
  disk.fill([]);
  await using product = await startProcesses({ ...options, wrapper: disk.wrapper });
  expect(await search(product)).toEqual({ status: 200, total: DOCUMENTS });
  expect(product.stdout()).toContain('Searches are answered; nothing is stored');
  expect(await push(product, DOCUMENTS)).toBe(500);

  disk.makeRoom(familyOf(product.supervisorPid));
  await isStored(product, DOCUMENTS, 2 * DOCUMENTS);
  return (await search(product)).total;
}
