import type { ScorecardRow } from './row.ts';

const HOLDS = 'test/integration/crawl/host-holds.test.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'crawling.one-url-limited',
    promise: 'One URL that asks to be left alone for a minute, a day or for ever holds no other page of its site',
    file: HOLDS,
    test: 'every other page is in within a minute',
  },
  {
    id: 'crawling.released-host',
    promise: 'A released host is asked within 10 s',
    file: HOLDS,
    test: 'a released host is asked within 10 s',
  },
  {
    id: 'crawling.stalled-hosts',
    promise: 'Every host on which nothing starts for a minute is told, also to the crawler of another customer',
    file: HOLDS,
    test: 'is told to the crawler of another customer',
  },
  {
    id: 'crawling.robots-mishap',
    promise: 'A robots.txt that forbids everything during one run costs that run only',
    file: 'test/integration/crawl/robots-mishap.test.ts',
  },
  {
    id: 'crawling.site-closed',
    promise:
      'A site whose pages are all missing is told, its documents wait for the operator, and none leaves by itself',
    file: 'test/integration/crawl/site-closed.test.ts',
    test: 'for all pages is told to be closed',
  },
  {
    id: 'crawling.outage-named',
    promise: 'The status of a crawler and the explanation of its pages name the true cause of each kind of outage',
    file: 'test/integration/crawl/outage-causes.test.ts',
  },
  {
    id: 'crawling.page-back',
    promise: 'A page that is back after its removal and that a page or a sitemap names is found by the next full run',
    file: 'test/integration/crawl/gone.test.ts',
    test: 'is found by the next full run',
  },
  {
    id: 'crawling.manual-whole',
    promise:
      'A manual whose folders repeat their names, with pages of a line, is stored whole, nearly without a browser',
    file: 'test/integration/crawl/manual-site.test.ts',
  },
  {
    id: 'crawling.page-limit',
    promise: 'The status and the summary of a run tell how many pages its limit left out',
    file: 'test/integration/crawl/site-closed.test.ts',
    test: 'pages beyond the limit of a run are counted and told',
  },
  {
    id: 'crawling.deactivated',
    promise: 'A crawler with 100,000 waiting URLs that is switched off fetches nothing after 2 s',
    file: 'test/e2e/deactivate.test.ts',
  },
];
