import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { inRounds } from '../../../src/health/crawler-checks.ts';
import { type Check, createHealth, type Finding, finding } from '../../../src/health/health.ts';
import {
  checkAlertTargets,
  checkBrowser,
  checkChildren,
  checkClock,
  checkRedis,
  checkRedisFolder,
  checkRoles,
  checkSearchThreads,
} from '../../../src/health/process-checks.ts';
import { checkDatabase, checkDisk } from '../../../src/health/store-checks.ts';
import { createFindingHistory } from '../../../src/health/watch-health.ts';

const GIGABYTE = 1e9;
const lowDisk: Finding = finding('disk-low', { subject: 'data', sentence: 'The disk', command: 'df' });
const find = (...findings: readonly Finding[]): Check => ({ name: 'found', look: async () => findings });
const names = (found: readonly Finding[]) => found.map(({ name, subject }) => `${name} ${subject}`);

function clockOf() {
  let now = 0;
  const advance = (ms: number) => {
    now += ms;
  };
  return { monotonicMs: () => now, advance };
}

test('a check that fails is a finding itself and hides no other', async () => {
  const broken: Check = { name: 'stores', look: () => Promise.reject(new Error('disk I/O error')) };
  const health = createHealth({ checks: [broken, find(lowDisk)], monotonicMs: () => 0 });

  const found = await health.findings();

  expect(names(found)).toEqual(['check-failed stores', 'disk-low data']);
  expect(found[0]?.sentence).toContain('disk I/O error');
});

test('a check that never answers holds up nobody, and is told once its time is over', async () => {
  const { monotonicMs, advance } = clockOf();
  const hanging: Check = { name: 'redis', look: () => new Promise(() => undefined), withinMs: 1_000 };
  const health = createHealth({ checks: [hanging, find(lowDisk)], monotonicMs, waitMs: 10 });

  expect(names(await health.findings())).toEqual(['disk-low data']);
  advance(1_000);
  expect(names(await health.findings())).toEqual(['check-failed redis', 'disk-low data']);
});

test('what a check had found stays while it cannot look', async () => {
  const { monotonicMs, advance } = clockOf();
  let isBroken = false;
  const look = async () => (isBroken ? Promise.reject(new Error('gone')) : [lowDisk]);
  const health = createHealth({ checks: [{ name: 'disk', look }], monotonicMs });
  await health.findings();
  isBroken = true;
  advance(4_000);

  expect(names(await health.findings())).toEqual(['disk-low data', 'check-failed disk']);
});

test('stores that do not answer are one finding that says why, and not one of each check that reads them', async () => {
  const fault = 'PostgreSQL does not answer: connect ECONNREFUSED 127.0.0.1:5432';
  const reading: Check = { name: 'roles', look: () => Promise.reject(new AppError('storage.unavailable', fault)) };
  const checks = [checkDatabase({ databaseFault: async () => fault }), reading, find(lowDisk)];

  const found = await createHealth({ checks, monotonicMs: () => 0 }).findings();

  expect(names(found)).toEqual(['database-down PostgreSQL', 'disk-low data']);
  expect(found[0]?.sentence).toBe(fault);
});

test('those who ask within four seconds share one look', async () => {
  const { monotonicMs, advance } = clockOf();
  let looks = 0;
  const look = async () => {
    looks++;
    return [];
  };
  const health = createHealth({ checks: [{ name: 'disk', look }], monotonicMs });

  await Promise.all([health.findings(), health.findings()]);
  advance(3_999);
  await health.findings();
  expect(looks).toBe(1);
  advance(1);
  await health.findings();
  expect(looks).toBe(2);
});

/** Roles that run under a supervisor on a disk with room. */
const usual = { canStore: async () => true, isSupervised: () => true };

test('a role without a process is told, but not within 15 s after the start or after its last holder', async () => {
  const { monotonicMs, advance } = clockOf();
  let holder: string | undefined;
  let beats = 0;
  const roles = async () => [
    { role: 'indexer', holder, beats: 1 },
    { role: 'scheduler', holder: 'upkeep', beats: beats++ },
  ];
  const { look } = checkRoles({ roles, monotonicMs, startedAtMs: 0, ...usual });
  const found: (readonly Finding[])[] = [];

  advance(14_999);
  found.push(await look());
  advance(1);
  expect(await look()).toMatchObject([{ name: 'role-missing', subject: 'indexer', severity: 'error' }]);
  holder = 'upkeep';
  found.push(await look());
  holder = undefined;
  advance(14_999);
  found.push(await look());
  expect(found).toEqual([[], [], []]);
  advance(1);
  expect(await look()).toMatchObject([{ subject: 'indexer' }]);
});

test('a role whose living holder does not beat is told after 15 s', async () => {
  const { monotonicMs, advance } = clockOf();
  const roles = async () => [{ role: 'indexer', holder: 'upkeep', beats: 7 }];
  const { look } = checkRoles({ roles, monotonicMs, startedAtMs: 0, ...usual });

  expect(await look()).toEqual([]);
  advance(15_000);

  expect(await look()).toMatchObject([
    {
      name: 'role-missing',
      subject: 'indexer',
      sentence: 'upkeep has the role indexer and stands still: what is pushed and crawled is not found',
      command: 'kill -9 the process "upkeep" of fossick ps (it is started again)',
    },
  ]);
});

test('a full disk, on which no role can be kept, is not told as a role without a process', async () => {
  const { monotonicMs, advance } = clockOf();
  let hasRoom = false;
  const roles = async () => [{ role: 'indexer', holder: undefined, beats: 7 }];
  const { look } = checkRoles({ ...usual, roles, monotonicMs, startedAtMs: 0, canStore: async () => hasRoom });
  advance(60_000);

  expect(await look()).toEqual([]);
  hasRoom = true;
  advance(14_999);
  expect(await look()).toEqual([]);
  advance(1);
  expect(await look()).toMatchObject([{ name: 'role-missing', subject: 'indexer' }]);
});

test.each([
  [100 * GIGABYTE, []],
  [5 * GIGABYTE, []],
  [4.9 * GIGABYTE, ['disk-low']],
  [16 * 2 ** 20 - 1, ['disk-full']],
])('a disk of 100 GB with %d bytes free gives %j', async (freeBytes, found) => {
  const { look } = checkDisk({ diskSpace: async () => ({ freeBytes, totalBytes: 100 * GIGABYTE }), dataDir: 'data' });

  expect((await look()).map(({ name }) => name)).toEqual(found);
});

test.each([
  [{ hasBrowser: true, isCrawling: true }, []],
  [{ hasBrowser: false, isCrawling: false }, []],
  [{ hasBrowser: false, isCrawling: true }, ['npm run setup (or set CHROMIUM_PATH)']],
])('with %j the browser gives %j', async ({ hasBrowser, isCrawling }, commands) => {
  const { look } = checkBrowser({ hasBrowser: async () => hasBrowser, isCrawling: async () => isCrawling });

  expect((await look()).map(({ command }) => command)).toEqual(commands);
});

test('an alert target that takes no messages is told with the command that tests it', async () => {
  const { look } = checkAlertTargets({ failing: async () => [{ id: 10, name: 'chat', problem: '500 Down' }] });

  expect(await look()).toMatchObject([
    {
      name: 'alert-target-failing',
      subject: 'alert target 10',
      command: expect.stringContaining('fossick alert test 10'),
    },
  ]);
});

test('a process that is started again three times within ten minutes is told with its last cause', async () => {
  const { monotonicMs, advance } = clockOf();
  let restarts = 0;
  const children = () => [{ name: 'redis', restarts, lastCause: 'it was ended by SIGKILL' }];
  const { look } = checkChildren({ children, monotonicMs });
  await look();
  for (restarts = 1; restarts < 3; restarts++) {
    advance(240_000);
    expect(await look()).toEqual([]);
  }

  advance(1_000);
  expect(await look()).toMatchObject([{ name: 'process-restarts', subject: 'redis' }]);
  advance(600_000);
  expect(await look()).toEqual([]);
});

test('search threads that are replaced three times within ten minutes are told with the engine', async () => {
  const { monotonicMs, advance } = clockOf();
  let count = 5;
  const { look } = checkSearchThreads({ replacedThreads: () => ({ count, engineId: 6 }), monotonicMs });
  const found: number[] = [];
  for (; count <= 8; count++) found.push((await look()).length);
  count = 8;

  expect(found).toEqual([0, 0, 0, 1]);
  expect(await look()).toMatchObject([{ name: 'search-stuck', subject: 'engine 6' }]);
  advance(600_000);
  expect(await look()).toEqual([]);
});

test('a folder of Redis that was set aside is told until it is removed', async () => {
  let folder: string | undefined = 'data/redis.bad';
  const { look } = checkRedisFolder({ folderSetAside: async () => folder });

  expect(await look()).toMatchObject([
    { name: 'redis-folder', command: 'rm -r data/redis.bad (when nobody wants to know what damaged it)' },
  ]);
  folder = undefined;
  expect(await look()).toEqual([]);
});

test('a Redis that is away is told with what ended it', async () => {
  const { look } = checkRedis({
    redisRoundTripMs: () => Promise.reject(new Error('closed')),
    isPrivate: true,
    lastCause: () => 'there is no redis-server',
  });

  expect(await look()).toMatchObject([
    { name: 'redis-down', sentence: expect.stringContaining('its last end: there is no redis-server') },
  ]);
});

test('a finding begins once and ends after two looks without it', () => {
  const changesOf = createFindingHistory();

  expect(changesOf([lowDisk], 1_000)).toMatchObject({ begun: [{ ...lowDisk, since: 1_000 }], ended: [] });
  expect(changesOf([lowDisk], 2_000)).toMatchObject({ begun: [], ended: [], open: [{ since: 1_000 }] });
  expect(changesOf([], 3_000)).toMatchObject({ begun: [], ended: [], open: [{ since: 1_000 }] });
  expect(changesOf([lowDisk], 4_000)).toMatchObject({ begun: [], ended: [] });
  expect(changesOf([], 5_000).ended).toEqual([]);
  expect(changesOf([], 6_000)).toMatchObject({ begun: [], ended: [{ name: 'disk-low' }], open: [] });
});

test.each([
  ['set back by an hour a minute ago', -3_600_000, 60_000, 1],
  ['set forward by ten minutes', 600_000, 0, 1],
  ['moved by four minutes', -240_000, 0, 0],
  ['set back by an hour an hour ago', -3_600_000, 3_600_000, 0],
])('a clock that was %s', async (_name, byMs, agoMs, told) => {
  const now = 10 * 3_600_000;
  const clockJumps = async () => [{ seenAt: now - agoMs, byMs }];

  const found = await checkClock({ clockJumps, clock: { now: () => now } }).look();

  expect(found).toHaveLength(told);
  for (const { command, sentence } of found)
    expect(`${sentence} ${command}`).toMatch(/set (back|forward) by \d+ minutes.*timedatectl/);
});

describe('a look at many in rounds', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

  test.each([
    [50, 1],
    [100, 1],
    [1_000, 10],
    [5_000, 10],
  ])('of %d comes to each of them once in %d looks', async (count, looks) => {
    const looked: number[] = [];
    const look = inRounds<{ id: number }>(async ({ id }) => {
      looked.push(id);
      return [];
    });
    for (let done = 0; done < looks; done++) await look(items(count));

    expect(looked).toEqual(items(count).map(({ id }) => id));
  });

  test('keeps what was found, looks at that each time, and forgets what is gone', async () => {
    const broken = new Set([5, 450]);
    const looked: number[] = [];
    const look = inRounds<{ id: number }>(async ({ id }) => {
      looked.push(id);
      return broken.has(id) ? [finding('run-failed', { ...lowDisk, subject: `crawler ${id}` })] : [];
    });
    for (let done = 0; done < 5; done++) await look(items(1_000));
    expect(looked.filter((id) => id === 5)).toHaveLength(5);

    broken.delete(5);
    expect((await look(items(1_000))).map(({ subject }) => subject)).toEqual(['crawler 450']);
    expect(await look(items(400))).toEqual([]);
  });
});
