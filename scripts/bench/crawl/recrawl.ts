import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { openCrawl } from '../../../test/helpers/crawl.ts';
import { seededRandom } from '../seeded-random.ts';
import { markdownRow } from './markdown.ts';
import { SITE_KINDS, type SiteKind, startRecrawlSite } from './recrawl-site.ts';

const HELP = `usage: npm run bench:crawl -- recrawl [options]

Full runs over generated sites (46 KB pages) of which a share changes between two runs: bytes that the server sends,
pages that are asked for, changes that are found. The crawl runs in this process with everything real but the queue.

  --pages 10000     size of each site
  --share 0.01      pages that change before each later run
  --runs 3          runs of each site
  --only a,b        of: ${SITE_KINDS.join(', ')}
  --out file.json   write the figures as JSON
  --gate            exit 1 when a bar is missed
`;

/** Bars of the design (crawling 1): bytes of the second run of a site that answers 304, and changes found anywhere. */
const MOST_BYTES_RATIO = 0.03;
const VALIDATING: ReadonlySet<SiteKind> = new Set(['etag', 'last-modified', 'lastmod-lying']);
/** Time between two runs. */
const PAUSE_MS = 26 * 3_600_000;

export type RecrawlFigure = {
  readonly site: SiteKind;
  readonly run: number;
  readonly pages: number;
  readonly asked: number;
  readonly notModified: number;
  readonly bytes: number;
  /** Of the first run. */
  readonly bytesRatio: number;
  readonly changes: number;
  readonly found: number;
  /** Documents written without a change of their page. */
  readonly needless: number;
};

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '10000' },
      share: { type: 'string', default: '0.01' },
      runs: { type: 'string', default: '3' },
      only: { type: 'string' },
      out: { type: 'string' },
      gate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const [pages, share, runs] = [Number(values.pages), Number(values.share), Number(values.runs)];
  const kinds = SITE_KINDS.filter((kind) => values.only === undefined || values.only.split(',').includes(kind));
  const load = loadavg()[0] ?? 0;
  const figures: RecrawlFigure[] = [];
  for (const kind of kinds) figures.push(...(await measureRecrawl(kind, { pages, share, runs })));
  console.log(tableOf(figures));
  if (values.out !== undefined) {
    await mkdir(dirname(values.out), { recursive: true });
    await writeFile(values.out, `${JSON.stringify({ pages, share, load, figures }, undefined, 2)}\n`);
  }
  for (const miss of missedBars(figures)) {
    console.error(`missed: ${miss}`);
    if (values.gate) process.exitCode = 1;
  }
}

/** Runs over one site; what changes is the same for the same numbers. */
export async function measureRecrawl(
  kind: SiteKind,
  { pages, share, runs }: { readonly pages: number; readonly share: number; readonly runs: number },
): Promise<readonly RecrawlFigure[]> {
  let skippedMs = 0;
  await using site = await startRecrawlSite(kind, pages, () => Date.now() + skippedMs);
  const manual = { full: 'manual', incremental: 'manual' };
  await using crawl = await openCrawl({ seeds: [site.url(0)], sitemaps: 'auto', schedule: manual });
  const figures: RecrawlFigure[] = [];
  const random = seededRandom(11);
  for (let number = 1; number <= runs; number++) {
    const changed = number === 1 ? [] : changedPages(random, pages, share);
    if (number > 1) {
      skippedMs += PAUSE_MS;
      crawl.clock.skip(PAUSE_MS);
      site.change(changed);
      skippedMs += 1_000;
      crawl.clock.skip(1_000);
      await crawl.run();
    }
    const seq = await crawl.store.lastSeq();
    await crawl.crawl();
    const written = await writtenAfter(crawl, seq);
    const found = changed.filter((page) => written.has(site.url(page))).length;
    const { pages: asked, bytes, notModified } = site.take();
    const bytesRatio = bytes / (figures[0]?.bytes ?? bytes);
    const needless = number === 1 ? 0 : written.size - found;
    figures.push({
      site: kind,
      run: number,
      pages,
      asked,
      notModified,
      bytes,
      bytesRatio,
      changes: changed.length,
      found,
      needless,
    });
  }
  return figures;
}

function changedPages(random: () => number, pages: number, share: number): readonly number[] {
  const changed = new Set<number>();
  while (changed.size < Math.round(pages * share)) changed.add(Math.floor(random() * pages));
  return [...changed];
}

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

async function writtenAfter({ store, crawlerId }: Crawl, seq: number): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  let after = seq;
  for (;;) {
    const changes = await store.changesAfter(after, { rows: 1_000, bytes: 64 * 1024 * 1024 });
    for (const change of changes) if (change.crawlerId === crawlerId) written.add(change.id);
    const last = changes.at(-1);
    if (last === undefined) return written;
    after = last.seq;
  }
}

function tableOf(figures: readonly RecrawlFigure[]): string {
  const head = [
    'site',
    'run',
    'pages asked',
    'of them 304',
    'MB',
    'share of run 1',
    'changes found',
    'needless writes',
  ];
  const rows = figures.map((figure) =>
    markdownRow([
      figure.site,
      String(figure.run),
      String(figure.asked),
      String(figure.notModified),
      (figure.bytes / 1e6).toFixed(1),
      `${(figure.bytesRatio * 100).toFixed(2)} %`,
      `${figure.found} of ${figure.changes}`,
      String(figure.needless),
    ]),
  );
  return [markdownRow(head), markdownRow(head.map(() => '---')), ...rows].join('\n');
}

function missedBars(figures: readonly RecrawlFigure[]): readonly string[] {
  return figures
    .filter(({ run }) => run > 1)
    .flatMap(({ site, run, bytesRatio, changes, found, needless }) => [
      ...(VALIDATING.has(site) && run === 2 && bytesRatio > MOST_BYTES_RATIO ? [`${site}: bytes of run ${run}`] : []),
      ...(found < changes ? [`${site}: changes of run ${run}`] : []),
      ...(needless > 0 ? [`${site}: writes of run ${run}`] : []),
    ]);
}
