import type { Redis } from 'ioredis';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../observability/logger.ts';
import type { ClockJump, ClockStore } from '../storage/clock-store.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { emptyForClockJump } from './redis-markers.ts';

/** A jump below this is put right without a word. */
const REPEAT_AFTER_MS = 5 * 60_000;

export type ClockWatchDeps = {
  readonly clockStore: ClockStore;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  readonly redis: Redis;
  readonly log: Log;
};

/**
 * Notes the time at each call, also against that of the process before. When the clock was set back, Redis is emptied,
 * because its locks, slots and delayed jobs end at times that are far away now, and the sweep makes them again; and the
 * stores of the engines compute their due times anew. A jump is in the store before anything follows it: what a dying
 * process leaves undone the next one does.
 */
export function createClockWatch(deps: ClockWatchDeps): (engineIds: Iterable<number>) => Promise<void> {
  const { clockStore, engineStores, clock, monotonicMs, redis, log } = deps;
  const followed = new Map<number, number>();
  let notedAtMs: number | undefined;
  const follow = async (engineId: number, jumps: readonly ClockJump[], at: number) => {
    await (await engineStores.of(engineId)).followClockJumps(jumps, at);
  };
  return async (engineIds) => {
    const nowMs = monotonicMs();
    const at = clock.now();
    const elapsedMs = notedAtMs === undefined ? undefined : nowMs - notedAtMs;
    const jump = await clockStore.noteTime({ at, elapsedMs });
    notedAtMs = nowMs;
    if (jump !== undefined) tell(log, jump);
    const jumps = (await clockStore.clockJumps()).filter(({ byMs }) => byMs < 0);
    const [newest] = jumps;
    if (newest === undefined) return;
    await emptyForClockJump(redis, newest.id);
    for (const engineId of engineIds) {
      if (followed.get(engineId) === newest.id) continue;
      followed.set(engineId, newest.id);
      await follow(engineId, jumps, at).catch((err: unknown) =>
        log.error({ err, engineId }, 'due times of an engine could not be computed anew'),
      );
    }
  };
}

function tell(log: Log, { byMs }: ClockJump): void {
  const seconds = Math.round(byMs / 1_000);
  if (Math.abs(byMs) <= REPEAT_AFTER_MS) return;
  if (byMs < 0) log.warn({ seconds }, 'the clock was set back: due times are computed anew');
  else log.warn({ seconds }, 'the clock was set forward, or the machine slept: what was due meanwhile starts now');
}
