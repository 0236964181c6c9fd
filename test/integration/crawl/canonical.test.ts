import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;

test('a canonical link makes the page an alias; the document is made from the own answer of its target', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/item?view=print']),
    '/item': page('Item', [], canonical('/item')),
    '/item?view=print': page('Item in print', ['/linked'], canonical('/item')),
    '/linked': page('Linked'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/item', '/linked'].map((path) => `${site.origin}${path}`));
  const found = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/item`);
  expect(found?.fields.get('Title')).toEqual(['Item']);
});

test('a canonical link of another site, or to a page that names this one, changes nothing', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a'], canonical('https://elsewhere.example/')),
    '/a': page('Alpha', [], canonical('/b')),
    '/b': page('Beta', [], canonical('/a')),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);
});

test('a page that names one of another site is kept and counted, or left out as the setting says', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': page('Alpha', [], canonical('https://elsewhere.example/a')),
  });
  await using keeps = await openCrawl({ seeds: [`${site.origin}/`] });
  await using skips = await openCrawl({ seeds: [`${site.origin}/`], crossHostCanonical: 'skip' });

  await keeps.crawl();
  await skips.crawl();

  const reasonOf = async (crawl: typeof keeps) =>
    (await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/a`))?.facts.reason;
  expect(await keeps.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
  expect(await skips.documents()).toEqual([`${site.origin}/`]);
  expect(await reasonOf(keeps)).toBe('canonical-elsewhere');
  expect(await reasonOf(skips)).toBe('canonical-elsewhere');
});

test('a chain of three is followed to its end', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/b', '/c']),
    '/a': page('Alpha', [], canonical('/b')),
    '/b': page('Beta', [], canonical('/c')),
    '/c': page('Gamma'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/c`]);
});
