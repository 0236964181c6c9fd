import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { addCrawler } from '../../helpers/other-crawlers.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const DELAY_MS = 100;
const paths = Array.from({ length: 7 }, (_, i) => `/p${i}`);

test('two workers of two customers together keep to the slots and the spacing of a host', async () => {
  let underWay = 0;
  let most = 0;
  const counted: Behaviour = (request, response) => {
    underWay++;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay--;
      sendPage(response, page(`Page ${request.url}`, request.url === '/' ? paths : []));
    }, 300);
  };
  await using site = await startSiteServer(Object.fromEntries(['/', ...paths].map((path) => [path, counted])));
  const settings = {
    seeds: [`${site.origin}/`],
    schedule: MANUAL,
    politeness: { pace: 'fixed', delayMs: DELAY_MS, slots: 2 },
  };
  await using crawl = await openCrawl(settings);
  const other = await addCrawler(crawl, { id: 18, engineId: 2, customerId: 2 }, settings);
  await crawl.sweep();
  await other.sweep();

  await Promise.all([crawl.slice(1, { holder: 'crawl-1' }), other.slice({ holder: 'crawl-2' })]);

  expect([await crawl.store.countDocuments(17), await other.countDocuments()]).toEqual([8, 8]);
  expect(most).toBeLessThanOrEqual(2);
  const starts = site.requests.map(({ at }) => at);
  // A busy machine sees single starts late, which brings the next one closer; their rate is what it must not change.
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan((starts.length - 1) * DELAY_MS * 0.95);
});
