import { describe, expect, test } from 'vitest';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { openRobotsCopies, type RobotsPolicy } from '../../../src/crawl/visit/robots-copies.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Route, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const DAY = 24 * 3_600_000;

/** A store whose first answer about a host is overtaken by other work. */
function overtaken(store: EngineStore, work: () => Promise<unknown>): EngineStore {
  let isFirst = true;
  return {
    ...store,
    ensureHost: async (crawlerId, origin) => {
      const host = await store.ensureHost(crawlerId, origin);
      const overtake = isFirst;
      isFirst = false;
      if (overtake) await work();
      return host;
    },
  };
}

test.each([
  ['there was none', undefined, { status: 404 }, 'rules'],
  ['the copy was old', { status: 404 }, { status: 404 }, 'rules'],
  ['the file stays unreachable', { status: 500 }, { status: 500 }, 'unreachable'],
] satisfies [string, Route | undefined, Route, RobotsPolicy['kind']][])(
  'of two processes that look for robots.txt at once one asks for it: %s',
  async (_name, before, now, kind) => {
    await using site = await startSiteServer({});
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
    const rules = compileCrawlRules(await crawl.crawler());
    const { signal } = new AbortController();
    const of = (store: EngineStore) =>
      openRobotsCopies({ ...crawl.sliceDeps, store }, crawl.crawlerId, rules).of(site.origin, signal);
    if (before !== undefined) {
      site.set('/robots.txt', before);
      await of(crawl.store);
      crawl.clock.skip(DAY + 1);
    }
    site.set('/robots.txt', now);
    const askedBefore = site.count('/robots.txt');

    const policy = await of(overtaken(crawl.store, () => of(crawl.store)));

    expect(policy.kind).toBe(kind);
    expect(site.count('/robots.txt') - askedBefore).toBe(1);
  },
);

describe('who asks for robots.txt and is stopped', () => {
  test.each(['the same', 'another'] as const)(
    'leaves it to the next one of %s process',
    async (process) => {
      let requests = 0;
      await using site = await startSiteServer({
        // The first one is never answered.
        '/robots.txt': (_request, response) => {
          if (++requests > 1) sendPage(response, { status: 404 });
        },
      });
      await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
      const rules = compileCrawlRules(await crawl.crawler());
      const open = () => openRobotsCopies({ ...crawl.sliceDeps, store: crawl.store }, crawl.crawlerId, rules);
      const [first, second] = [new AbortController(), new AbortController()];
      const copies = open();

      const stopped = expect(copies.of(site.origin, first.signal)).rejects.toThrow();
      await eventually(() => requests === 1);
      const waiting = (process === 'another' ? open() : copies).of(site.origin, second.signal);
      first.abort();

      await stopped;
      expect((await waiting).kind).toBe('rules');
      expect(requests).toBe(2);
    },
    10_000,
  );
});
