import { sql } from 'kysely';
import { FRONTIER_FLAGS, STAGES, type Stage } from '../../core/crawl-words.ts';
import { least } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { CrawlCounts } from './crawl-counts.ts';

/**
 * Part of the port `EngineStore`: lanes, each the right of one holder to work on a stage of a crawler. Promises:
 * 1. a lane has one holder until that frees it or it is withdrawn; a holder of the same name takes it again at once,
 *    and its fence grows each time it changes hands;
 * 2. taking a lane gives back the rows of the holder before, first in line, each charged a crash, none an attempt.
 */
export interface LaneStore {
  /** Undefined: somebody is at work there. */
  takeLane(input: TakeLane): Promise<LeasedLane | undefined>;
  /** False: the lane has changed hands. */
  beatLane(lane: LeasedLane): Promise<boolean>;
  /** Gives the lane and all its leases back, without a crash or an attempt. */
  freeLane(lane: LeasedLane): Promise<void>;
  /** Lanes of all crawlers that somebody has. */
  leasedLanes(): Promise<readonly WatchedLane[]>;
  /** Takes a lane from a holder that is gone; its rows wait for the next one. False when it has beaten since it was read. */
  withdrawLane(lane: WithdrawLane): Promise<boolean>;
  /** Lanes without a holder that rows are leased to. */
  abandonedLanes(): Promise<readonly FencedLane[]>;
  listLanes(crawlerId: number): Promise<readonly Lane[]>;
}

type TakeLane = {
  readonly crawlerId: number;
  readonly stage: Stage;
  readonly lane: number;
  readonly holder: string;
};

export type LeasedLane = { readonly laneId: number; readonly fence: number };

type LaneOf = { readonly crawlerId: number; readonly stage: Stage; readonly lane: number };
type FencedLane = LaneOf & { readonly fence: number };
type Lane = FencedLane & { readonly isHeld: boolean };
type WithdrawLane = { readonly laneId: number; readonly fence: number; readonly beats: number };
type WatchedLane = LaneOf & WithdrawLane & { readonly holder: string };

export const laneStore = defineStore<LaneStore>()(
  { leasedLanes, abandonedLanes, listLanes },
  { takeLane, beatLane, freeLane, withdrawLane },
);

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
        priority: sql<number>`CASE WHEN crashes + 1 >= ${CRASHES_UNTIL_ALONE} THEN 3 ELSE ${least(sql.ref('priority'), 1)} END`,
        flags: sql<number>`CASE WHEN crashes + 1 >= ${CRASHES_UNTIL_ALONE} THEN flags | ${FRONTIER_FLAGS.alone} ELSE flags END`,
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
function* takeLane({ crawlerId, stage, lane, holder }: TakeLane): Operation<LeasedLane | undefined> {
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
function* withdrawLane({ laneId, fence, beats }: WithdrawLane): Operation<boolean> {
  return (yield* execute(laneStatements.withdraw, { laneId, fence, beats })).changes > 0;
}

function* leasedLanes(): Operation<readonly WatchedLane[]> {
  return (yield* fetchAll(laneStatements.held, {})).map((row) => {
    const { id: laneId, fence, holder, beats } = row;
    return { ...laneOf(row), laneId, fence, holder, beats };
  });
}

function* abandonedLanes(): Operation<readonly FencedLane[]> {
  return (yield* fetchAll(laneStatements.abandoned, {})).map((row) => ({ ...laneOf(row), fence: row.fence }));
}

function* listLanes(crawlerId: number): Operation<readonly Lane[]> {
  const rows = yield* fetchAll(laneStatements.list, { crawlerId });
  return rows.map((row) => ({ ...laneOf(row), fence: row.fence, isHeld: row.holder !== null }));
}

function laneOf({ crawler_id, stage, lane }: LaneRow): LaneOf {
  return { crawlerId: crawler_id, stage: STAGES[stage] as Stage, lane };
}
