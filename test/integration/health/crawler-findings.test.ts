import { expect, test } from 'vitest';
import { createCrawlerFaults } from '../../../src/crawl/crawler-status.ts';
import { checkCrawlers } from '../../../src/health/crawler-checks.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { freePort } from '../../helpers/processes.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

type Crawl = Awaited<ReturnType<typeof openCrawl>>;
const MANUAL = { schedule: { full: 'manual', incremental: 'manual' } };

/** Looks at the one crawler, as the api does; answers name and command of what is found. */
function lookAt(crawl: Crawl): () => Promise<readonly (readonly [string, string])[]> {
  const { look } = checkCrawlers({
    activeCrawlers: async () => [await crawl.crawler()].filter(({ active }) => active),
    faultsOf: createCrawlerFaults(crawl.lookDeps),
  });
  return async () => (await look()).map(({ name, command }) => [name, command] as const);
}

test.each([['obey'], ['ignore']])(
  'a name that does not exist is told, robots %s, until the seed is right',
  async (robots) => {
    await using site = await startSiteServer({ '/': page('Home') });
    await using crawl = await openCrawl({ ...MANUAL, seeds: ['http://wrong.example/'], robots });
    const look = lookAt(crawl);
    await crawl.crawl();

    expect(await look()).toEqual([['host-unknown', "fossick crawler set 17 'seeds=[…]'"]]);
    await crawl.change({ ...MANUAL, seeds: [`${site.origin}/`], robots });
    expect(await look()).toEqual([]);
  },
);

test('a host where nobody listens is told until it answers or the crawler is given up', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await using crawl = await openCrawl({ ...MANUAL, seeds: [`${origin}/`] });
  const look = lookAt(crawl);
  await crawl.crawl();

  expect(await look()).toEqual([['host-down', `fossick crawler release-host 17 ${origin}`]]);
  await crawl.deactivate();
  expect(await look()).toEqual([]);
});

test('a host that is held for its rate is told until it is released', async () => {
  const limited = { status: 429, headers: { 'retry-after': '600' } };
  await using site = await startSiteServer({ '/': limited, '/a': limited });
  await using crawl = await openCrawl({ ...MANUAL, seeds: [`${site.origin}/`, `${site.origin}/a`] });
  const look = lookAt(crawl);
  await crawl.crawl();

  expect(await look()).toEqual([['host-held', `fossick crawler release-host 17 ${site.origin}`]]);
  await crawl.releaseHost(site.origin);
  expect(await look()).toEqual([]);
});

test.each([
  [{ include: ['/docs/**'] }, "'include=[]'"],
  [{ exclude: ['/start'] }, "'exclude=[…]'"],
  [{ domains: ['other.example'] }, "'domains=[]'"],
])('a seed outside of its own scope is told with %j', async (scope, change) => {
  const settings = { ...MANUAL, seeds: ['https://site.example/start'] };
  await using crawl = await openCrawl({ ...settings, ...scope });
  const look = lookAt(crawl);

  expect(await look()).toEqual([['seed-out-of-scope', `fossick crawler set 17 ${change}`]]);
  await crawl.change(settings);
  expect(await look()).toEqual([]);
});

test('a login that is refused is told until its run goes on', async () => {
  await using site = await startSiteServer({
    '/': page('Home'),
    '/login': { body: '<form method="post" action="/login"><input name="user"><input name="pass" type="password">' },
  });
  const login = {
    url: `${site.origin}/login`,
    fields: { user: 'me', pass: 'expired' },
    success: { cookie: 'session' },
  };
  await using crawl = await openCrawl({ ...MANUAL, seeds: [`${site.origin}/`], login });
  const look = lookAt(crawl);
  await crawl.crawl();

  expect(await look()).toEqual([
    [
      'login-failed',
      'fossick crawler resume 17 (when its login or secret is right again; one that did not change is tried ten minutes after its refusal)',
    ],
  ]);
  await crawl.change({ ...MANUAL, seeds: [`${site.origin}/`] });
  await crawl.resume();
  expect(await look()).toEqual([]);
});

test('removals that wait are told until an operator decides', async () => {
  await using shared = await crawledSite(60);
  for (const path of shared.paths.slice(0, 12)) shared.site.set(path, { status: 404 });
  await shared.round();
  await shared.recheck();
  const { crawl } = shared;
  const look = lookAt(crawl);

  expect(await look()).toEqual([
    ['removals-held', 'fossick crawler removals 17 --groups (then approve-removals or undo-removals)'],
  ]);
  const choice = { action: 'approve', choice: {} } as const;
  await crawl.store.askRemovals({ crawlerId: crawl.crawlerId, ...choice });
  await crawl.store.applyRemovals({ crawlerId: crawl.crawlerId, now: crawl.clock.now(), limit: 100, lookAgainAt: 0 });
  expect(await look()).toEqual([]);
});

test('a site that closed is told with its held removals until it is back', async () => {
  await using shared = await crawledSite(10);
  const { crawl, site, paths } = shared;
  const look = lookAt(crawl);
  for (const path of ['/', ...paths]) site.set(path, { status: 404 });
  await shared.round();

  expect(await look()).toEqual([['site-closed', 'fossick crawler removals 17 --groups']]);
  for (let hours = 0; hours < 36; hours += 3) await shared.recheck();
  expect(await look()).toEqual([
    ['removals-held', 'fossick crawler removals 17 --groups (then approve-removals or undo-removals)'],
    ['site-closed', 'fossick crawler approve-removals 17 --all (if it is closed for good)'],
  ]);
  site.set('/', page('Home', paths));
  for (const path of paths) site.set(path, page(`Page ${path}`));
  crawl.clock.skip(HOUR);
  await shared.round();
  expect(await look()).toEqual([]);
});

test('pages that a run left out are told until the limit has room for them', async () => {
  const settings = { ...MANUAL, limits: { pages: 12 } };
  await using shared = await crawledSite(40, settings);
  const seeds = [`${shared.site.origin}/`];
  const look = lookAt(shared.crawl);

  const [[finding, command = ''] = []] = await look();
  expect([finding, command.replace(/\d+$/, '')]).toEqual(['page-limit', 'fossick crawler set 17 limits.pages=']);
  // Links are told apart by hashes of their addresses, and the port is another one each time.
  expect(Math.abs(Number(/\d+$/.exec(command)?.[0]) - 41)).toBeLessThanOrEqual(2);
  await shared.crawl.change({ ...settings, seeds, limits: { pages: 41 } });
  expect(await look()).toEqual([]);
});

test('a crawler that cannot be read hides no other', async () => {
  const faults = {
    hosts: [],
    seedsOutside: [],
    privateNames: [],
    settings: undefined,
    access: undefined,
    heldRemovals: 3,
    closed: undefined,
    leftPages: undefined,
    failedRun: undefined,
  };
  const { look } = checkCrawlers({
    activeCrawlers: async () => [1, 2].map((id) => ({ id, managedBy: undefined })),
    faultsOf: async ({ id }) => (id === 1 ? Promise.reject(new Error('database disk image is malformed')) : faults),
  });

  expect((await look()).map(({ name, subject }) => [name, subject])).toEqual([
    ['check-failed', 'crawler 1'],
    ['removals-held', 'crawler 2'],
  ]);
});
