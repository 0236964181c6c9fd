import { readFileSync } from 'node:fs';
import { cpuOf, memoryOf } from '../process-costs.ts';
import type { CrawlCounters, CrawlOrder, PreparedCrawl } from './contestant.ts';

/** Runs one contestant, named by the first argument, once: the second argument is its order, as JSON. */
const [, , name = '', order = '{}'] = process.argv;
const { prepare } = (await import(`./contestants/${name}.ts`)) as {
  readonly prepare: (order: CrawlOrder) => Promise<PreparedCrawl>;
};
{
  await using prepared = await prepare(JSON.parse(order) as CrawlOrder);
  const helperBefore = (await prepared.helperCpuMs?.()) ?? 0;
  const startedAt = performance.now();
  let pages = 0;
  const cpuMs = await cpuOf(async () => {
    pages = await prepared.crawl();
  });
  const wallMs = performance.now() - startedAt;
  const helperCpuMs = ((await prepared.helperCpuMs?.()) ?? 0) - helperBefore;
  const { resident: residentMb } = memoryOf(process.pid);
  process.send?.({ pages, cpuMs, helperCpuMs, wallMs, peakMb: peakMb(), residentMb } satisfies CrawlCounters);
}
process.exit();

function peakMb(): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_000;
}
