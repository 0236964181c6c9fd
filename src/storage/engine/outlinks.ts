import { sql } from 'kysely';
import { REASONS } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { fetchFirst, type Operation, pause, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import type { Placement } from './add-urls.ts';
import type { FoundUnfollowedLink } from './url-look-up.ts';

/** A link in normal form that the crawler saw and did not follow. */
export type UnfollowedLink = {
  readonly url: string;
  readonly reason: 'nofollow' | 'too-deep' | 'page-limit';
  readonly depth: number;
};

/** Left links that are kept per crawler, each in the slot of its key: 2 MB at most. */
const SLOTS = 65_536n;

type UnfollowedRow = { reason: number; found_on: number; depth: number; at: number };

export const unfollowedLinkStatements = {
  put: statement<{
    crawlerId: number;
    slot: number;
    key: bigint;
    reason: number;
    foundOn: number;
    depth: number;
    at: number;
  }>((p) =>
    engineSql
      .insertInto('unfollowed_links')
      .values({
        crawler_id: p.crawlerId,
        slot: p.slot,
        key: p.key,
        reason: p.reason,
        found_on: p.foundOn,
        depth: p.depth,
        at: p.at,
      })
      .onConflict((link) =>
        link
          .columns(['crawler_id', 'slot'])
          .doUpdateSet({ key: p.key, reason: p.reason, found_on: p.foundOn, depth: p.depth, at: p.at }),
      ),
  ),
  find: statement<{ crawlerId: number; slot: number; key: bigint }, UnfollowedRow>((p) =>
    engineSql
      .selectFrom('unfollowed_links')
      .select(['reason', 'found_on', 'depth', 'at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('slot', '=', p.slot)
      .where('key', '=', p.key),
  ),
  countUnknown: statement<{ crawlerId: number; reason: number; from: number; before: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('unfollowed_links')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('slot', '>=', p.from)
      .where('slot', '<', p.before)
      .where('reason', '=', p.reason)
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM urls WHERE urls.crawler_id = ${p.crawlerId} AND urls.key = unfollowed_links.key)`,
      ),
  ),
};

/** Inside a write; takes the place of what stood in its slot. */
export function* putUnfollowedLink(
  { crawlerId, foundOn, now: at }: Pick<Placement, 'crawlerId' | 'foundOn' | 'now'>,
  { url, reason, depth }: UnfollowedLink,
): Operation<void> {
  const key = keyOfUrl(url);
  const row = { crawlerId, slot: slotOf(key), key, foundOn: foundOn ?? 0, depth, at };
  yield* submit(unfollowedLinkStatements.put, { ...row, reason: REASONS.indexOf(reason) });
}

export function* findUnfollowedLink(crawlerId: number, url: string): Operation<FoundUnfollowedLink | undefined> {
  const key = keyOfUrl(url);
  const row = yield* fetchFirst(unfollowedLinkStatements.find, { crawlerId, slot: slotOf(key), key });
  if (row === undefined) return undefined;
  return {
    reason: REASONS[row.reason] as UnfollowedLink['reason'],
    foundOn: row.found_on,
    depth: row.depth,
    at: row.at,
  };
}

/** Slots that one step looks at: 5 ms when all are taken. */
const COUNTED_SLOTS = 2_048;

/**
 * How many different links were left for a reason and are not known since. Links that share a slot are estimated by
 * linear counting: within 1 % up to 150,000, more are counted as fewer.
 */
export function* countUnfollowedLinks(crawlerId: number, reason: UnfollowedLink['reason']): Operation<number> {
  const slots = Number(SLOTS);
  let taken = 0;
  for (let from = 0; from < slots; from += COUNTED_SLOTS) {
    const range = { crawlerId, reason: REASONS.indexOf(reason), from, before: from + COUNTED_SLOTS };
    taken += (yield* fetchFirst(unfollowedLinkStatements.countUnknown, range))?.count ?? 0;
    yield* pause();
  }
  return Math.round(-slots * Math.log(1 - Math.min(taken, slots - 1) / slots));
}

function slotOf(key: bigint): number {
  return Number(BigInt.asUintN(64, key) % SLOTS);
}

const outlinkStatements = {
  of: statement<{ urlId: number }, { targets: Uint8Array }>((p) =>
    engineSql.selectFrom('outlinks').select('targets').where('url_id', '=', p.urlId),
  ),
};

/** Ids of the URLs that a page linked to when it was last read. O(links). */
export function* linkedIds(urlId: number): Operation<ReadonlySet<number>> {
  const row = yield* fetchFirst(outlinkStatements.of, { urlId });
  return new Set(row === undefined ? [] : unpackIds(row.targets));
}

/** Row ids as ascending, variable-length differences (7 bits a byte, lowest first); repeated ids once. */
export function packIds(ids: readonly number[]): Uint8Array {
  const sorted = new Float64Array(ids).sort();
  // A difference below 2^53 takes at most 8 bytes.
  const packed = new Uint8Array(sorted.length * 8);
  let size = 0;
  let last = -1;
  for (const id of sorted) {
    if (id === last) continue;
    let difference = id - Math.max(last, 0);
    last = id;
    while (difference > 127) {
      packed[size++] = (difference % 128) | 128;
      difference = Math.floor(difference / 128);
    }
    packed[size++] = difference;
  }
  return packed.slice(0, size);
}

export function unpackIds(packed: Uint8Array): readonly number[] {
  const ids: number[] = [];
  let last = 0;
  let difference = 0;
  let weight = 1;
  for (const byte of packed) {
    difference += (byte & 127) * weight;
    weight *= 128;
    if (byte > 127) continue;
    last += difference;
    ids.push(last);
    difference = 0;
    weight = 1;
  }
  return ids;
}

/** Whether packed ids hold one; stops behind it. */
export function hasPackedId(packed: Uint8Array, id: number): boolean {
  let last = 0;
  let difference = 0;
  let weight = 1;
  for (const byte of packed) {
    difference += (byte & 127) * weight;
    weight *= 128;
    if (byte > 127) continue;
    last += difference;
    if (last >= id) return last === id;
    difference = 0;
    weight = 1;
  }
  return false;
}
