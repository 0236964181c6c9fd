import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { Crawler } from '../../../src/core/records.ts';
import { connectProducer, untilConnected } from '../../../src/jobs/connection.ts';
import { createSchedules, createSweep } from '../../../src/jobs/crawl-scheduler.ts';
import { openQueues } from '../../../src/jobs/queues.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const HOUR = 3_600_000;
const RENDER_CONCURRENCY = 3;
const SCHEDULES = 2;
const DAMAGED = 99;
const never = new AbortController().signal;

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

/** A crawler with two schedules, the queues of its installation, and the sweep that keeps them. */
async function openSweep() {
  await using stack = new AsyncDisposableStack();
  const crawl = stack.use(await openCrawl({ seeds: ['https://site.example/'] }));
  const redis = connectProducer(crawl.redis.url, silentLog);
  stack.defer(() => redis.disconnect());
  await untilConnected(redis, 5_000);
  const queues = stack.use(openQueues({ connection: redis, log: silentLog }));
  const { engineStores, hostHolds, clock, log, findCrawler } = crawl.sliceDeps;
  /** Crawlers of other engines. */
  const others: Crawler[] = [];
  const sweepOf = () =>
    createSweep({
      engineStores,
      hostHolds,
      clock,
      log,
      findCrawler,
      redis,
      queues,
      timezone: 'UTC',
      schedules: createSchedules({ upkeep: queues.byName.upkeep, timezone: 'UTC' }),
      listCrawlers: async () => [...others, await crawl.crawler()],
      renderConcurrency: RENDER_CONCURRENCY,
      clockStore: crawl.accounts,
      readIdentity: () => crawl.accounts.identity(),
      isProcessAlive: async () => true,
      monotonicMs: () => performance.now(),
      newId: randomUUID,
    });
  const sweep = sweepOf();
  const owned = stack.move();
  return {
    ...queues.byName,
    crawl,
    others,
    sweep: () => sweep(never),
    /** The first round of another process. */
    sweepAfterRestart: () => sweepOf()(never),
    control: crawl.redis.control,
    /** A round that Redis lets time out, and does late. */
    failedSweep: async () => {
      crawl.redis.freeze();
      await expect(sweep(never)).rejects.toThrow('Command timed out');
      crawl.redis.thaw();
      await eventually(() => redis.exists('{fossick}:epoch'));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('the limit of rendering holds although the first round failed', async () => {
  await using opened = await openSweep();
  await opened.failedSweep();

  await opened.sweep();

  expect(await opened.render.getGlobalConcurrency()).toBe(RENDER_CONCURRENCY);
});

test('an emptied Redis is filled again although the round that saw it failed', async () => {
  await using opened = await openSweep();
  await opened.sweep();
  await opened.control.flushall();
  await opened.failedSweep();

  await opened.sweep();

  expect(await opened.upkeep.getJobSchedulersCount()).toBe(2);
  expect(await opened.render.getGlobalConcurrency()).toBe(RENDER_CONCURRENCY);
});

test('an engine whose store cannot be used keeps no other from its turn', async () => {
  await using opened = await openSweep();
  const { crawl, others } = opened;
  const crawler = await crawl.crawler();
  const file = storePath(crawl.dataDir, { kind: 'engine', engineId: DAMAGED });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, 'This is no database. '.repeat(1_000));
  others.push({ ...crawler, id: DAMAGED, engineId: DAMAGED });
  await opened.sweep();
  const lastRound = 60;

  for (let round = 2; round <= lastRound; round++) await opened.sweep();

  expect(await opened.upkeep.getJobSchedulersCount()).toBe(SCHEDULES);
});

test('a clock that was set back while nobody ran delays neither what waits in the store nor what Redis keeps', async () => {
  await using opened = await openSweep();
  const { crawl, control } = opened;
  crawl.clock.skip(HOUR);
  await crawl.queue('https://site.example/queued');
  await opened.sweep();
  await control.set('{fossick}:crawl:slice-1:lock', 'of a dead process', 'PX', HOUR);

  crawl.clock.skip(-HOUR);
  await opened.sweepAfterRestart();

  const now = crawl.clock.now();
  const asked = { crawlerId: 17, activation: 1, stage: 'page', maxPriority: 3, after: 0, limit: 10, now } as const;
  expect((await crawl.store.hostsWithWork(asked)).filter(({ dueAt }) => dueAt > now)).toEqual([]);
  expect(await control.exists('{fossick}:crawl:slice-1:lock')).toBe(0);
  expect(await opened.upkeep.getJobSchedulersCount()).toBe(2);
  expect(await opened.now.getJobCountByTypes('waiting', 'prioritized')).toBe(1);
});

test.each([
  ['the installation', (crawl: Crawl) => crawl.accounts.startEpoch()],
  ['an engine', (crawl: Crawl) => crawl.store.startEpoch()],
])('what Redis holds for an earlier store of %s is given up at the next start', async (_name, restore) => {
  await using opened = await openSweep();
  const { crawl, control } = opened;
  await crawl.queue('https://site.example/queued');
  await opened.sweep();
  await control.set('{fossick}:crawl:slice-1:lock', 'of a job for rows that are gone');
  await opened.sweepAfterRestart();
  expect(await control.exists('{fossick}:crawl:slice-1:lock')).toBe(1);
  await restore(crawl);

  await opened.sweepAfterRestart();

  expect(await control.exists('{fossick}:crawl:slice-1:lock')).toBe(0);
  expect(await opened.upkeep.getJobSchedulersCount()).toBe(SCHEDULES);
  expect(await opened.now.getJobCountByTypes('waiting', 'prioritized')).toBe(1);
});

test('an engine that is new takes nothing from the others', async () => {
  await using opened = await openSweep();
  const { crawl, control, others } = opened;
  await opened.sweep();
  await control.set('{fossick}:crawl:slice-1:lock', 'of a job that works');
  others.push({ ...(await crawl.crawler()), id: 18, engineId: 2 });

  await opened.sweepAfterRestart();
  await opened.sweepAfterRestart();

  expect(await control.exists('{fossick}:crawl:slice-1:lock')).toBe(1);
});
