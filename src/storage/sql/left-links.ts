import { sql } from 'kysely';
import { REASONS } from '../../core/crawl-words.ts';
import { laterTurn } from '../../core/next-turn.ts';
import { keyOfUrl } from '../../core/url.ts';
import type { LeftLink } from '../frontier-store.ts';
import type { FoundLeftLink } from '../inventory-store.ts';
import { engineSql } from './dialects.ts';
import type { Placement } from './frontier.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

/** Left links that are kept per crawler, each in the slot of its key: 2 MB at most. */
const SLOTS = 65_536n;

type LeftRow = { reason: number; found_on: number; depth: number; at: number };

export const leftLinkStatements = {
  put: statement<{
    crawlerId: number;
    slot: number;
    key: bigint;
    reason: number;
    foundOn: number;
    depth: number;
    at: number;
  }>((p) =>
    engineSql.replaceInto('left_links').values({
      crawler_id: p.crawlerId,
      slot: p.slot,
      key: p.key,
      reason: p.reason,
      found_on: p.foundOn,
      depth: p.depth,
      at: p.at,
    }),
  ),
  find: statement<{ crawlerId: number; slot: number; key: bigint }, LeftRow>((p) =>
    engineSql
      .selectFrom('left_links')
      .select(['reason', 'found_on', 'depth', 'at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('slot', '=', p.slot)
      .where('key', '=', p.key),
  ),
  countUnknown: statement<{ crawlerId: number; reason: number; from: number; before: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('left_links')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('slot', '>=', p.from)
      .where('slot', '<', p.before)
      .where('reason', '=', p.reason)
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM urls WHERE urls.crawler_id = ${p.crawlerId} AND urls.key = left_links.key)`,
      ),
  ),
};

/** Inside a write; takes the place of what stood in its slot. */
export function putLeftLink(
  db: SqliteDatabase,
  { crawlerId, foundOn, now: at }: Pick<Placement, 'crawlerId' | 'foundOn' | 'now'>,
  { url, reason, depth }: LeftLink,
): void {
  const key = keyOfUrl(url);
  const row = { crawlerId, slot: slotOf(key), key, foundOn: foundOn ?? 0, depth, at };
  db.runOf(leftLinkStatements.put, { ...row, reason: REASONS.indexOf(reason) });
}

export function findLeftLink(db: SqliteDatabase, crawlerId: number, url: string): FoundLeftLink | undefined {
  const key = keyOfUrl(url);
  const row = db.firstOf(leftLinkStatements.find, { crawlerId, slot: slotOf(key), key });
  if (row === undefined) return undefined;
  return { reason: REASONS[row.reason] as LeftLink['reason'], foundOn: row.found_on, depth: row.depth, at: row.at };
}

/** Slots that one step looks at: 5 ms when all are taken. */
const COUNTED_SLOTS = 2_048;

/**
 * How many different links were left for a reason and are not known since. Links that share a slot are estimated by
 * linear counting: within 1 % up to 150,000, more are counted as fewer.
 */
export async function countLeftLinks(
  db: SqliteDatabase,
  crawlerId: number,
  reason: LeftLink['reason'],
): Promise<number> {
  const slots = Number(SLOTS);
  let taken = 0;
  for (let from = 0; from < slots; from += COUNTED_SLOTS) {
    const range = { crawlerId, reason: REASONS.indexOf(reason), from, before: from + COUNTED_SLOTS };
    taken += db.firstOf(leftLinkStatements.countUnknown, range)?.count ?? 0;
    await laterTurn();
  }
  return Math.round(-slots * Math.log(1 - Math.min(taken, slots - 1) / slots));
}

function slotOf(key: bigint): number {
  return Number(BigInt.asUintN(64, key) % SLOTS);
}
