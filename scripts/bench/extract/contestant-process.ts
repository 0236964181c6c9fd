import type { PageFigures } from './contestant.ts';
import { CONTESTANTS } from './contestants.ts';
import { samplePages } from './sample-pages.ts';

/** Reads the sample with one contestant: its name, the data folder and the number of pages are the arguments. */
const [, , name = '', folder = '', size = '0'] = process.argv;
const WARM_PAGES = 20;

const prepare = CONTESTANTS[name];
if (prepare === undefined) throw new Error(`There is no contestant ${name}`);
// Packages that print would mix with the report.
for (const method of ['log', 'warn', 'error'] as const) console[method] = () => undefined;
const read = await prepare();
const pages = samplePages(folder, Number(size));
for (const page of pages.slice(0, WARM_PAGES)) await Promise.try(read, page).catch(() => 0);

let failed = 0;
const costs = await readAll();
const again = await readAll();
const worst = costs.at(-1);
process.send?.({
  pages: pages.length,
  meanMs: meanOf(costs),
  againMs: meanOf(again),
  medianMs: costs[Math.floor(costs.length / 2)]?.ms ?? 0,
  worstMs: worst?.ms ?? 0,
  worstUrl: worst?.url ?? '',
  failed,
} satisfies PageFigures);
process.disconnect?.();

type Cost = { readonly ms: number; readonly url: string };

/** Cheapest first. */
async function readAll(): Promise<readonly Cost[]> {
  const all: Cost[] = [];
  failed = 0;
  for (const page of pages) {
    const before = process.cpuUsage();
    await Promise.try(read, page).catch(() => failed++);
    const { user, system } = process.cpuUsage(before);
    all.push({ ms: (user + system) / 1_000, url: page.url });
  }
  return all.sort((a, b) => a.ms - b.ms);
}

function meanOf(all: readonly Cost[]): number {
  return all.reduce((sum, { ms }) => sum + ms, 0) / all.length;
}
