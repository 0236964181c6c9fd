import { describe, expect, test } from 'vitest';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import { crawlerStatus, createCrawlerFaults } from '../../../src/crawl/crawler-status.ts';
import { checkCrawlers } from '../../../src/health/crawler-checks.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { HOUR } from '../../helpers/crawled-site.ts';
import { markedNames } from '../../helpers/fetching.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const PUBLIC = '93.184.215.14';

/** What the name server of a site may answer to reach a server beside the crawler. */
const INSIDE: readonly (readonly string[])[] = [
  ['127.0.0.66'],
  ['::ffff:127.0.0.66'],
  ['::ffff:7f00:42'],
  ['64:ff9b::7f00:42'],
  [PUBLIC, '127.0.0.66'],
];

describe('a name that the operator did not mark as private', () => {
  test.each([
    ['plain', (name: string, port: number) => [`${name}:${port}`]],
    ['under a wildcard', (_: string, port: number) => [`*.corp-site.test:${port}`]],
  ])('reaches nothing inside, whatever its name server answers: %s', async (_, domainsOf) => {
    await using inside = await startSiteServer({ '*': page('Inside') }, { address: '127.0.0.66' });
    const name = 'www.corp-site.test';
    const url = `http://${name}:${inside.port}/`;
    const names: Record<string, readonly string[]> = { [name]: [] };
    await using crawl = await openCrawl({ seeds: [url], domains: domainsOf(name, inside.port) }, { names });

    for (const answer of INSIDE) {
      names[name] = answer;
      crawl.clock.skip(61_000);
      await crawl.queue(url, `${url}page`);
      await crawl.crawl();
    }

    expect(inside.connections()).toBe(0);
    expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'private-name' });
    expect(await crawl.documents()).toEqual([]);
    reportFigure('network.names-stay-public', `${INSIDE.length} answers, ${inside.connections()} connections`);
  });
});

test('status and explain name the host that is refused and the command that marks it; its documents stay', async () => {
  await using inside = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': page('Alpha'),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed/\n' },
  });
  const url = `http://wiki.corp.test:${inside.port}/`;
  const settings = { seeds: [url], schedule: { full: 'manual', incremental: 'manual' } };
  const names = { 'wiki.corp.test': ['127.0.0.1'] };
  // As it was stored before names had to be marked.
  await using crawl = await openCrawl({ ...settings, ...markedNames('wiki.corp.test') }, { names });
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([url, `${url}a`]);
  await crawl.change(settings);
  const before = inside.connections();
  const warnings = async () => (await crawlerStatus(crawl.lookDeps, await crawl.crawler())).warnings;
  expect(await warnings()).toEqual([]);

  crawl.clock.skip(2 * HOUR);
  await crawl.run();
  await crawl.crawl();

  const command = 'fossick crawler allow-private 17 wiki.corp.test';
  expect(inside.connections()).toBe(before);
  expect(await warnings()).toEqual([
    `${url.slice(0, -1)} leads into a private network and is not visited: if it is yours, ${command}`,
  ]);
  const findings = await checkCrawlers({
    activeCrawlers: async () => [await crawl.crawler()],
    faultsOf: createCrawlerFaults(crawl.lookDeps),
  }).look();
  expect(findings).toMatchObject([{ name: 'name-private', subject: `crawler 17 ${url.slice(0, -1)}`, command }]);
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'private-name' });
  expect(await crawl.documents()).toEqual([url, `${url}a`]);
  const explained = await explainUrl({ ...crawl.lookDeps, visibleSeq: () => 1_000 }, await crawl.crawler(), url);
  expect(explained).toMatchObject({
    verdict: 'searchable',
    reason: 'private-name',
    advice: expect.stringContaining('fossick crawler allow-private'),
  });

  const marked = { ...settings, privateNames: { 'wiki.corp.test': ['127.0.0.1/32'] } };
  await crawl.change(marked);
  expect(await warnings()).toEqual([expect.stringContaining('led outside of 127.0.0.1/32 at its last visit')]);
  crawl.clock.skip(2 * HOUR);
  await crawl.run();
  await crawl.crawl();
  expect(await crawl.lastVisit(url)).toMatchObject({ reason: 'same-content' });
  expect(await warnings()).toEqual([]);

  // The name moves to a neighbour that nobody allowed.
  names['wiki.corp.test'] = ['127.0.0.66'];
  const atMark = inside.connections();
  crawl.clock.skip(2 * HOUR);
  await crawl.queue(url);
  await crawl.crawl();
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'private-name' });
  expect(inside.connections()).toBe(atMark);
});

test('localhost is this machine and needs no mark', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  const url = `http://localhost:${site.port}/`;
  await using crawl = await openCrawl({ seeds: [url] }, { names: { localhost: ['127.0.0.1'] } });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([url]);
});
