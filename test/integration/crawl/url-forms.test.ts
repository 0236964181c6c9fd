import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('forms of one URL that the operator names are one page', async () => {
  const links = ['/a/', '/a', '/b/index.html', '/b/', '/c?y=2&x=1', '/c?x=1&y=2', '/d#part'];
  await using site = await startSiteServer({
    '/': page('Home', links),
    ...Object.fromEntries(['/a', '/b', '/c?x=1&y=2', '/d'].map((path) => [path, page(`Page ${path}`)])),
  });
  const urlForm = { trailingSlash: 'remove', indexFiles: 'strip', sortQuery: true };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], urlForm });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/b', '/c?x=1&y=2', '/d'].map((path) => `${site.origin}${path}`));
});

test('by default nothing is rewritten that the server may tell apart, and fragments of scripts may be kept', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/a/', '/A', '/app#!/one', '/app#two']),
    '/app': page('App'),
  });
  for (const path of ['/a', '/a/', '/A']) site.set(path, page(`Page ${path}`));
  const visited = async (urlForm: object) => {
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], urlForm, duplicates: { exact: 'off' } });
    await crawl.crawl();
    return (await crawl.documents()).map((url) => url.slice(site.origin.length));
  };

  expect(await visited({})).toEqual(['/', '/A', '/a', '/a/', '/app']);
  expect(await visited({ fragment: 'hashbang' })).toContain('/app#!/one');
});
