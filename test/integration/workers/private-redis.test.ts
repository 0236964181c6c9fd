import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { startPrivateRedis } from '../../../workers/private-redis.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const PATH = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = PATH;
});

/** A private Redis as the supervisor runs it, with the pids that it has told. */
async function start(dataDir: string) {
  const { log, lines } = captureLog();
  const pids: number[] = [];
  const ending = new AbortController();
  const changed = (pid: number | undefined) => void (pid !== undefined && pids.push(pid));
  const redis = await startPrivateRedis({ dataDir, log, changed, stopped: ending.signal });
  return { redis, lines, pids, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() };
}

async function use(url: string): Promise<string | null> {
  const client = new Redis({ path: url.slice('unix://'.length), lazyConnect: true });
  client.on('error', () => {});
  try {
    await client.set('written', 'yes');
    return await client.get('written');
  } finally {
    client.disconnect();
  }
}

/** A folder that a Redis has written and left. */
async function writtenFolder(dataDir: string): Promise<string> {
  await using started = await start(dataDir);
  await started.redis.settled;
  await use(started.redis.url);
  return join(dataDir, 'redis');
}

const file = (ending: string) => async (folder: string) => {
  const names = await readdir(folder, { recursive: true });
  const name = names.find((each) => each.endsWith(ending));
  if (name === undefined) throw new Error(`no ${ending} in ${names}`);
  return join(folder, name);
};
const incremental = file('.incr.aof');
const base = file('.base.rdb');
const manifest = file('.manifest');

const overwriteWith =
  (find: (folder: string) => Promise<string>, bytes: Uint8Array | string) => async (folder: string) =>
    writeFile(await find(folder), bytes);
const remove = (find: (folder: string) => Promise<string>) => async (folder: string) => rm(await find(folder));

const DAMAGES: readonly (readonly [name: string, damage: (folder: string) => Promise<unknown>])[] = [
  ['random bytes over the log of commands', overwriteWith(incremental, randomBytes(500))],
  ['random bytes over the base', overwriteWith(base, randomBytes(500))],
  ['a manifest of nonsense', overwriteWith(manifest, 'nonsense\n')],
  ['a log of commands that is gone', remove(incremental)],
  [
    'a file in place of the folder',
    async (folder) => [await rm(folder, { recursive: true }), await writeFile(folder, '')],
  ],
];
const MORE_DAMAGES: typeof DAMAGES = [
  ['an empty manifest', overwriteWith(manifest, '')],
  ['a manifest of random bytes', overwriteWith(manifest, randomBytes(200))],
  ['a manifest that is gone', remove(manifest)],
  [
    'a manifest that names a file twice',
    async (folder) => {
      const path = await manifest(folder);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text + text);
    },
  ],
  ['a base that is gone', remove(base)],
  ['an empty base', overwriteWith(base, '')],
  ['a base that is cut', async (folder) => truncate(await base(folder), 20)],
  ['a base of a newer version', overwriteWith(base, 'REDIS9999')],
  ['one flipped byte in the base', async (folder) => flip(await base(folder), 30)],
  ['a log of commands that is cut', async (folder) => truncate(await incremental(folder), 17)],
  ['a length that is no number', overwriteWith(incremental, '*x\r\n$3\r\nSET\r\n')],
  ['an unknown command', overwriteWith(incremental, '*1\r\n$7\r\nNOTHING\r\n')],
  ['a command that was never finished', overwriteWith(incremental, '*3\r\n$3\r\nSET\r\n$1\r\na\r\n')],
  ['zeros at the end', async (folder) => writeFile(await incremental(folder), Buffer.alloc(4096), { flag: 'a' })],
  [
    'a folder in place of the log of commands',
    async (folder) => {
      const path = await incremental(folder);
      await rm(path);
      await mkdir(path);
    },
  ],
  [
    'a file in place of the folder of logs',
    async (folder) => {
      await rm(join(folder, 'appendonlydir'), { recursive: true });
      await writeFile(join(folder, 'appendonlydir'), '');
    },
  ],
  ['a folder in place of the socket', (folder) => mkdir(join(folder, 'redis.sock', 'inner'), { recursive: true })],
  ['a folder that nobody may enter', (folder) => chmod(folder, 0)],
];

async function flip(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}

test.each(isLongForm ? [...DAMAGES, ...MORE_DAMAGES] : DAMAGES)('redis comes up after %s', async (_name, damage) => {
  await using folder = await temporaryFolder();
  await damage(await writtenFolder(folder.path));

  await using started = await start(folder.path);
  await started.redis.settled;

  expect(await use(started.redis.url)).toBe('yes');
  expect(started.redis.health()).toMatchObject({ isReady: true });
  expect(started.lines.filter(({ level }) => level === 'warn').length).toBeLessThanOrEqual(1);
});

test('damage after damage keeps two folders, and nothing is left running', async () => {
  await using folder = await temporaryFolder();
  const pids: number[] = [];

  for (let round = 0; round < 4; round++) {
    await overwriteWith(incremental, randomBytes(500))(await writtenFolder(folder.path));
    await using started = await start(folder.path);
    await started.redis.settled;
    expect(started.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'private redis cannot read its folder, set aside' }),
    );
    pids.push(...started.pids);
  }

  expect((await readdir(folder.path)).sort()).toEqual(['redis', 'redis.bad', 'redis.bad.old']);
  expect(pids.filter(isAlive)).toEqual([]);
  reportFigure(
    'processes.redis-damage',
    `${DAMAGES.length + MORE_DAMAGES.length} kinds of damage, ${pids.length} servers, 0 left over`,
  );
});

test('a start that is given up while redis reads a large folder leaves no process', async () => {
  await using folder = await temporaryFolder();
  const { redis, pids } = await start(folder.path);

  await redis[Symbol.asyncDispose]();

  expect(pids).toHaveLength(1);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('a redis that is not installed is said with what to do, and is taken when it is', async () => {
  await using folder = await temporaryFolder();
  process.env['PATH'] = folder.path;

  await using started = await start(folder.path);
  await started.redis.settled;

  expect(started.redis.health().lastCause).toMatch(/^there is no redis-server, crawling waits: install redis-server/);
  expect(started.redis.health().foldersSetAside).toBe(0);
  process.env['PATH'] = [folder.path, PATH].join(delimiter);
  await eventually(() => started.redis.health().isReady);
});

test('a redis that is killed keeps its folder', async () => {
  await using folder = await temporaryFolder();
  await using started = await start(folder.path);
  await started.redis.settled;
  await use(started.redis.url);

  for (let kill = 1; kill <= 4; kill++) {
    process.kill(started.pids.at(-1) ?? 0, 'SIGKILL');
    await eventually(() => started.redis.health().restarts === kill && started.redis.health().isReady, 20_000);
  }

  expect(started.redis.health().foldersSetAside).toBe(0);
  expect(await readdir(folder.path)).toEqual(['redis']);
});

const OWNER = fileURLToPath(new URL('../../helpers/redis-owner.ts', import.meta.url));

test('a redis ends by itself when the process that runs it is killed', async () => {
  await using folder = await temporaryFolder();
  const owner = fork(OWNER, [folder.path]);
  const told: unknown[] = [];
  owner.on('message', (message) => told.push(message));
  await eventually(() => told.includes('ready'), 30_000);
  const [pid] = told;
  if (typeof pid !== 'number') throw new Error(`no pid: ${told}`);
  try {
    owner.kill('SIGKILL');

    await eventually(() => !isAlive(pid));
  } finally {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a redis that is frozen does not hold a stop up', async () => {
  await using folder = await temporaryFolder();
  const started = await start(folder.path);
  await started.redis.settled;
  const [pid = 0] = started.pids;
  process.kill(pid, 'SIGSTOP');

  await started[Symbol.asyncDispose]();

  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
