import { expect, test } from 'vitest';
import { type ProbeDeps, probeSite, type SiteProbe } from '../../../src/crawl/probe/probe-site.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

const signal = new AbortController().signal;

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

async function probe(crawl: Crawl, url: string, settings = {}, changes: Partial<ProbeDeps> = {}) {
  const deps = { ...crawl.sliceDeps, findPrivateAddresses: async () => [], ...changes };
  const probing = probeSite(deps, { url, settings }, signal);
  const steps: string[] = [];
  for (;;) {
    const { done, value } = await probing.next();
    if (done === true) return { steps, ...(value as SiteProbe) };
    steps.push(value.step);
  }
}

const DEUTSCH = 'Die Bibliothek ist am Montag geschlossen, und am Dienstag öffnet sie um neun Uhr für alle Besucher. ';
const SITE = {
  '/': page(
    'Start',
    ['/docs/a', '/docs/b', '/news/x', 'http://elsewhere.test/'],
    '<meta property="og:site_name" content="Stadtbibliothek">',
  ),
  '/docs/a': { body: `<html lang="de"><title>Über uns</title><h1>Über uns</h1><p>${DEUTSCH.repeat(5)}</p></html>` },
  '/docs/b': {
    body: `<html lang="de"><title>Öffnungszeiten</title><h1>Öffnungszeiten</h1><p>${DEUTSCH.repeat(5)}</p></html>`,
  },
  '/news/x': { body: `<html lang="de"><title>Neues</title><h1>Neues</h1><p>${DEUTSCH.repeat(5)}</p></html>` },
};

test('a site without sitemaps is known by the links of its first page', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  const probed = await probe(crawl, `${site.origin}/`);

  expect(probed).toMatchObject({
    address: `${site.origin}/`,
    problem: undefined,
    sitemaps: [],
    sections: [
      { path: '/docs/', urls: 2 },
      { path: '/news/', urls: 1 },
    ],
    language: 'de',
    siteName: 'Stadtbibliothek',
    needsScripts: false,
    isCut: false,
  });
  expect(probed.pages.map(({ title }) => title).sort()).toEqual(
    ['Neues', 'Stadtbibliothek', 'Öffnungszeiten', 'Über uns'].sort(),
  );
  expect(probed.pages[1]).toMatchObject({
    status: 200,
    language: 'de',
    type: 'PageContent',
    chars: expect.any(Number),
  });
  expect(probed.steps.filter((step) => step === 'page')).toHaveLength(4);
  expect(await crawl.documents()).toEqual([]);
});

test('sitemaps tell sections and pages, ten of which are read, of all sections', async () => {
  await using site = await startSiteServer(SITE);
  const docs = Array.from({ length: 30 }, (_, i) => `${site.origin}/docs/${i}`);
  const urls = [...docs, `${site.origin}/help/x`, `${site.origin}/a.pdf`];
  const xml = `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
  site.set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: `User-agent: *\nDisallow: /docs/3\nSitemap: ${site.origin}/index.xml\n`,
  });
  const index = `<sitemapindex><sitemap><loc>${site.origin}/pages.xml</loc></sitemap></sitemapindex>`;
  site.set('/index.xml', { headers: { 'content-type': 'application/xml' }, body: index });
  site.set('/pages.xml', { headers: { 'content-type': 'application/xml' }, body: xml });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  const probed = await probe(crawl, `${site.origin}/`);

  expect(probed.sitemaps).toEqual([
    { url: `${site.origin}/index.xml`, urls: 0 },
    { url: `${site.origin}/pages.xml`, urls: 32 },
  ]);
  expect(probed.sections).toEqual([
    { path: '/docs/', urls: 30 },
    { path: '/', urls: 1 },
    { path: '/help/', urls: 1 },
  ]);
  expect(probed.pages.length).toBeLessThanOrEqual(10);
  expect(probed.pages.map(({ url }) => url)).toContain(`${site.origin}/help/x`);
  expect(site.count('/docs/3')).toBe(0);
  expect(probed.pages.find(({ url }) => url.endsWith('/docs/0'))).toMatchObject({
    status: 404,
    reason: 'client-error',
  });
});

test.each([
  [
    'sitemap',
    (urls: readonly string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
  ],
  [
    'feed',
    (urls: readonly string[]) =>
      `<rss><channel>${urls.map((url) => `<item><link>${url}</link></item>`).join('')}</channel></rss>`,
  ],
])('an address that is a %s stands for its pages, and is called what they call their site', async (_, listOf) => {
  const named = (title: string) => page(title, [], '<meta property="og:site_name" content="Stadtbibliothek">');
  await using site = await startSiteServer({ '/a': named('Ausleihe'), '/b': named('Besuch'), '/c': page('Café', []) });
  const urls = ['/a', '/b', '/c'].map((path) => site.origin + path);
  site.set('/lists/list.xml', { headers: { 'content-type': 'application/xml' }, body: listOf(urls) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  const probed = await probe(crawl, `${site.origin}/lists/list.xml`, { include: ['/**'] });

  expect(probed).toMatchObject({ problem: undefined, siteName: 'Stadtbibliothek' });
  expect(probed.sitemaps).toEqual([{ url: `${site.origin}/lists/list.xml`, urls: 3 }]);
  expect(probed.pages.map(({ url }) => url).sort()).toEqual(urls);
});

test.each([
  ['no', undefined],
  ['another', 'Museum'],
])('a list of pages that have %s name for their site in common has no name', async (_, other) => {
  const named = (name: string) => page('Besuch', [], `<meta property="og:site_name" content="${name}">`);
  const rest = other === undefined ? page('Besuch', []) : named(other);
  await using site = await startSiteServer({ '/a': named('Stadtbibliothek'), '/b': rest });
  const xml = `<urlset>${['/a', '/b'].map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`;
  site.set('/list.xml', { headers: { 'content-type': 'application/xml' }, body: xml });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  expect(await probe(crawl, `${site.origin}/list.xml`)).toMatchObject({ pages: [{}, {}], siteName: undefined });
});

test('pages of a list that cannot be read have no say in its name', async () => {
  const named = page('Besuch', [], '<meta property="og:site_name" content="Stadtbibliothek">');
  await using site = await startSiteServer({ '/a': named });
  const xml = `<urlset>${['/a', '/gone'].map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('')}</urlset>`;
  site.set('/list.xml', { headers: { 'content-type': 'application/xml' }, body: xml });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  expect(await probe(crawl, `${site.origin}/list.xml`)).toMatchObject({ siteName: 'Stadtbibliothek' });
});

test('an address that leads elsewhere is the one where it led', async () => {
  await using home = await startSiteServer(SITE);
  await using old = await startSiteServer({ '/': redirectTo(`${home.origin}/`) });
  await using crawl = await openCrawl({ seeds: [`${home.origin}/`] }, { privateNetworks: true });

  expect(await probe(crawl, `${old.origin}/`)).toMatchObject({
    address: `${home.origin}/`,
    siteName: 'Stadtbibliothek',
  });
});

test('an address without a scheme is tried both ways', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  expect(await probe(crawl, site.origin.replace('http://', ''))).toMatchObject({ address: `${site.origin}/` });
});

test.each([
  ['nothing.test', { reason: 'dns-not-found', setting: undefined }],
  ['http://127.0.0.1:1/', { reason: 'blocked-port' }],
  ['ftp://files.test/', { reason: 'scheme' }],
  ['not an address', { reason: 'scheme' }],
])('%s is told with its cause', async (url, problem) => {
  await using crawl = await openCrawl({ seeds: [] });

  const probed = await probe(crawl, url);

  expect(probed).toMatchObject({ address: undefined, problem, pages: [] });
  expect(probed.problem?.cause).toMatch(/\.$/);
});

test('a private name comes with the setting that opens it, and is read with it', async () => {
  await using site = await startSiteServer(SITE);
  const { port } = new URL(site.origin);
  await using crawl = await openCrawl({ seeds: [] }, { names: { 'wiki.test': ['127.0.0.1'] } });
  const findPrivateAddresses = async () => ['127.0.0.1'];
  const address = `http://wiki.test:${port}/`;

  const closed = await probe(crawl, address, {}, { findPrivateAddresses });
  const setting = closed.problem?.setting;

  expect(closed.problem).toMatchObject({ reason: 'private-name' });
  expect(setting).toEqual({ privateNames: { 'wiki.test': [expect.stringMatching(/^127\./)] } });
  expect(await probe(crawl, address, setting)).toMatchObject({ address, problem: undefined });
});

test('a site that robots.txt closes is not read, and the setting that opens it is named', async () => {
  await using site = await startSiteServer({
    ...SITE,
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /\n' },
  });
  await using crawl = await openCrawl({ seeds: [] });

  expect(await probe(crawl, `${site.origin}/`)).toMatchObject({
    address: undefined,
    robots: { allowed: false },
    problem: { reason: 'robots', setting: { robots: 'ignore' } },
  });
  expect(site.count('/')).toBe(0);
  expect(await probe(crawl, `${site.origin}/`, { robots: 'ignore' })).toMatchObject({ address: `${site.origin}/` });
});

test('a host that is held is told at once', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  const hostHolds = { ...crawl.sliceDeps.hostHolds, ofHost: () => ({ reason: 'rate-limited' }) as never };

  expect(await probe(crawl, `${site.origin}/`, {}, { hostHolds })).toMatchObject({
    problem: { reason: 'rate-limited' },
  });
  expect(site.count('/')).toBe(0);
});
