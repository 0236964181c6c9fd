import type { Crawler } from '../core/records.ts';
import type { WantedSlice } from '../crawl/sweep-crawl.ts';
import { type Queues, sliceIdOf } from './queues.ts';

export type AddSlices = (slices: readonly WantedSlice[]) => Promise<void>;

type Load = { readonly ids: Set<string>; readonly byCustomer: Map<number, number> };

/**
 * Adds slices that are not there yet, those of customers with fewer slices first in line: nobody is pushed out by
 * somebody with fifty crawlers. Looks at the queues once, at the first slice: made anew for each round of adding.
 */
export function sliceAdder(deps: {
  readonly queues: Queues;
  readonly findCrawler: (crawlerId: number) => Promise<Crawler | undefined>;
}): AddSlices {
  const customerOf = async (crawlerId: number) => (await deps.findCrawler(crawlerId))?.customerId ?? 0;
  let load: Promise<Load> | undefined;
  const loadNow = async (): Promise<Load> => {
    const slices = await deps.queues.listSlices();
    const byCustomer = new Map<number, number>();
    for (const { crawlerId } of slices) count(byCustomer, await customerOf(crawlerId));
    return { ids: new Set(slices.map(({ id }) => id)), byCustomer };
  };
  return async (slices) => {
    for (const slice of slices) {
      load ??= loadNow();
      const { ids, byCustomer } = await load;
      if (ids.has(sliceIdOf(slice))) continue;
      const customer = await customerOf(slice.crawlerId);
      await deps.queues.addSlice(slice, byCustomer.get(customer) ?? 0);
      ids.add(sliceIdOf(slice));
      count(byCustomer, customer);
    }
  };
}

function count(byCustomer: Map<number, number>, customer: number): void {
  byCustomer.set(customer, (byCustomer.get(customer) ?? 0) + 1);
}
