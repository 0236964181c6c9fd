import { sql } from 'kysely';
import { FRONTIER_FLAGS, STAGES, type Stage } from '../../../core/crawl-words.ts';
import type { LeasedLane, TakeLane } from '../../frontier-store.ts';
import type { FencedLane, Lane, LaneOf, WatchedLane, WithdrawLane } from '../../run-store.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';
import { CrawlCounts } from './crawl-counts.ts';

/** From this crash on a row waits for the end of its run. */
const CRASHES_UNTIL_ALONE = 3;

type LaneRow = { crawler_id: number; stage: number; lane: number };

export const laneStatements = {
  take: statement<{ crawlerId: number; stage: number; lane: number; holder: string }, { id: number; fence: number }>(
    (p) =>
      engineSql
        .insertInto('lanes')
        .values({
          crawler_id: p.crawlerId,
          stage: p.stage,
          lane: p.lane,
          fence: 1,
          holder: p.holder,
          beats: 0,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['crawler_id', 'stage', 'lane'])
            .doUpdateSet((row) => ({ fence: row('lanes.fence', '+', 1), holder: p.holder }))
            .where((row) => row.or([row('lanes.holder', 'is', null), row('lanes.holder', '=', p.holder)])),
        )
        .returning(['id', 'fence']),
  ),
  beat: statement<{ laneId: number; fence: number }>((p) =>
    engineSql
      .updateTable('lanes')
      .set((row) => ({ beats: row('beats', '+', 1) }))
      .where('id', '=', p.laneId)
      .where('fence', '=', p.fence),
  ),
  free: statement<{ laneId: number; fence: number }>((p) =>
    engineSql.updateTable('lanes').set({ holder: null }).where('id', '=', p.laneId).where('fence', '=', p.fence),
  ),
  withdraw: statement<{ laneId: number; fence: number; beats: number }>((p) =>
    engineSql
      .updateTable('lanes')
      .set((row) => ({ holder: null, fence: row('fence', '+', 1) }))
      .where('id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .where('beats', '=', p.beats),
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
  held: statement<Record<string, never>, LaneRow & { id: number; fence: number; holder: string; beats: number }>(() =>
    engineSql
      .selectFrom('lanes')
      .select(['id', 'crawler_id', 'stage', 'lane', 'fence', 'beats'])
      .select((row) => row.ref('holder').$notNull().as('holder'))
      .where('holder', 'is not', null),
  ),
  abandoned: statement<Record<string, never>, LaneRow & { fence: number }>(() =>
    engineSql
      .selectFrom('lanes')
      .select(['crawler_id', 'stage', 'lane', 'fence'])
      .where('holder', 'is', null)
      .where((row) =>
        row.exists(
          row.selectFrom('frontier').select('url_id').whereRef('frontier.lane_id', '=', 'lanes.id').limit(sql.lit(1)),
        ),
      ),
  ),
  list: statement<{ crawlerId: number }, LaneRow & { fence: number; holder: string | null }>((p) =>
    engineSql
      .selectFrom('lanes')
      .select(['crawler_id', 'stage', 'lane', 'fence', 'holder'])
      .where('crawler_id', '=', p.crawlerId),
  ),
};

/** Write operation: takes the lane and gives back what its last holder left. */
export function* takeLane({ crawlerId, stage, lane, holder }: TakeLane): Operation<LeasedLane | undefined> {
  const taken = yield* fetchFirst(laneStatements.take, { crawlerId, stage: STAGES.indexOf(stage), lane, holder });
  if (taken === undefined) return undefined;
  const counts = new CrawlCounts();
  for (const row of yield* fetchAll(laneStatements.reap, { laneId: taken.id })) counts.addWaiting(row.host_id, 1);
  yield* counts.store();
  return { laneId: taken.id, fence: taken.fence };
}

/** Write operation: false when the lane has changed hands. */
export function* beatLane(lane: LeasedLane): Operation<boolean> {
  return (yield* execute(laneStatements.beat, lane)).changes > 0;
}

/** Write operation: the lane may be taken at once, its leases wait again. */
export function* freeLane(lane: LeasedLane): Operation<void> {
  const counts = new CrawlCounts();
  for (const row of yield* fetchAll(laneStatements.release, lane)) counts.addWaiting(row.host_id, 1);
  yield* counts.store();
  yield* execute(laneStatements.free, lane);
}

/** Write operation: false when the holder has beaten meanwhile. Its leases stay until the next holder takes them. */
export function* withdrawLane({ laneId, fence, beats }: WithdrawLane): Operation<boolean> {
  return (yield* execute(laneStatements.withdraw, { laneId, fence, beats })).changes > 0;
}

export function* leasedLanes(): Operation<readonly WatchedLane[]> {
  return (yield* fetchAll(laneStatements.held, {})).map((row) => {
    const { id: laneId, fence, holder, beats } = row;
    return { ...laneOf(row), laneId, fence, holder, beats };
  });
}

export function* abandonedLanes(): Operation<readonly FencedLane[]> {
  return (yield* fetchAll(laneStatements.abandoned, {})).map((row) => ({ ...laneOf(row), fence: row.fence }));
}

export function* listLanes(crawlerId: number): Operation<readonly Lane[]> {
  const rows = yield* fetchAll(laneStatements.list, { crawlerId });
  return rows.map((row) => ({ ...laneOf(row), fence: row.fence, isHeld: row.holder !== null }));
}

function laneOf({ crawler_id, stage, lane }: LaneRow): LaneOf {
  return { crawlerId: crawler_id, stage: STAGES[stage] as Stage, lane };
}
