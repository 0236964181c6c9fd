import { sql } from 'kysely';
import { REASONS } from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { yieldInBackground } from '../../core/yield.ts';
import type { UnfollowedLink } from '../frontier-store.ts';
import type { FoundUnfollowedLink } from '../url-browser.ts';
import { engineSql } from './dialects.ts';
import type { Placement } from './frontier.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

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
    engineSql.replaceInto('unfollowed_links').values({
      crawler_id: p.crawlerId,
      slot: p.slot,
      key: p.key,
      reason: p.reason,
      found_on: p.foundOn,
      depth: p.depth,
      at: p.at,
    }),
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
export function putUnfollowedLink(
  db: SqliteDatabase,
  { crawlerId, foundOn, now: at }: Pick<Placement, 'crawlerId' | 'foundOn' | 'now'>,
  { url, reason, depth }: UnfollowedLink,
): void {
  const key = keyOfUrl(url);
  const row = { crawlerId, slot: slotOf(key), key, foundOn: foundOn ?? 0, depth, at };
  db.runOf(unfollowedLinkStatements.put, { ...row, reason: REASONS.indexOf(reason) });
}

export function findUnfollowedLink(
  db: SqliteDatabase,
  crawlerId: number,
  url: string,
): FoundUnfollowedLink | undefined {
  const key = keyOfUrl(url);
  const row = db.firstOf(unfollowedLinkStatements.find, { crawlerId, slot: slotOf(key), key });
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
export async function countUnfollowedLinks(
  db: SqliteDatabase,
  crawlerId: number,
  reason: UnfollowedLink['reason'],
): Promise<number> {
  const slots = Number(SLOTS);
  let taken = 0;
  for (let from = 0; from < slots; from += COUNTED_SLOTS) {
    const range = { crawlerId, reason: REASONS.indexOf(reason), from, before: from + COUNTED_SLOTS };
    taken += db.firstOf(unfollowedLinkStatements.countUnknown, range)?.count ?? 0;
    await yieldInBackground();
  }
  return Math.round(-slots * Math.log(1 - Math.min(taken, slots - 1) / slots));
}

function slotOf(key: bigint): number {
  return Number(BigInt.asUintN(64, key) % SLOTS);
}
