import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { markedNames } from '../../helpers/fetching.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a private address that the operator did not name is refused, also when a domain would allow it', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  const url = `http://a.inside.example:${inside.port}/`;
  await using site = await startSiteServer({ '/': page('Home', [url]) });
  await using crawl = await openCrawl(
    { seeds: [`${site.origin}/`], domains: [site.host, `*.inside.example:${inside.port}`] },
    { names: { 'a.inside.example': ['127.0.0.2'] } },
  );

  await crawl.queue(url);
  await crawl.crawl();

  expect(inside.connections()).toBe(0);
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'private-name' });
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a name that is marked as private may lead to a private address', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  const url = `http://intranet.example:${site.port}/`;
  await using crawl = await openCrawl(
    { seeds: [url], ...markedNames('intranet.example') },
    { names: { 'intranet.example': ['127.0.0.1'] } },
  );

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([url]);
});

test('a queued private address is acknowledged, and the log gives the reason', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: ['http://docs.example/'], domains: ['*.0.0.1', '127.0.0.1:1'] });

  const rows = await crawl.queue(`${site.origin}/`);
  await crawl.crawl();

  expect(rows).toEqual([{ url: `${site.origin}/`, status: 'Ok' }]);
  expect(site.connections()).toBe(0);
  expect((await crawl.lastVisit(`${site.origin}/`))?.reason).toBe('out-of-domain');
});

/** Spellings of 127.0.0.2, where the canary listens, and forms of IPv6 that carry it. */
const SPELLINGS = [
  '127.0.0.2',
  '127.0.0.2.',
  '127.2',
  '2130706434',
  '0x7f000002',
  '0x7f.0.0.2',
  '0177.0.0.2',
  '017700000002',
  '127.0.0.02',
  '127.0.0.%32',
  '１２７.0.0.2',
  '127。0。0。2',
  '[::ffff:127.0.0.2]',
  '[::ffff:7f00:2]',
  '[0:0:0:0:0:ffff:7f00:0002]',
  '[::127.0.0.2]',
  '[::ffff:0:127.0.0.2]',
  '[64:ff9b::127.0.0.2]',
  '[64:ff9b:1::127.0.0.2]',
  '[2002:7f00:2::1]',
  '[2001:0:7f00:2::1]',
  '[2001:0:5db8:d822:0:0:80ff:fffd]',
  '[2001:db8::5efe:7f00:2]',
] as const;

/** What a resolver may answer for a name: every record is judged, and one refused record refuses all. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'a.trick.example': ['127.0.0.2'],
  'b.trick.example': ['93.184.215.14', '127.0.0.2'],
  'c.trick.example': ['::ffff:127.0.0.2'],
  'd.trick.example': ['64:ff9b::7f00:2'],
  'e.trick.example': ['2002:7f00:2::'],
  'f.trick.example': ['2001:0:7f00:2::'],
  'g.trick.example': ['fe80::1%eth0'],
  'h.trick.example': [],
  'i.trick.example': Array.from({ length: 5_000 }, (_, i) => `93.184.${i >> 8}.${i & 255}`),
  'j.trick.example': ['169.254.169.254'],
  'k.trick.example': ['0.0.0.0'],
  'l.trick.example': ['::'],
};

test('no spelling of an address and no answer of a resolver reaches a listener inside, however a page names it', async () => {
  await using canary = await startSiteServer({}, { address: '127.0.0.2' });
  const hosts = [...SPELLINGS, ...Object.keys(ANSWERS), `user@127.0.0.2`, 'user:pass@a.trick.example'];
  const targets = hosts.map((host, index) => `http://${host}:${canary.port}/x${index}`);
  const ways = targets.flatMap((_, index) => [`/redirect-${index}`, `/refresh-${index}`, `/base-${index}`]);
  await using site = await startSiteServer({
    '/': page('Home', [...targets, ...ways]),
    ...Object.fromEntries(
      targets.flatMap((target, index) => [
        [`/redirect-${index}`, { status: 302, headers: { location: encodeURI(target) } }],
        [`/refresh-${index}`, page('Refresh', [], `<meta http-equiv="refresh" content="0; url=${target}">`)],
        [`/base-${index}`, page('Base', ['below'], `<base href="${target}/">`)],
      ]),
    ),
  });
  await using crawl = await openCrawl(
    { seeds: [`${site.origin}/`], domains: [site.host, `*.trick.example:${canary.port}`] },
    { names: ANSWERS },
  );

  await crawl.queue(...targets);
  await crawl.crawl();

  expect(canary.connections()).toBe(0);
  expect(site.requests.length).toBeGreaterThan(ways.length);
  const reasons = await Promise.all(
    Object.keys(ANSWERS).map(async (name) => {
      const place = hosts.indexOf(name);
      return [name, (await crawl.lastVisit(targets[place] ?? ''))?.reason];
    }),
  );
  const markable = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}.trick.example`);
  expect(reasons).toEqual(
    Object.keys(ANSWERS).map((name) => [name, markable.includes(name) ? 'private-name' : 'blocked-address']),
  );
});
