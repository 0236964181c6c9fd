import { parseArgs } from 'node:util';
import { openCrawl } from '../../../test/helpers/crawl.ts';
import { openRenderer } from '../../../test/helpers/rendering.ts';
import { startSiteServer } from '../../../test/helpers/site-server.ts';
import { markdownRow } from './markdown.ts';
import { type MixedSite, mixedSite } from './mixed-site.ts';

const HELP = `usage: npm run bench:crawl -- render [options]

A site with 30 % of its pages made by scripts, crawled twice: pages read in the browser against those that need it,
and the pages whose whole text is stored. The second run meets an unchanged site.

  --pages 100   pages of the site
  --gate        exit 1 when a bar is missed
`;

/** Bars of the design (crawling 1). */
const MOST_RENDERS = 1.1;
const WHOLE = 1;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '100' },
      gate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const misses = await measure(mixedSite(Number(values.pages)));
  for (const miss of misses) console.error(`missed: ${miss}`);
  if (values.gate && misses.length > 0) process.exitCode = 1;
}

async function measure({ pages, routes }: MixedSite): Promise<readonly string[]> {
  await using site = await startSiteServer(routes);
  await using renderer = await openRenderer();
  const seeds = [`${site.origin}/`];
  const schedule = { full: 'manual', incremental: 'manual' };
  await using crawl = await openCrawl({ seeds, schedule }, { renderer });
  const needed = pages.filter(({ needsBrowser }) => needsBrowser).length;
  const rows: string[][] = [];
  const misses: string[] = [];
  for (const name of ['first', 'second']) {
    if (name === 'second') await crawl.run('full');
    const startedAt = performance.now();
    await crawl.crawl();
    const seconds = (performance.now() - startedAt) / 1_000;
    const rendered = (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.rendered ?? 0;
    const whole = await shareOfWhole(crawl, site.origin, pages);
    rows.push(
      [name, needed, rendered, (rendered / needed).toFixed(2), whole.toFixed(3), seconds.toFixed(1)].map(String),
    );
    if (rendered > needed * MOST_RENDERS) misses.push(`${rendered} renders for ${needed} pages in the ${name} run`);
    if (whole < WHOLE) misses.push(`${(whole * 100).toFixed(1)} % of the pages are whole after the ${name} run`);
  }
  const head = ['Run', 'Need a browser', 'Rendered', 'Ratio', 'Whole', 'Seconds'];
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(markdownRow(row));
  return misses;
}

async function shareOfWhole(
  { store, crawlerId }: Awaited<ReturnType<typeof openCrawl>>,
  origin: string,
  pages: MixedSite['pages'],
): Promise<number> {
  let whole = 0;
  for (const { path, lastWord } of pages) {
    const found = await store.findDocument(crawlerId, origin + path);
    if (found?.fields.get('Content')?.[0]?.includes(lastWord) === true) whole++;
  }
  return whole / pages.length;
}
