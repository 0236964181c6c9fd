import type { SliceDeps, SliceInput } from '../run-slice.ts';

/**
 * Hints of a slice that it leaves work to others, by the number of hosts that have some: the sweep adds lanes. Again when
 * there are twice as many, so that they are few in a crawl that always has more.
 */
export function openWorkHints({ wake }: Pick<SliceDeps, 'wake'>, input: SliceInput): (hosts: number) => void {
  const { engineId, crawlerId, stage, lane } = input;
  let hinted = 0;
  return (hosts) => {
    if (stage !== 'page' || lane === 0 || hosts < Math.max(1, hinted * 2)) return;
    hinted = hosts;
    wake({ kind: 'crawler-changed', engineId, crawlerId });
  };
}
