import { expect, test } from 'vitest';
import type { Renderer } from '../../../src/fetch/renderer.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { manualSite } from '../../helpers/manual-site.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

/** A browser whose scripts add nothing to what comes over HTTP. */
function staticRenderer() {
  const rendered: string[] = [];
  const render: Renderer['render'] = async ({ url }) => {
    rendered.push(url);
    const response = await fetch(url);
    const body = new Uint8Array(await response.arrayBuffer());
    const headers = new Map([['content-type', 'text/html; charset=utf-8']]);
    const read = { url, status: response.status, headers, redirects: [], body, isComplete: true };
    return { ...read, firstByteMs: 1, millis: 1, wireBytes: body.length };
  };
  return { rendered, renderer: { render } };
}

test('a manual whose folders repeat their names, with pages of a line, is stored whole, nearly without a browser', async () => {
  const { seed, paths, routes } = manualSite(isLongForm ? { packages: 30, classes: 46 } : { packages: 6, classes: 24 });
  await using site = await startSiteServer(routes);
  const { rendered, renderer } = staticRenderer();
  const politeness = { pace: 'fixed', delayMs: 0, ratePerSecond: 1_000, slots: 8 };
  await using crawl = await openCrawl(
    { seeds: [site.origin + seed], politeness, duplicates: { exact: 'off' } },
    { renderer },
  );

  await crawl.crawl();

  const stored = new Set(await crawl.documents());
  const lost = paths.filter((path) => !stored.has(site.origin + path));
  expect(lost).toEqual([]);
  expect(rendered.length).toBeLessThanOrEqual(paths.length * 0.05);
  reportFigure('crawling.manual-whole', `${stored.size} of ${paths.length} pages, ${rendered.length} rendered`);
});
