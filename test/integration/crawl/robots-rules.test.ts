import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const robots = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });

const PAGES = {
  '/': page('Home', ['/open', '/closed/a', '/closed/but']),
  '/open': page('Open'),
  '/closed/a': page('Closed'),
  '/closed/but': page('Allowed'),
};

test('what robots.txt forbids is not fetched, and the log names the line', async () => {
  await using site = await startSiteServer({
    ...PAGES,
    '/robots.txt': robots('User-agent: *\nDisallow: /closed/\nAllow: /closed/but\n'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/closed/but', '/open'].map((path) => `${site.origin}${path}`));
  expect(site.count('/closed/a')).toBe(0);
  const visit = await crawl.lastVisit(`${site.origin}/closed/a`);
  expect(visit).toMatchObject({ outcome: 'skipped', reason: 'robots' });
  expect(JSON.parse(visit?.detail ?? '{}')).toEqual({ rule: 'Disallow: /closed/', line: 2 });
});

test('a group of its own counts instead of the general one', async () => {
  await using site = await startSiteServer({
    ...PAGES,
    '/robots.txt': robots('User-agent: *\nDisallow: /\n\nUser-agent: fossickbot\nDisallow: /open\n'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/closed/a', '/closed/but'].map((path) => `${site.origin}${path}`));
});

test('an operator may ignore robots.txt of their own site', async () => {
  await using site = await startSiteServer({ ...PAGES, '/robots.txt': robots('User-agent: *\nDisallow: /\n') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], robots: 'ignore' });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(4);
  expect(site.count('/robots.txt')).toBe(0);
});

test('a new Disallow leaves the document', async () => {
  await using site = await startSiteServer(PAGES);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.crawl();
  site.set('/robots.txt', robots('User-agent: *\nDisallow: /open\n'));
  crawl.clock.skip(25 * 3_600_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toContain(`${site.origin}/open`);
  expect(await crawl.lastVisit(`${site.origin}/open`)).toMatchObject({ outcome: 'skipped', reason: 'robots' });
});

test('of a robots.txt of 5 MB the start is read and kept, and the crawl goes on', async () => {
  const long = `User-agent: *\nDisallow: /private\n${'# filler\n'.repeat(560_000)}Disallow: /late\n`;
  await using site = await startSiteServer({
    '/robots.txt': { body: long },
    '/': page('Home', ['/private', '/late']),
    '/private': page('Private'),
    '/late': page('Late'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/late`]);
  const { robots } = await crawl.store.ensureHost(crawl.crawlerId, site.origin);
  expect(robots?.body?.length).toBeLessThan(512 * 1024);
});
