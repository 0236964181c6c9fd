import { sql } from 'kysely';
import { FRONTIER_FLAGS, STAGES, type Stage } from '../../core/crawl-words.ts';
import type { HeldLane, TakeLane } from '../frontier-store.ts';
import type { Lane, LaneOf } from '../run-store.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

/** Silence after which a lane may change hands (crawling: statements). */
const SILENCE_MS = 5_000;
/** From this crash on a row waits for the end of its run. */
const CRASHES_UNTIL_ALONE = 3;

type LaneRow = { crawler_id: number; stage: number; lane: number };

export const laneStatements = {
  take: statement<
    { crawlerId: number; stage: number; lane: number; holder: string; now: number; silentSince: number },
    { id: number; fence: number }
  >((p) =>
    engineSql
      .insertInto('lanes')
      .values({
        crawler_id: p.crawlerId,
        stage: p.stage,
        lane: p.lane,
        fence: 1,
        holder: p.holder,
        beat_at: p.now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['crawler_id', 'stage', 'lane'])
          .doUpdateSet((row) => ({ fence: row('lanes.fence', '+', 1), holder: p.holder, beat_at: p.now }))
          .where((row) => row.or([row('lanes.beat_at', '<', p.silentSince), row('lanes.holder', '=', p.holder)])),
      )
      .returning(['id', 'fence']),
  ),
  beat: statement<{ laneId: number; fence: number; now: number }>((p) =>
    engineSql.updateTable('lanes').set({ beat_at: p.now }).where('id', '=', p.laneId).where('fence', '=', p.fence),
  ),
  reap: statement<{ laneId: number }, { host_id: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set((row) => ({
        lane_id: null,
        fence: null,
        crashes: row('crashes', '+', 1),
        priority: sql<number>`iif(crashes + 1 >= ${CRASHES_UNTIL_ALONE}, 3, min(priority, 1))`,
        flags: sql<number>`iif(crashes + 1 >= ${CRASHES_UNTIL_ALONE}, flags | ${FRONTIER_FLAGS.alone}, flags)`,
      }))
      .where('lane_id', '=', p.laneId)
      .returning('host_id'),
  ),
  release: statement<{ laneId: number; fence: number }, { host_id: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ lane_id: null, fence: null })
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .returning('host_id'),
  ),
  abandoned: statement<{ before: number }, LaneRow>((p) =>
    engineSql
      .selectFrom('lanes')
      .select(['crawler_id', 'stage', 'lane'])
      .where('beat_at', '<', p.before)
      .where((row) =>
        row.exists(
          row.selectFrom('frontier').select('url_id').whereRef('frontier.lane_id', '=', 'lanes.id').limit(sql.lit(1)),
        ),
      ),
  ),
  list: statement<{ crawlerId: number }, LaneRow & { fence: number; beat_at: number }>((p) =>
    engineSql
      .selectFrom('lanes')
      .select(['crawler_id', 'stage', 'lane', 'fence', 'beat_at'])
      .where('crawler_id', '=', p.crawlerId),
  ),
};

/** Write operation: takes the lane and gives back what its last holder left. */
export function takeLane(db: SqliteDatabase, input: TakeLane): HeldLane | undefined {
  const { crawlerId, stage, lane, holder, now } = input;
  const taken = db.firstOf(laneStatements.take, {
    crawlerId,
    stage: STAGES.indexOf(stage),
    lane,
    holder,
    now,
    silentSince: now - SILENCE_MS,
  });
  if (taken === undefined) return undefined;
  const counts = new CrawlCounts();
  for (const row of db.allOf(laneStatements.reap, { laneId: taken.id })) counts.addWaiting(row.host_id, 1);
  counts.store(db);
  return { laneId: taken.id, fence: taken.fence };
}

/** Write operation: false when the lane has changed hands. */
export function beatLane(db: SqliteDatabase, { lane, now }: { lane: HeldLane; now: number }): boolean {
  return db.runOf(laneStatements.beat, { ...lane, now }).changes > 0;
}

/** Write operation: the lane may be taken at once, its leases wait again. */
export function freeLane(db: SqliteDatabase, lane: HeldLane): void {
  const counts = new CrawlCounts();
  for (const row of db.allOf(laneStatements.release, lane)) counts.addWaiting(row.host_id, 1);
  counts.store(db);
  beatLane(db, { lane, now: 0 });
}

export function abandonedLanes(db: SqliteDatabase, before: number): readonly LaneOf[] {
  return db.allOf(laneStatements.abandoned, { before }).map(laneOf);
}

export function listLanes(db: SqliteDatabase, crawlerId: number): readonly Lane[] {
  const rows = db.allOf(laneStatements.list, { crawlerId });
  return rows.map((row) => ({ ...laneOf(row), fence: row.fence, beatAt: row.beat_at }));
}

function laneOf({ crawler_id, stage, lane }: LaneRow): LaneOf {
  return { crawlerId: crawler_id, stage: STAGES[stage] as Stage, lane };
}
