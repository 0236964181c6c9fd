import { sql } from 'kysely';
import {
  OUTCOMES,
  type Outcome,
  REASONS,
  type Reason,
  URL_ORIGINS,
  URL_STATES,
  type UrlOrigin,
} from '../../core/crawl-words.ts';
import type { SupersededUrl } from '../frontier-store.ts';
import type { CollapseTwins, ContentAfter, ContentUrl, TwinStore } from '../twin-store.ts';
import type { EngineConnection } from './connection.ts';
import { engineSql } from './dialects.ts';
import { type RemovalPlace, removeOrHold } from './removals.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { rawQuery, statement } from './statement.ts';

const LIVE = URL_STATES.indexOf('live');
const TWIN = URL_STATES.indexOf('twin');
const ALIAS = URL_STATES.indexOf('alias');
const SAME_CONTENT = 10;
const WOKEN = 1_000;
const POINTING = 100;

type HashRow = { id: number; content_high: number; content_low: number; similar_high: number; similar_low: number };
type ContentRow = { id: number; url: string; origin: number; first_seen_at: number };

/** Upper and lower 32 bits of a signed 64-bit column. */
function halves(column: 'content_hash' | 'similarity', high: string, low: string) {
  const hash = sql.ref(column);
  return sql`(${hash} >> 32) & 4294967295 AS ${sql.ref(high)}, ${hash} & 4294967295 AS ${sql.ref(low)}`;
}

export const twinStatements = {
  pointing: statement<
    { urlId: number },
    { id: number; url: string; depth: number; reason: number; pattern_id: number | null; similarity: string | null }
  >((p) =>
    engineSql
      .selectFrom('urls')
      .select([
        'id',
        'url',
        'depth',
        'reason',
        'pattern_id',
        sql<string | null>`cast(similarity AS TEXT)`.as('similarity'),
      ])
      .where('target_id', '=', p.urlId)
      .limit(POINTING),
  ),
  contentAfter: statement<ContentAfter, HashRow>((p) =>
    rawQuery(sql<HashRow>`SELECT id, ${halves('content_hash', 'content_high', 'content_low')},
      ${halves('similarity', 'similar_high', 'similar_low')} FROM urls
      WHERE id > ${p.after} AND +crawler_id = ${p.crawlerId} AND state = ${LIVE} AND content_hash IS NOT NULL AND unconfirmed = 0
      AND similarity IS NOT NULL AND content_chars >= ${p.minChars} ORDER BY id LIMIT ${p.limit}`),
  ),
  contentUrls: statement<{ ids: string }, ContentRow>((p) =>
    rawQuery(sql<ContentRow>`SELECT id, url, origin, first_seen_at FROM urls
      WHERE id IN (SELECT value FROM json_each(${p.ids}))`),
  ),
  contentOf: statement<{ id: number }, { content_hash: string }>((p) =>
    rawQuery(sql<{ content_hash: string }>`SELECT cast(content_hash AS TEXT) AS content_hash FROM urls
      WHERE id = ${p.id} AND content_hash IS NOT NULL AND state = ${LIVE}`),
  ),
  list: statement<{ crawlerId: number; after: number; limit: number }, { id: number; url: string; twin_of: string }>(
    (p) =>
      engineSql
        .selectFrom('urls')
        .innerJoin('urls as target', 'target.id', 'urls.target_id')
        .select(['urls.id', 'urls.url', 'target.url as twin_of'])
        .where('urls.crawler_id', '=', p.crawlerId)
        .where('urls.state', '=', TWIN)
        .where('urls.reason', '=', REASONS.indexOf('twin'))
        .where('urls.id', '>', p.after)
        .orderBy('urls.id')
        .limit(p.limit),
  ),
  countVisits: statement<
    { crawlerId: number; runId: number; since: number },
    { outcome: number; reason: number; count: number }
  >((p) =>
    engineSql
      .selectFrom('visits')
      .select((row) => ['outcome', 'reason', row.fn.countAll<number>().as('count')])
      .where('crawler_id', '=', p.crawlerId)
      .where('at', '>=', p.since)
      .where('run_id', '=', p.runId)
      .groupBy(['outcome', 'reason']),
  ),
  sameContent: statement<{ crawlerId: number; contentHash: bigint }, ContentRow>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['id', 'url', 'origin', 'first_seen_at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('content_hash', '=', p.contentHash)
      .where('unconfirmed', '=', 0)
      .where('state', '=', LIVE)
      .limit(SAME_CONTENT),
  ),
  becomeTwin: statement<{ urlId: number; keeperId: number; contentHash: bigint }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ state: TWIN, reason: REASONS.indexOf('twin'), target_id: p.keeperId })
      .where('id', '=', p.urlId)
      .where('state', '=', LIVE)
      .where('content_hash', '=', p.contentHash),
  ),
  /** What points to a keeper that steps back points to the new one. */
  pointAgain: statement<{ urlId: number; keeperId: number }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ target_id: p.keeperId })
      .where('target_id', '=', p.urlId)
      .where('state', '=', TWIN),
  ),
  twinsOf: statement<{ urlId: number }, { url: string; depth: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['url', 'depth'])
      .where('target_id', '=', p.urlId)
      .where('state', '=', TWIN)
      .limit(WOKEN),
  ),
  allOf: statement<{ urlId: number }, { url: string; depth: number }>((p) =>
    engineSql
      .selectFrom('urls')
      .select(['url', 'depth'])
      .where('target_id', '=', p.urlId)
      .where((row) =>
        row.or([
          row('state', '=', TWIN),
          row.and([row('state', '=', ALIAS), row('reason', '=', REASONS.indexOf('canonical'))]),
        ]),
      )
      .limit(WOKEN),
  ),
};

export function twinStore({ engineId, read, thread }: EngineConnection): TwinStore {
  return {
    sameContent: async (crawlerId, contentHash) =>
      read.allOf(twinStatements.sameContent, { crawlerId, contentHash: BigInt(contentHash) }).map(contentUrlOf),
    pointingTo: async (urlId) =>
      read.allOf(twinStatements.pointing, { urlId }).map(({ id, url, depth, reason, pattern_id, similarity }) => ({
        ...{ id, url, depth },
        reason: REASONS[reason] as Reason,
        patternId: pattern_id ?? undefined,
        similarity: similarity ?? undefined,
      })),
    contentAfter: async (of) =>
      read.allOf(twinStatements.contentAfter, of).map((row) => ({
        id: row.id,
        content: [row.content_high, row.content_low],
        similarity: [row.similar_high, row.similar_low],
      })),
    contentUrls: async (ids) => read.allOf(twinStatements.contentUrls, { ids: JSON.stringify(ids) }).map(contentUrlOf),
    collapseTwins: (input) => thread.engine(engineId, 'collapseTwins', input),
    listTwins: async (of) =>
      read.allOf(twinStatements.list, of).map(({ id, url, twin_of: twinOf }) => ({ id, url, twinOf })),
    countVisits: async ({ id: runId, crawlerId, since }) =>
      read.allOf(twinStatements.countVisits, { runId, crawlerId, since }).map(({ outcome, reason, count }) => ({
        outcome: OUTCOMES[outcome] as Outcome,
        reason: REASONS[reason] as Reason,
        count,
      })),
  };
}

function contentUrlOf({ id, url, origin, first_seen_at: firstSeenAt }: ContentRow): ContentUrl {
  return { id, url, firstSeenAt, origin: URL_ORIGINS[origin] as UrlOrigin };
}

/** Write operation: resolves with how many became twins; those whose content has changed since do not. */
export function collapseTwins(db: SqliteDatabase, { twins, ...place }: CollapseTwins): number {
  let collapsed = 0;
  for (const { urlId, url, keeperId } of twins) {
    const content = db.firstOf(twinStatements.contentOf, { id: keeperId })?.content_hash;
    if (content === undefined) continue;
    if (supersede(db, { urlId, url, contentHash: content }, { ...place, keeperId })) collapsed++;
  }
  return collapsed;
}

/** Inside a write: the record becomes a twin of the keeper, which takes its twins; its document leaves. */
export function supersede(
  db: SqliteDatabase,
  { urlId, url, contentHash }: SupersededUrl,
  { keeperId, ...place }: Omit<RemovalPlace, 'urlId'> & { readonly keeperId: number },
): boolean {
  const changed = db.runOf(twinStatements.becomeTwin, { urlId, keeperId, contentHash: BigInt(contentHash) });
  if (changed.changes === 0) return false;
  db.runOf(twinStatements.pointAgain, { urlId, keeperId });
  // Nothing is lost: the keeper has the same content, so that the guard neither holds nor counts it.
  const removal = { remove: url, class: 'moved', cause: 'twin', firstAt: place.now, approved: true } as const;
  removeOrHold(db, { ...place, urlId }, { ...removal, guard: undefined });
  return true;
}
