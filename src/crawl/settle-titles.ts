import { hostOf } from '../core/url.ts';
import type { EngineStore } from '../storage/engine-store.ts';

/**
 * Documents whose titles are looked at together. What more pages than that are called is known from the sample of a
 * host.
 */
const SHARERS_AT_ONCE = 5_000;
/** Documents of one write, and titles of one look. */
const STEP = 100;

type Store = Pick<EngineStore, 'sharersOfTitles' | 'takeHeadTitles' | 'headsOfTitles'>;
type Sharer = Awaited<ReturnType<Store['sharersOfTitles']>>[number];

/**
 * Gives pages that share their title with others of their host the one of their head, where the heads of these others
 * say something else: `Index: GIO Reference Manual`, where the manuals of a host have an `Index` each. A page is read
 * while 64 others of its host are known, which tell what many pages are called, and not what two of a thousand are.
 * Resolves with how many documents were changed; repeatable. Costs one pass over the titles of the crawler (an index),
 * and 100 documents a write.
 */
export async function settleTitles(store: Store, crawlerId: number, at: number): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const found = await store.sharersOfTitles({ crawlerId, after, limit: SHARERS_AT_ONCE });
    const groups = [...Map.groupBy(found, ({ titleKey }) => titleKey).values()];
    const isLast = found.length < SHARERS_AT_ONCE;
    // The last one may go on behind the limit, and one that fills it alone is left as it is.
    const whole = isLast ? groups : groups.slice(0, -1);
    const renamed = await withoutTaken(store, crawlerId, whole.flatMap(groupsOfHosts).flatMap(sharersToRename));
    for (let from = 0; from < renamed.length; from += STEP)
      changed += await store.takeHeadTitles({ crawlerId, sharers: renamed.slice(from, from + STEP), at });
    if (isLast) return changed;
    after = (whole.at(-1) ?? groups[0])?.[0]?.titleKey ?? after;
  }
}

/** Shops of two hosts have a `Contact` each, which their visitors take for no other. */
function groupsOfHosts(group: readonly Sharer[]): readonly (readonly Sharer[])[] {
  return [...Map.groupBy(group, ({ id }) => hostOf(id)).values()];
}

const keyOf = (title: string) => title.trim().toLowerCase();

/**
 * Of pages of a host with one title, those that their heads tell from others of them. The title is left to those of
 * which most say the same: `Class Members`, which an index has for each letter, beside `Class Members - Enumerations`.
 * Pages that took it from their heads have what these say, and the others know of it.
 */
function sharersToRename(group: readonly Sharer[]): readonly Sharer[] {
  const others = group.filter(({ hasHeadTitle }) => !hasHeadTitle);
  const named = [...Map.groupBy(others, ({ headTitle }) => keyOf(headTitle)).values()];
  if (named.length === 1) return [];
  const [most, next] = named.toSorted((a, b) => b.length - a.length);
  const keepers = most !== undefined && most.length > (next?.length ?? 0) ? most : undefined;
  return named.filter((pages) => pages !== keepers && pages[0]?.headTitle !== '').flat();
}

/** Without those whose head says what other pages of the host are called, unless the heads of these say so, too. */
async function withoutTaken(store: Store, crawlerId: number, sharers: readonly Sharer[]): Promise<readonly Sharer[]> {
  const free: Sharer[] = [];
  for (let from = 0; from < sharers.length; from += STEP) {
    const some = sharers.slice(from, from + STEP);
    const titles = some.map(({ headTitle }) => headTitle);
    const called = await store.headsOfTitles(crawlerId, titles);
    free.push(
      ...some.filter(({ id, headTitle }, at) =>
        called[at]?.every((other) => hostOf(other.id) !== hostOf(id) || hasAsPart(other.headTitle, headTitle)),
      ),
    );
  }
  // Of two titles the heads may say the same.
  const nameOf = ({ id, headTitle }: Sharer) => `${hostOf(id)} ${keyOf(headTitle)}`;
  const byName = Map.groupBy(sharers, nameOf);
  return free.filter((one) => (byName.get(nameOf(one)) ?? []).every(({ titleKey }) => titleKey === one.titleKey));
}

const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{M}\p{N}]/u;

/** Whether a head begins or ends with the words of a title. */
function hasAsPart(head: string, title: string): boolean {
  const [whole, part] = [keyOf(head), keyOf(title)];
  const begins = whole.startsWith(part) && !BEGINS_IN_WORD.test(whole.slice(part.length));
  const ends = whole.endsWith(part) && !ENDS_IN_WORD.test(whole.slice(0, whole.length - part.length));
  return begins || ends;
}
