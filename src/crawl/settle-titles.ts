import type { EngineStore } from '../storage/engine-store.ts';

/** Documents whose titles are looked at together. What more pages than that are called is known from the sample of a host. */
const SHARERS_AT_ONCE = 5_000;
/** Documents of one write. */
const STEP = 100;

type Store = Pick<EngineStore, 'sharersOfTitles' | 'takeHeadTitles' | 'hasTitle'>;
type Sharer = Awaited<ReturnType<Store['sharersOfTitles']>>[number];

/**
 * Gives pages that share their title with others the one of their head, where no other document of the crawler has that:
 * `Index: GIO Reference Manual`, where the manuals of a host have an `Index` each. A page is read while 64 others of its
 * host are known, which tell what many pages are called, and not what two of a thousand are. Resolves with how many
 * documents were changed; repeatable. Costs one pass over the titles of the crawler (an index), and 100 documents a write.
 */
export async function settleTitles(store: Store, crawlerId: number, at: number): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const found = await store.sharersOfTitles({ crawlerId, after, limit: SHARERS_AT_ONCE });
    const groups = [...Map.groupBy(found, ({ titleKey }) => titleKey).values()];
    const isLast = found.length < SHARERS_AT_ONCE;
    // The last one may go on behind the limit.
    const whole = isLast || groups.length === 1 ? groups : groups.slice(0, -1);
    const alone = await withoutTaken(store, crawlerId, whole.flatMap(namedAlone));
    for (let from = 0; from < alone.length; from += STEP)
      changed += await store.takeHeadTitles({ crawlerId, sharers: alone.slice(from, from + STEP), at });
    if (isLast) return changed;
    after = whole.at(-1)?.[0]?.titleKey ?? after;
  }
}

/** Of pages with one title: those whose head says what that of no other of them says. */
function namedAlone(group: readonly Sharer[]): readonly Sharer[] {
  const byName = Map.groupBy(group, ({ headTitle }) => headTitle.toLowerCase());
  return [...byName.values()].flatMap((named) => (named.length === 1 ? named : []));
}

async function withoutTaken(store: Store, crawlerId: number, sharers: readonly Sharer[]): Promise<readonly Sharer[]> {
  if (sharers.length === 0) return [];
  const taken = await store.hasTitle(
    crawlerId,
    sharers.map(({ headTitle }) => headTitle),
  );
  const counts = Map.groupBy(sharers, ({ headTitle }) => headTitle.toLowerCase());
  return sharers.filter(
    ({ headTitle }, at) => taken[at] === false && counts.get(headTitle.toLowerCase())?.length === 1,
  );
}
