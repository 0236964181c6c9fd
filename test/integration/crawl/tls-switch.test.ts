import { expect, test } from 'vitest';
import { crawlerStatus } from '../../../src/crawl/crawler-status.ts';
import { beginRun } from '../../../src/crawl/start-run.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { markedNames } from '../../helpers/fetching.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../../helpers/secure-site.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const NAMES = { 'site.example': ['127.0.0.1'] };
const MARKED = markedNames('site.example');

test.each([
  ['a certificate of nobody known is refused', { verify: true }, 'tls', 0],
  ['a root of the crawler is trusted', { ca: [SITE_CERTIFICATE] }, 'new', 1],
  ['without verification everything is taken', { verify: false }, 'new', 1],
])('%s', async (_name, tls, reason, documents) => {
  await using site = await startSecureSite({ '/': page('Home') });
  const url = `https://site.example:${site.port}/`;
  await using crawl = await openCrawl({ seeds: [url], tls, robots: 'ignore', ...MARKED }, { names: NAMES });

  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ reason });
  expect(await crawl.documents()).toHaveLength(documents);
});

test('the switch works within a run, and connections of the other setting are not used again', async () => {
  await using site = await startSecureSite({ '/': page('Home') });
  const settings = { seeds: [`https://site.example:${site.port}/`], robots: 'ignore', ...MARKED };
  await using crawl = await openCrawl({ ...settings, tls: { verify: false } }, { names: NAMES });
  const [url = ''] = settings.seeds;
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([url]);

  await crawl.change({ ...settings, tls: { verify: true } });
  await crawl.queue(url);
  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'tls' });
  expect(await crawl.documents()).toEqual([url]);
});

test('a run without verification says so in the log once, and the status of the crawler always', async () => {
  await using crawl = await openCrawl({ seeds: ['https://site.example/'], tls: { verify: false } }, { active: false });
  const logged: unknown[] = [];
  const log = Object.assign(Object.create(silentLog), { warn: (fields: unknown) => logged.push(fields) });
  await crawl.activate();
  const { clock, store } = crawl;
  const { engineStores } = crawl.sliceDeps;
  const deps = { engineStores, clock, log };
  const [run] = await store.livingRuns();

  for (let time = 0; time < 2; time++) {
    await beginRun(deps, { store, crawler: await crawl.crawler(), runId: run?.id ?? 0 });
  }

  const warning = expect.stringMatching(/^tls\.verify is off/);
  expect(logged).toEqual([{ crawlerId: crawl.crawlerId, runId: run?.id, warning }]);
  expect((await crawlerStatus(crawl.lookDeps, await crawl.crawler())).warnings).toEqual([warning]);
});
