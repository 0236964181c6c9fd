import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import type { Behaviour, SiteServer } from '../../helpers/site-server.ts';

const PAGES = isLongForm ? 200 : 18;
const CLOSED = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n';

/** Without a length, as servers before HTTP/1.1 answer: the end of the connection is the end of the body. */
function closedAt(body: string, ratio: number): Behaviour {
  return (request) => request.socket.end(CLOSED + body.slice(0, Math.ceil(body.length * ratio)));
}

/** From a tenth to 95 % of its pages. */
function cutAll(site: SiteServer, paths: readonly string[]): void {
  for (const [place, path] of paths.entries()) {
    site.set(path, closedAt(page(`Page ${path}`).body, 0.1 + (0.85 * place) / (paths.length - 1)));
  }
}

test('a body that ends early without a length replaces no text, in a run and when it is queued', async () => {
  await using shared = await crawledSite(PAGES);
  const { crawl, site, paths, url } = shared;
  const before = await shared.texts();
  expect(before.size).toBe(PAGES + 1);
  // Redis has a clock of its own for the holds of the breaker.
  const later = async (ms: number) => {
    crawl.clock.skip(ms);
    await crawl.redis.control.flushall();
  };
  cutAll(site, paths);

  await shared.round();
  const afterRun = await shared.texts();
  await crawl.queue(...paths.map(url));
  for (let look = 0; look < 3; look++) {
    await later(HOUR);
    await crawl.crawl();
  }

  const after = await shared.texts();
  const replaced = [...before].filter(([id, text]) => String(after.get(id)) !== String(text)).length;
  reportFigure('network.cut-bodies', `${PAGES} cut pages in a run and queued, ${replaced} texts replaced`);
  expect(afterRun).toEqual(before);
  expect(after).toEqual(before);
  expect(await crawl.lastVisit(url(paths[0] ?? ''))).toMatchObject({ reason: 'truncated' });

  for (const path of paths) site.set(path, page(`Page ${path}`));
  await later(24 * HOUR);
  await shared.round();
  expect(await crawl.lastVisit(url(paths[0] ?? ''))).toMatchObject({ reason: 'same-content' });
  expect(await shared.texts()).toEqual(before);
});

test('a page without an end tag that never had one, or whose length is told, changes as ever', async () => {
  const bare = (text: string) => page(text).body.replace('</body></html>', '');
  await using shared = await crawledSite(2, {}, { '/p0': closedAt(bare('Page /p0'), 1) });
  const { crawl, site, url } = shared;
  site.set('/p0', closedAt(bare('Other zero'), 1));
  site.set('/p1', { body: bare('Other one') });

  await crawl.queue(url('/p0'), url('/p1'));
  await crawl.crawl();

  const texts = await shared.texts();
  expect([texts.get(url('/p0'))?.[0], texts.get(url('/p1'))?.[0]]).toEqual(['Other zero', 'Other one']);
});

test('an operator who releases the host takes its pages as they end', async () => {
  await using shared = await crawledSite(2);
  const { crawl, site, url } = shared;
  site.set('/p0', closedAt(page('Other zero').body.replace('</body></html>', ''), 1));
  const host = await crawl.store.findHostOf(crawl.crawlerId, site.origin);
  await crawl.store.releaseHost(host?.id ?? 0, crawl.clock.now() + HOUR);

  await crawl.queue(url('/p0'));
  await crawl.crawl();

  expect((await shared.texts()).get(url('/p0'))?.[0]).toBe('Other zero');
});
