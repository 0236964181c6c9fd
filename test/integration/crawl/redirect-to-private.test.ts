import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

test('a redirect into a private network is not followed, in scope or out of it', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({
    '/': page('Home', ['/out', '/in', '/metadata']),
    '/out': redirectTo(`${inside.origin}/`),
    '/in': redirectTo(`http://a.inside.example:${inside.port}/`),
    '/metadata': redirectTo('http://metadata.inside.example/latest/meta-data/'),
  });
  await using crawl = await openCrawl(
    {
      seeds: [`${site.origin}/`],
      domains: [site.host, `*.inside.example:${inside.port}`, '*.inside.example'],
      robots: 'ignore',
    },
    { names: { 'a.inside.example': ['127.0.0.2'], 'metadata.inside.example': ['169.254.169.254'] } },
  );

  await crawl.crawl();

  const reasonOf = async (path: string) => (await crawl.lastVisit(site.origin + path))?.reason;
  expect(inside.connections()).toBe(0);
  expect(await reasonOf('/out')).toBe('redirected-out');
  expect(await reasonOf('/in')).toBe('private-name');
  expect(await reasonOf('/metadata')).toBe('blocked-address');
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a robots.txt that leads inside is as one that is missing, and nothing inside is asked', async () => {
  await using inside = await startSiteServer({}, { address: '127.0.0.2' });
  await using site = await startSiteServer({
    '/': page('Home'),
    '/robots.txt': redirectTo(`${inside.origin}/robots.txt`),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(inside.connections()).toBe(0);
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});
