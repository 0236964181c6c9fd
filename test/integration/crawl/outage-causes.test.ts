import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import { crawlerStatus, createCrawlerFaults } from '../../../src/crawl/crawler-status.ts';
import { NAME, OUTAGES, openBrokenSite } from '../../helpers/broken-site.ts';
import { reportFigure } from '../../helpers/scorecard.ts';

const PAGES = 12;
let shared: Awaited<ReturnType<typeof openBrokenSite>>;
let named = 0;

beforeAll(async () => {
  shared = await openBrokenSite(PAGES);
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  reportFigure('crawling.outage-named', `${named} outages told by their cause, and each explained by it`);
});

async function told() {
  const { crawl } = shared;
  const { hosts, warnings } = await crawlerStatus(crawl.lookDeps, await crawl.crawler());
  const faults = await createCrawlerFaults(crawl.lookDeps)(await crawl.crawler());
  expect(faults.hosts.map(({ cause }) => cause)).toEqual(hosts.map(({ concern }) => concern));
  return [...hosts.map(({ concern }) => concern), ...warnings.filter((text) => !text.includes(NAME))];
}

async function reasonOf(url: string) {
  const { crawl } = shared;
  const { reason } = await explainUrl({ ...crawl.lookDeps, visibleSeq: () => Infinity }, await crawl.crawler(), url);
  return reason;
}

test.each(OUTAGES)('the status of a crawler tells by its cause that its site answers %s', async (_name, way, cause) => {
  shared.break(way);
  await shared.meet();

  const shown = await told();
  const explained = await reasonOf(`${shared.seed}page/3`);
  await shared.recover();
  expect(shown.join()).toEqual(cause === null ? '' : expect.stringContaining(cause));
  expect(explained).toBe(cause ?? 'same-content');
  named++;
});

test('the status of a crawler tells that the name of its site does not exist any more', async () => {
  delete shared.names[NAME];
  await shared.meet();

  const shown = await told();
  shared.names[NAME] = ['127.0.0.1'];
  await shared.recover();
  expect(shown).toEqual(['dns-not-found']);
  named++;
});
