import type { CrawlOrder } from '../crawl/contestant.ts';
import { prepareFossick } from '../crawl/crawl-fossick.ts';
import { countRoundTrips } from '../postgres/count-round-trips.ts';
import { cpuOf } from '../process-costs.ts';

/** Of a whole crawl: this process with its threads, without the site, Redis and the server. */
export type CrawlCost = { readonly pages: number; readonly cpuMs: number; readonly roundTrips: number };

/** Crawls a site once with the product's slices; the argument is the order and where the stores are, as JSON. */
const { order, databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly order: CrawlOrder;
  readonly databaseUrl?: string;
};
{
  await using prepared = await prepareFossick(order, {}, databaseUrl === undefined ? {} : { databaseUrl });
  const roundTrips = countRoundTrips();
  let pages = 0;
  const cpuMs = await cpuOf(async () => {
    pages = await prepared.crawl();
  });
  process.send?.({ pages, cpuMs, roundTrips: roundTrips() } satisfies CrawlCost);
}
process.exit();
