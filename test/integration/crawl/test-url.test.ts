import { expect, test } from 'vitest';
import { testUrl } from '../../../src/crawl/test-url.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, type SiteServer, startSiteServer } from '../../helpers/site-server.ts';

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

const signal = new AbortController().signal;

const SITE = {
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed/\n' },
  '/': page('Home', ['/in', '/private/x', 'http://elsewhere.test/']),
  '/in': page('In'),
  '/moved': redirectTo('/in'),
  '/noindex': page('Hidden', [], '<meta name="robots" content="noindex">'),
  '/missing': { status: 404 },
};

async function open(site: SiteServer) {
  return openCrawl({ seeds: [`${site.origin}/`], exclude: ['/private/**'] });
}

async function trial(crawl: Crawl, url: string, config?: Readonly<Record<string, unknown>>) {
  const crawler = await crawl.crawler();
  return testUrl(crawl.sliceDeps, { crawler: config ? { ...crawler, config } : crawler, url }, signal);
}

test('a page is read as a visit would, with fields, links and what scope says to them', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);

  const tried = await trial(crawl, `${site.origin}/`);

  expect(tried).toMatchObject({
    reason: 'new',
    outcome: 'added',
    fetch: { status: 200, finalUrl: `${site.origin}/`, bodyBytes: expect.any(Number) },
    http: { status: 'ok', kind: 'PageContent', language: 'en' },
    diff: undefined,
  });
  expect(tried.fetch?.headers.get('content-type')).toMatch(/^text\/html/);
  expect(tried.http?.fields).toContainEqual({ name: 'Title', values: ['Home'], source: expect.any(String) });
  expect(tried.http?.links.map(({ url, inScope, reason, rule }) => [url, inScope, reason, rule])).toEqual([
    [`${site.origin}/in`, true, undefined, undefined],
    [`${site.origin}/private/x`, false, 'excluded', '/private/**'],
    ['http://elsewhere.test/', false, 'out-of-domain', expect.any(String)],
  ]);
});

test('nothing of it is stored', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] }, { active: false });

  await trial(crawl, `${site.origin}/`);

  expect(await crawl.documents()).toEqual([]);
  expect(await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/`)).toBeUndefined();
  expect(await crawl.store.findHostOf(crawl.crawlerId, site.origin)).toBeUndefined();
  expect(await crawl.store.listVisits({ crawlerId: crawl.crawlerId, limit: 10 })).toEqual([]);
});

test('the stored document is compared field by field', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);
  await crawl.crawl();
  expect((await trial(crawl, `${site.origin}/in`)).diff).toEqual([]);
  site.set('/in', page('Inside'));

  const { diff, reason } = await trial(crawl, `${site.origin}/in`);

  expect(reason).toBe('content-changed');
  expect(diff?.map(({ field }) => field)).toContain('Title');
  expect(diff?.find(({ field }) => field === 'Title')).toEqual({
    field: 'Title',
    change: 'changed',
    lines: ['- In', '+ Inside'],
  });
});

test.each([
  ['/private/x', 'excluded', 'scope'],
  ['/closed/x', 'robots', 'robots'],
  ['/noindex', 'noindex', 'directives'],
  ['/missing', 'not-found', 'fetch'],
  ['/moved', 'redirect', 'canonical'],
])('%s ends with %s at the step %s', async (path, reason, step) => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);

  const tried = await trial(crawl, `${site.origin}${path}`);

  expect(tried).toMatchObject({ reason, diff: undefined });
  expect(tried.steps.find(({ result }) => result === 'stop')).toMatchObject({ step, reason });
  if (path === '/moved')
    expect(tried.redirects).toEqual([{ from: `${site.origin}/moved`, to: `${site.origin}/in`, status: 302 }]);
  if (step === 'scope' || step === 'robots') expect(site.count(path)).toBe(0);
});

test('settings that are not saved decide', async () => {
  await using site = await startSiteServer({ ...SITE, '/private/x': page('Private') });
  await using crawl = await open(site);

  const tried = await trial(crawl, `${site.origin}/private/x`, { seeds: [`${site.origin}/`], exclude: [] });

  expect(tried).toMatchObject({ reason: 'new', fetch: { status: 200 } });
});

test('blocks, sections and rules tell why the document says what it says', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);
  const fields = [{ name: 'Area', constant: 'North' }];

  const { http } = await trial(crawl, `${site.origin}/`, { seeds: [`${site.origin}/`], content: { fields } });

  expect(http?.blocks.map(({ chosen, kind }) => [chosen, kind])).toContainEqual([true, 'heading']);
  expect(http?.blocks.find(({ text }) => text.startsWith('Link to /in'))).toMatchObject({ chosen: false });
  expect(http?.sections).toMatchObject([{ headings: ['Home'], grounding: true, chars: expect.any(Number) }]);
  expect(http?.rules).toMatchObject([{ path: 'content.fields[0]', outcome: 'used', values: ['North'] }]);
  expect(http?.fields).toContainEqual({ name: 'Area', values: ['North'], source: 'content.fields[0]' });
});

test('a host that is held is told at once, with the cause and the time', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);
  await crawl.sliceDeps.hostHolds.place({
    origin: site.origin,
    url: `${site.origin}/`,
    reason: 'dns-not-found',
    askedMs: undefined,
    now: Date.now(),
    crawlerId: crawl.crawlerId,
    configVersion: 1,
  });

  const tried = await trial(crawl, `${site.origin}/in`);

  expect(tried).toMatchObject({ outcome: undefined, reason: 'dns-not-found', cause: 'The host name does not exist.' });
  expect(tried.steps.at(-1)).toMatchObject({
    step: 'fetch',
    result: 'stop',
    detail: { heldUntil: expect.stringMatching(/Z$/), crawler: crawl.crawlerId },
  });
  expect(site.count('/in')).toBe(0);
});

test('a host without a free slot is waited for until the deadline', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await open(site);
  await crawl.sliceDeps.hostSlots.hold(site.origin, { forMs: 60_000, generation: 1 });
  const crawler = await crawl.crawler();

  const waiting = testUrl(crawl.sliceDeps, { crawler, url: `${site.origin}/` }, AbortSignal.timeout(300));

  await expect(waiting).rejects.toThrow();
  expect(site.count('/')).toBe(0);
});
