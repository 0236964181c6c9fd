import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { markedNames } from '../../helpers/fetching.ts';
import { startProxyServer } from '../../helpers/proxy-server.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../../helpers/secure-site.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

const NAMES = { 'site.example': ['127.0.0.1'] };
const MARKED = markedNames('site.example');

test('an http site is read through the proxy and never directly', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha') });
  await using proxy = await startProxyServer();
  const origin = `http://site.example:${site.port}`;
  await using crawl = await openCrawl(
    { seeds: [`${origin}/`], ...MARKED, proxy: `http://${proxy.host}` },
    { names: NAMES },
  );

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${origin}/`, `${origin}/a`]);
  expect([...proxy.asked].sort()).toEqual(['/', '/a', '/robots.txt'].map((path) => `GET ${origin}${path}`));
  expect(site.requests).toHaveLength(3);
  expect(new Set(site.requests.map(({ headers }) => headers.host))).toEqual(new Set([`site.example:${site.port}`]));
});

test('an https site is read through a tunnel, which the proxy opens for the password it was promised', async () => {
  await using site = await startSecureSite({ '/': page('Home') });
  await using proxy = await startProxyServer();
  const url = `https://site.example:${site.port}/`;
  await using crawl = await openCrawl(
    { seeds: [url], ...MARKED, proxy: `http://me:p%40ss@${proxy.host}`, tls: { ca: [SITE_CERTIFICATE] } },
    { names: NAMES },
  );

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([url]);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT site.example:${site.port}`]));
  expect(proxy.authorizations[0]).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  expect(site.names[0]).toBe('site.example');
});

test('the gate judges the target before the proxy is asked', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  await using proxy = await startProxyServer();
  const url = `http://a.inside.example:${inside.port}/`;
  await using crawl = await openCrawl(
    {
      seeds: ['http://site.example:8080/'],
      domains: [`*.inside.example:${inside.port}`],
      proxy: `http://${proxy.host}`,
      robots: 'ignore',
    },
    { names: { 'a.inside.example': ['127.0.0.2'] }, active: true },
  );

  await crawl.queue(url);
  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ reason: 'private-name' });
  expect(proxy.asked).toEqual([]);
});

test('a redirect through the proxy into a private network is not followed', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({ '/': redirectTo(`http://b.inside.example:${inside.port}/`) });
  await using proxy = await startProxyServer();
  const url = `http://site.example:${site.port}/`;
  await using crawl = await openCrawl(
    {
      seeds: [url],
      ...MARKED,
      domains: [`site.example:${site.port}`, `*.inside.example:${inside.port}`],
      proxy: `http://${proxy.host}`,
      robots: 'ignore',
    },
    { names: { ...NAMES, 'b.inside.example': ['127.0.0.2'] } },
  );

  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ reason: 'private-name' });
  expect(proxy.asked).toEqual([`GET ${url}`]);
});

test.each(['http', 'https'])(
  'a proxy that refuses an %s site is a failed visit, not a removed page',
  async (scheme) => {
    await using proxy = await startProxyServer({ refuses: true });
    const url = `${scheme}://site.example:8443/`;
    await using crawl = await openCrawl(
      { seeds: [url], ...MARKED, proxy: `http://${proxy.host}`, robots: 'ignore' },
      { names: NAMES },
    );

    await crawl.crawl();

    const expected = scheme === 'http' ? { reason: 'forbidden', httpStatus: 407 } : { reason: 'refused' };
    expect(await crawl.lastVisit(url)).toMatchObject(expected);
  },
);
