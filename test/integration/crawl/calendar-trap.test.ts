import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { dynamic, html, ownText } from '../../helpers/trap-site.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

const days = dynamic((path) => {
  const day = Number(path.split('/')[2]) || 0;
  return html(`Day ${day}`, `There are no events on day ${day}.`, [`/days/${day + 1}`, `/days/${day + 2}`]);
});

test('a calendar that brings nothing is closed, shown in the summary, and goes on when an operator opens it', async () => {
  await using site = await startSiteServer({ '/': html('Home', ownText(1), ['/days/1']), '*': days });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: MANUAL,
    limits: { pages: 100, depth: 90 },
  });

  await crawl.crawl();

  const visited = site.requests.filter(({ path }) => path.startsWith('/days/')).length;
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  const { closedPatterns } = JSON.parse(run?.summary ?? '{}');
  expect(visited).toBeLessThanOrEqual(28);
  const shown = closedPatterns.shown.find(({ pattern }: { pattern: string }) => pattern === '/days/{n}');
  expect(shown).toMatchObject({ host: site.origin, rule: 'nothing-new', informative: 0 });
  expect(shown.examples).toHaveLength(3);

  const [closed] = await crawl.store.listPatterns({ crawlerId: crawl.crawlerId, after: 0, limit: 1, closed: true });
  await crawl.store.changePattern({ patternId: closed!.id, to: 'open', rule: 'kept-open', at: crawl.clock.now() });
  await crawl.queue(`${site.origin}/days/1000`);
  crawl.clock.skip(86_400_000 * 2);
  await crawl.run();
  await crawl.crawl();
  expect(site.requests.filter(({ path }) => path.startsWith('/days/')).length).toBeGreaterThan(visited + 40);
});
