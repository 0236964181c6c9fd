import { yieldInBackgroundAfter } from '../core/yield.ts';
import type { Finding } from './finding.ts';

/** Looks until all were looked at: one each five seconds makes 50 s. */
const LOOKS_PER_ROUND = 10;
/** So many cost little, and are all looked at each time. */
const LEAST_PER_LOOK = 100;
const SLICE_MS = 2;

/**
 * Looks at one of many after the other, a tenth of them in each look, so that a thousand cost what a hundred do. What has
 * findings is looked at each time: an operator who mends it waits for no round. One slice of 2 ms per turn of the loop.
 */
export function inRounds<Item extends { readonly id: number }>(
  look: (item: Item) => Promise<readonly Finding[]>,
): (items: readonly Item[]) => Promise<readonly Finding[]> {
  const known = new Map<number, readonly Finding[]>();
  let position = 0;
  return async (items) => {
    const share = Math.max(LEAST_PER_LOOK, Math.ceil(items.length / LOOKS_PER_ROUND));
    if (position >= items.length) position = 0;
    const next = items.slice(position, position + share);
    position += share;
    const chosen = new Set(next);
    const found = items.filter(({ id }) => (known.get(id)?.length ?? 0) > 0);
    for (const item of found.slice(0, share)) chosen.add(item);

    const nextSlice = yieldInBackgroundAfter(SLICE_MS);
    for (const item of chosen) {
      await nextSlice();
      known.set(item.id, await look(item));
    }
    const present = new Set(items.map(({ id }) => id));
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    return [...known.values()].flat();
  };
}
