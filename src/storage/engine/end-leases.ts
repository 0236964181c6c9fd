import { type ExpressionBuilder, sql } from 'kysely';
import { STAGES } from '../../core/crawl-words.ts';
import { fetchFirst, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import type { EngineTables } from '../sql/tables.ts';
import type { CrawlCounts } from './crawl-counts.ts';
import { returnLeases } from './due-rows.ts';
import type { RecordedVisit, RecordVisits } from './visits.ts';

/** The lane has not changed hands: its beat and the ends of its leases are asked for at once. */
function isHeld(laneId: number, fence: number) {
  return (row: ExpressionBuilder<EngineTables, 'frontier'>) =>
    row.exists(row.selectFrom('lanes').select(sql`1`.as('held')).where('id', '=', laneId).where('fence', '=', fence));
}

export const visitStatements = {
  end: statement<{ urlId: number; laneId: number; fence: number }, { run_id: number; flags: number }>((p) =>
    engineSql
      .deleteFrom('frontier')
      .where('url_id', '=', p.urlId)
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .where(isHeld(p.laneId, p.fence))
      .returning(['run_id', 'flags']),
  ),
  putOff: statement<
    { urlId: number; laneId: number; fence: number; dueAt: number; priority: number; attempts: number },
    { run_id: number; flags: number }
  >((p) =>
    engineSql
      .updateTable('frontier')
      .set({ lane_id: null, fence: null, due_at: p.dueAt, priority: p.priority, attempts: p.attempts })
      .where('url_id', '=', p.urlId)
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .where(isHeld(p.laneId, p.fence))
      .returning(['run_id', 'flags']),
  ),
  moveOn: statement<{ urlId: number; stage: number; detail: string | null }>((p) =>
    engineSql.updateTable('frontier').set({ stage: p.stage, detail: p.detail }).where('url_id', '=', p.urlId),
  ),
  listedTime: statement<{ urlId: number }, { sitemap_lastmod: number | null }>((p) =>
    engineSql.selectFrom('urls').select('sitemap_lastmod').where('id', '=', p.urlId),
  ),
};

type LeaseBatch = { readonly input: RecordVisits; readonly counts: CrawlCounts };

export type Lease = { readonly run_id: number; readonly flags: number };

/**
 * Inside a write: ends the lease of a visit. Undefined when the lease is gone, or the page was left out and its sitemap was
 * read after that was decided.
 */
export function* takeLease(batch: LeaseBatch, visit: RecordedVisit): Operation<Lease | undefined> {
  if (!(yield* isAnnounced(visit))) return yield* endLease(batch, visit);
  const { lane, now } = batch.input;
  yield* returnLeases(lane, [{ urlId: visit.urlId, dueAt: now }]);
  return undefined;
}

function* isAnnounced({ urlId, unasked }: RecordedVisit): Operation<boolean> {
  if (unasked === undefined) return false;
  return (
    (yield* fetchFirst(visitStatements.listedTime, { urlId }))?.sitemap_lastmod !== (unasked.sitemapLastmod ?? null)
  );
}

function* endLease({ input, counts }: LeaseBatch, visit: RecordedVisit): Operation<Lease | undefined> {
  const lease = { urlId: visit.urlId, ...input.lane };
  if (visit.next === 'done') {
    const ended = yield* fetchFirst(visitStatements.end, lease);
    if (ended !== undefined) {
      counts.add(ended.run_id, 'open', -1);
      if (!isSitemap(visit)) counts.add(ended.run_id, 'visited', 1);
    }
    return ended;
  }
  const { to, ...later } = visit.next;
  const row = yield* fetchFirst(visitStatements.putOff, { ...lease, ...later });
  if (row === undefined) return undefined;
  counts.addWaiting(visit.hostId, 1);
  if (to !== undefined) {
    yield* submit(visitStatements.moveOn, {
      urlId: visit.urlId,
      stage: STAGES.indexOf(to.stage),
      detail: to.detail ?? null,
    });
  }
  return row;
}

export function isSitemap({ record }: RecordedVisit): boolean {
  return record?.kind === 'sitemap' || record?.kind === 'feed';
}
