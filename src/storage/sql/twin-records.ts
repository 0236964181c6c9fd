import { REASONS, URL_ORIGINS, URL_STATES, type UrlOrigin } from '../../core/crawl-words.ts';
import type { SupersededUrl } from '../frontier-store.ts';
import type { ContentUrl } from '../run-store.ts';
import { engineSql } from './dialects.ts';
import { type RemovalPlace, removeOrHold } from './removals.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

const LIVE = URL_STATES.indexOf('live');
const TWIN = URL_STATES.indexOf('twin');
const ALIAS = URL_STATES.indexOf('alias');
const SAME_CONTENT = 10;
const WOKEN = 1_000;

export const twinStatements = {
  sameContent: statement<
    { crawlerId: number; contentHash: bigint },
    { id: number; url: string; origin: number; first_seen_at: number }
  >((p) =>
    engineSql
      .selectFrom('urls')
      .select(['id', 'url', 'origin', 'first_seen_at'])
      .where('crawler_id', '=', p.crawlerId)
      .where('content_hash', '=', p.contentHash)
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

export function sameContent(db: SqliteDatabase, crawlerId: number, contentHash: string): readonly ContentUrl[] {
  const rows = db.allOf(twinStatements.sameContent, { crawlerId, contentHash: BigInt(contentHash) });
  return rows.map(({ id, url, origin, first_seen_at: firstSeenAt }) => ({
    ...{ id, url, firstSeenAt },
    origin: URL_ORIGINS[origin] as UrlOrigin,
  }));
}

/** Inside a write: the record becomes a twin of the keeper, which takes its twins; its document leaves. */
export function supersede(
  db: SqliteDatabase,
  { urlId, url, contentHash }: SupersededUrl,
  { keeperId, ...place }: Omit<RemovalPlace, 'urlId'> & { readonly keeperId: number },
): void {
  const changed = db.runOf(twinStatements.becomeTwin, { urlId, keeperId, contentHash: BigInt(contentHash) });
  if (changed.changes === 0) return;
  db.runOf(twinStatements.pointAgain, { urlId, keeperId });
  // Nothing is lost: the keeper has the same content, so that the guard neither holds nor counts it.
  const removal = { remove: url, class: 'moved', cause: 'twin', firstAt: place.now, approved: true } as const;
  removeOrHold(db, { ...place, urlId }, { ...removal, guard: undefined });
}
