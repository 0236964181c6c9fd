import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

test('pages that are nearly the same are reported with their cause, and kept', async () => {
  const text = `${ownText(1)} ${ownText(2)} ${ownText(3)}`;
  await using site = await startSiteServer({
    '/': html('Home', ownText(7), ['/returns', '/returns?view=print', '/other']),
    '/returns': html('Returns', text),
    '/returns?view=print': html('Returns', `${text} Printed.`),
    '/other': html('Other', ownText(5)),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(4);
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  const summary = JSON.parse(run?.summary ?? '{}');
  expect(summary.duplicates.near).toEqual({
    groups: 1,
    shown: [
      {
        kept: `${site.origin}/returns`,
        size: 2,
        urls: [`${site.origin}/returns?view=print`],
        cause: 'parameter view',
        setting: { setting: 'queryParams.strip', value: 'view' },
      },
    ],
  });
});

test('the end of a run collapses copies that were visited at the same time, and offers a setting', async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/pages/about-${n}`);
  await using site = await startSiteServer({
    '/': html(
      'Home',
      ownText(99),
      paths.flatMap((path) => [path, `${path}/`]),
    ),
    ...Object.fromEntries(
      paths.flatMap((path, n) => [
        [path, html('Page', ownText(n))],
        [`${path}/`, html('Page', ownText(n))],
      ]),
    ),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', ...paths.toSorted()].map((path) => site.origin + path));
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  const summary = JSON.parse(run?.summary ?? '{}');
  expect(summary.duplicates).toMatchObject({ exact: 20 });
  expect(summary.proposals).toEqual([{ setting: 'urlForm.trailingSlash', value: 'remove', duplicates: 20 }]);
});

test('a page that its folder and its index file answer with is one document', async () => {
  await using site = await startSiteServer({
    '/': html('Home', ownText(1), ['/other']),
    '/index.html': html('Home', ownText(1), ['/other']),
    '/other': html('Other', ownText(5)),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`, `${site.origin}/index.html`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/other`]);
});
