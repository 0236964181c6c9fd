import { Queue } from 'bullmq';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

/** The crawl with its roles, and the queue in which schedules wait. */
async function openScheduled(schedule: Readonly<Record<string, string>>) {
  const site = await startSiteServer({ '/': slow(300, page('Home')) });
  const settings = { seeds: [`${site.origin}/`], timezone: 'Europe/Rome' };
  const crawl = await openCrawl({ ...settings, schedule }, { active: false });
  const upkeep = new Queue('upkeep', { connection: crawl.redis.control, prefix: '{fossick}' });
  const roles = await crawl.startRoles();
  return {
    site,
    crawl,
    change: (changed: Readonly<Record<string, string>>) => crawl.change({ ...settings, schedule: changed }),
    schedulers: async () => {
      const found = await upkeep.getJobSchedulers();
      return found.map(({ key, pattern, every, tz }) => [key, pattern ?? Number(every), tz]).sort();
    },
    /** Lets the time of a schedule come. */
    fire: async (kind: string) => {
      const due = (await upkeep.getDelayed()).find(({ data }) => data.run === kind);
      await due?.promote();
      return due?.id;
    },
    runs: async () =>
      (await crawl.store.scheduledRuns(17, 10)).map(({ kind, startedBy, state }) => [kind, startedBy, state]),
    [Symbol.asyncDispose]: async () => {
      await roles[Symbol.asyncDispose]();
      await upkeep.close();
      await crawl[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('schedules follow the settings and the activation of their crawler', async () => {
  await using shared = await openScheduled({ full: '15 3 * * *', incremental: 'every 6h' });
  const { crawl, schedulers, change } = shared;
  expect(await schedulers()).toEqual([]);

  await crawl.activate();
  await eventually(async () => (await schedulers()).length === 2, 15_000);
  expect(await schedulers()).toEqual([
    ['full-17', '15 3 * * *', 'Europe/Rome'],
    ['incremental-17', 6 * 3_600_000, undefined],
  ]);

  await change({ full: '45 4 * * *', incremental: 'manual' });
  await eventually(async () => (await schedulers()).length === 1, 15_000);
  expect(await schedulers()).toEqual([['full-17', '45 4 * * *', 'Europe/Rome']]);

  await crawl.deactivate();
  await eventually(async () => (await schedulers()).length === 0, 15_000);
});

test('a schedule starts a run when its time comes, and none while one of its kind lives', async () => {
  await using shared = await openScheduled({ full: '15 3 * * *', incremental: 'manual' });
  const { crawl, runs, fire, schedulers } = shared;
  await crawl.activate();
  await eventually(async () => (await schedulers()).length === 1);
  await eventually(async () => (await runs())[0]?.[2] === 'running');

  // The first run is under way: its page takes a while.
  await fire('full');
  await eventually(async () => (await runs())[0]?.[2] === 'finished', 20_000);
  expect(await runs()).toHaveLength(1);

  await eventually(async () => (await fire('full')) !== undefined);
  await eventually(async () => (await runs()).length === 2, 20_000);
  expect((await runs())[0]?.slice(0, 2)).toEqual(['full', 'schedule']);
});
