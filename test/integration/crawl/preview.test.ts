import { expect, test } from 'vitest';
import { confirmSettings, previewSettings } from '../../../src/crawl/preview-settings.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const signal = new AbortController().signal;
const PATHS = [
  '/',
  '/blog/1',
  '/blog/2',
  '/shop/',
  '/shop',
  '/shop/a?ref=home',
  '/shop/a',
  '/about',
  '/guide.pdf.html',
];

async function openSite() {
  const pages = PATHS.map((path) => [path, page(`Page ${path}`, PATHS)] as const);
  const site = await startSiteServer(Object.fromEntries(pages));
  const crawl = await openCrawl({ seeds: [`${site.origin}/`], duplicates: { exact: 'off' } });
  await crawl.crawl();
  const settings = (more: Readonly<Record<string, unknown>>) => ({
    ...parseCrawlSettings({ seeds: [`${site.origin}/`], duplicates: { exact: 'off' }, ...more }),
  });
  const preview = async (more: Readonly<Record<string, unknown>>) =>
    previewSettings(crawl.sliceDeps, { crawler: await crawl.crawler(), config: settings(more) }, signal);
  const apply = async (more: Readonly<Record<string, unknown>>) => {
    await crawl.change(settings(more));
    for (let runs = 0; runs < 3; runs++) {
      crawl.clock.skip(25 * 3_600_000);
      await crawl.run();
      await crawl.crawl();
    }
    return (await crawl.documents()).map((url) => url.slice(site.origin.length));
  };
  return {
    site,
    crawl,
    settings,
    preview,
    apply,
    [Symbol.asyncDispose]: async () => {
      await crawl[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test.each([
  ['exclude', { exclude: ['/blog/**'] }, ['/blog/1', '/blog/2'], 'excluded: /blog/**'],
  [
    'include',
    { include: ['re:/$', '/about', '/blog/**'] },
    ['/guide.pdf.html', '/shop', '/shop/a', '/shop/a?ref=home'],
    'not-included: re:/$, /about, /blog/**',
  ],
  ['noIndex', { noIndex: ['/about'] }, ['/about'], 'follow-only: /about'],
])('documents that leave by %s are those that were predicted', async (_name, change, leaving, rule) => {
  await using site = await openSite();

  const { leave } = await site.preview(change);
  const left = await site.apply(change);

  expect(leave.documents).toBe(leaving.length);
  expect(leave.byRule.map((each) => each.rule)).toEqual([rule]);
  expect(left).toEqual(PATHS.filter((path) => !leaving.includes(path)).sort());
});

test('URLs that become one are those that were predicted', async () => {
  await using site = await openSite();
  const change = { urlForm: { trailingSlash: 'remove' }, queryParams: { mode: 'drop' } };

  const { merge, leave } = await site.preview(change);
  const left = await site.apply(change);

  const at = (path: string) => `${site.site.origin}${path}`;
  expect(leave.documents).toBe(0);
  expect(merge).toEqual({
    groups: 2,
    samples: [
      { url: at('/shop'), from: [at('/shop/')] },
      { url: at('/shop/a'), from: [at('/shop/a?ref=home')] },
    ],
  });
  expect(left).toEqual(['/', '/about', '/blog/1', '/blog/2', '/guide.pdf.html', '/shop', '/shop/a']);
});

test('URLs that were kept out and may be visited then are counted', async () => {
  await using site = await openSite();
  await site.apply({ exclude: ['/blog/**'] });

  const { enter, leave } = await site.preview({});

  expect(leave.documents).toBe(0);
  expect(enter).toEqual({ urls: 2, samples: ['/blog/1', '/blog/2'].map((path) => `${site.site.origin}${path}`) });
});

test('a change of what is read counts the pages that are read anew', async () => {
  await using site = await openSite();

  expect((await site.preview({ language: 'en' })).revisit).toBe(PATHS.length);
  expect((await site.preview({})).revisit).toBe(0);
});

test('settings that remove documents are saved with the token of their preview, or when it is allowed', async () => {
  await using site = await openSite();
  const crawler = await site.crawl.crawler();
  const config = site.settings({ exclude: ['/blog/**'] });
  const { token } = await site.preview({ exclude: ['/blog/**'] });
  const confirm = (given: string | undefined, allowDelete = false) =>
    confirmSettings(site.crawl.sliceDeps, { crawler, config }, { token: given, allowDelete });

  await expect(confirm(undefined)).rejects.toMatchObject({
    code: 'record.conflict',
    message: expect.stringMatching(/^2 documents would leave/),
  });
  await expect(confirm('another')).rejects.toMatchObject({ code: 'record.conflict' });
  await confirm(token);
  await confirm(undefined, true);
  const harmless = { crawler, config: site.settings({ exclude: ['/nothing/**'], limits: { depth: 3 } }) };
  await confirmSettings(site.crawl.sliceDeps, harmless, { token: undefined, allowDelete: false });
});
