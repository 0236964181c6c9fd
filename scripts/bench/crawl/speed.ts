import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { HEAP_ENVIRONMENT, HEAP_FLAGS } from '../../../workers/supervise.ts';
import { installPeers } from '../install-peers.ts';
import { median } from '../search/report.ts';
import type { CrawlCounters, CrawlOrder } from './contestant.ts';
import { markdownRow } from './markdown.ts';
import { type SiteHandle, startSiteProcess } from './site-handle.ts';
import { runTool, TOOLS } from './tools.ts';

const HELP = `usage: npm run bench:crawl -- speed [options]

Each contestant crawls the same generated site in a process of its own, in alternating order. CPU is that of its
process, threads included; the site and Redis are processes of their own. Fossick has the heap flags and environment of its product.

  --pages 3000        size of the site (46 KB and 94 links a page)
  --hosts 4           loopback addresses that it is spread over
  --rounds 3          measured rounds
  --concurrency 16    fetches at once
  --only a,b          of: in-memory, fossick, fossick-extract, cheerio, wget, scrapy
  --out file.json     write the figures as JSON
  --gate              exit 1 when a bar is missed
`;

/** The in-memory loop is the unit of all ratios. */
const UNIT = 'in-memory';
const OWN = 'fossick';
/** As in the product, whose second start finds its compiled code there. */
const COMPILE_CACHE = join(tmpdir(), 'fossick-bench-compile-cache');
const CONTESTANTS = [UNIT, OWN, 'fossick-extract', 'cheerio'];
/** Bars of the design (crawling 1). */
const MOST_TIMES_UNIT = 2;
const MOST_CPU_MS = 1.5;
const LEAST_TIMES_CHEERIO = 4;
const MOST_RESIDENT_MB = 250;

export type SpeedFigure = {
  readonly name: string;
  /** Medians over the rounds, per page. */
  readonly cpuMs: number;
  readonly helperCpuMs: number;
  readonly pagesPerSecond: number;
  readonly peakMb: number;
  readonly residentMb: number;
  readonly pages: number;
};

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '3000' },
      hosts: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '16' },
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
  const names = values.only?.split(',') ?? [...CONTESTANTS, ...Object.keys(TOOLS).filter(isInstalled)];
  if (names.includes('cheerio')) installPeers();
  const load = loadavg()[0] ?? 0;
  const pages = Number(values.pages);
  await using site = await startSiteProcess(pages, { hosts: Number(values.hosts) });
  const order = { origins: site.origins, seed: site.start, pages, concurrency: Number(values.concurrency) };
  const figures = await measureAll(names, { ...order, site }, Number(values.rounds));
  console.log(tableOf(figures, { pages, load }));
  if (values.out !== undefined) {
    await mkdir(dirname(values.out), { recursive: true });
    await writeFile(values.out, `${JSON.stringify({ pages, load, figures }, undefined, 2)}\n`);
  }
  for (const miss of missedBars(figures)) {
    console.error(`missed: ${miss}`);
    if (values.gate) process.exitCode = 1;
  }
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

type Order = Omit<CrawlOrder, 'folder'> & { readonly site: SiteHandle };

async function measureAll(names: readonly string[], order: Order, rounds: number): Promise<readonly SpeedFigure[]> {
  const samples = new Map<string, CrawlCounters[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const figures = await measureOne(name, order);
      samples.get(name)?.push(figures);
      console.error(`${name}: ${figures.pages} pages, ${(figures.cpuMs / figures.pages).toFixed(2)} ms each`);
    }
  }
  return [...samples].map(([name, taken]) => figureOf(name, taken));
}

async function measureOne(name: string, { site, ...asked }: Order): Promise<CrawlCounters> {
  const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-crawl-'));
  const order = { ...asked, folder };
  try {
    const tool = TOOLS[name];
    if (tool === undefined) return await runContestant(name, order);
    const before = await site.requests();
    const figures = runTool(tool, order);
    return { ...figures, pages: Math.min(order.pages, (await site.requests()) - before) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runContestant(name: string, order: CrawlOrder): Promise<CrawlCounters> {
  const file = new URL('./contestant-process.ts', import.meta.url);
  const options = name.startsWith(OWN)
    ? { execArgv: [...HEAP_FLAGS], env: { ...HEAP_ENVIRONMENT, ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE } }
    : { execArgv: [] };
  const child = fork(file, [name, JSON.stringify(order)], options);
  const ended = once(child, 'exit');
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [CrawlCounters | number];
  if (typeof answer !== 'object') throw new Error(`${name} ended before it had crawled the site`);
  await ended;
  return answer;
}

function figureOf(name: string, samples: readonly CrawlCounters[]): SpeedFigure {
  const middle = (value: (figures: CrawlCounters) => number) => median(samples.map(value));
  return {
    name,
    cpuMs: middle(({ cpuMs, pages }) => cpuMs / pages),
    helperCpuMs: middle(({ helperCpuMs, pages }) => helperCpuMs / pages),
    pagesPerSecond: middle(({ wallMs, pages }) => (pages / wallMs) * 1_000),
    peakMb: middle(({ peakMb }) => peakMb),
    residentMb: middle(({ residentMb }) => residentMb),
    pages: middle(({ pages }) => pages),
  };
}

function tableOf(figures: readonly SpeedFigure[], of: { readonly pages: number; readonly load: number }): string {
  const unit = figures.find(({ name }) => name === UNIT);
  const head = [
    'Crawler',
    'CPU ms a page',
    'ratio',
    'Redis ms',
    'pages/s',
    'MB at most',
    'MB afterwards',
    'pages read',
  ];
  const rows = figures.map((figure) => [
    figure.name,
    figure.cpuMs.toFixed(2),
    unit === undefined ? '–' : `${(figure.cpuMs / unit.cpuMs).toFixed(1)} ×`,
    figure.helperCpuMs === 0 ? '–' : figure.helperCpuMs.toFixed(2),
    figure.pagesPerSecond.toFixed(0),
    figure.peakMb === 0 ? '–' : figure.peakMb.toFixed(0),
    figure.residentMb === 0 ? '–' : figure.residentMb.toFixed(0),
    figure.pages.toLocaleString('en'),
  ]);
  const title = `${of.pages.toLocaleString('en')} pages; load average before the first round ${of.load.toFixed(1)}`;
  return [title, '', markdownRow(head), markdownRow(head.map(() => '---')), ...rows.map(markdownRow)].join('\n');
}

function missedBars(figures: readonly SpeedFigure[]): readonly string[] {
  const of = (name: string) => figures.find((figure) => figure.name === name);
  const [own, unit, cheerio, whole] = [of(OWN), of(UNIT), of('cheerio'), of('fossick-extract')];
  if (own === undefined) return [];
  const bars: (readonly [boolean, string])[] = [
    [own.cpuMs > MOST_CPU_MS, `${own.cpuMs.toFixed(2)} ms before extraction, the bar is ${MOST_CPU_MS}`],
    [own.cpuMs > MOST_TIMES_UNIT * (unit?.cpuMs ?? Infinity), `over ${MOST_TIMES_UNIT} × the in-memory loop`],
    [
      (cheerio?.cpuMs ?? Infinity) < LEAST_TIMES_CHEERIO * own.cpuMs,
      `below ${LEAST_TIMES_CHEERIO} × of CheerioCrawler`,
    ],
    [(whole?.peakMb ?? 0) > MOST_RESIDENT_MB, `${whole?.peakMb.toFixed(0)} MB, the bar is ${MOST_RESIDENT_MB}`],
  ];
  return bars.flatMap(([isMissed, text]) => (isMissed ? [text] : []));
}
