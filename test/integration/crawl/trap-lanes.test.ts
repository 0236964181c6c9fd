import { expect, test } from 'vitest';
import { createUrlTemplateStatistics } from '../../../src/crawl/visit/url-template-statistics.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const PACE = { pace: 'fixed', delayMs: 0, ratePerSecond: 1_000 } as const;
/** The first page says something, the others bring nothing; one more of them closes their pattern. */
const ALMOST_CLOSED = 20;

test('a page that is held back for one of another lane goes on when that one has ended', async () => {
  const same = page('The same');
  let answerLast: (() => void) | undefined;
  const last: Behaviour = (_request, response) => {
    answerLast = () => sendPage(response, same);
  };
  await using site = await startSiteServer({ '/same': same, [`/same?n=${ALMOST_CLOSED}`]: last });
  const urlOf = (n: number) => `${site.origin}/same?n=${n}`;
  await using crawl = await openCrawl({ seeds: [`${site.origin}/same`], schedule: MANUAL, politeness: PACE });
  const urlTemplates = createUrlTemplateStatistics()(crawl.crawlerId);
  let heldBack = 0;
  const mayCloseSoon: typeof urlTemplates.mayCloseSoon = (row) => {
    const held = urlTemplates.mayCloseSoon(row);
    if (held) heldBack++;
    return held;
  };
  const changes = {
    urlTemplates: () => ({ ...urlTemplates, mayCloseSoon }),
    concurrency: { ...crawl.sliceDeps.concurrency, page: 1 },
  };
  await crawl.queue(...Array.from({ length: ALMOST_CLOSED + 1 }, (_, n) => urlOf(n)));
  const first = crawl.slice(0, changes);
  await eventually(() => answerLast !== undefined);
  await crawl.queue(urlOf(ALMOST_CLOSED + 1));
  const second = crawl.slice(1, changes);
  await eventually(() => heldBack > 0);

  answerLast?.();

  expect([(await first).end, (await second).end]).toEqual(['idle', 'idle']);
  expect(site.count(`/same?n=${ALMOST_CLOSED + 1}`)).toBe(1);
});
