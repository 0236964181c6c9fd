import type { ClockJump, ClockStore, NoteTime } from '../../installation-store.ts';
import { readMeta, writeMeta } from '../meta.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, systemSql } from '../statement.ts';
import type { SystemConnection } from '../write-thread.ts';

/** Corrections of a running time service are below a second; what waits for Redis or a host bears this much. */
const JUMP_MS = 30_000;
const RETAINED_JUMPS = 100;
const TIME = 'clock_noted_at';
/** Of an engine's store: the last jump that it has followed. */
const FOLLOWED = 'clock_jump';

/** Write operation: the jump that this note shows. */
export function noteTime(db: SqliteDatabase, { at, elapsedMs }: NoteTime): ClockJump | undefined {
  const before = readMeta(db, TIME);
  writeMeta(db, TIME, String(at));
  if (before === undefined) return undefined;
  const changeMs = at - Number(before);
  const byMs = Math.round(elapsedMs === undefined ? Math.min(changeMs, 0) : changeMs - elapsedMs);
  if (Math.abs(byMs) <= JUMP_MS) return undefined;
  const added = systemSql.insertInto('clock_jumps').values({ seen_at: at, by_ms: byMs }).returning('id');
  const id = db.first(added.compile())?.id ?? 0;
  db.run(
    systemSql
      .deleteFrom('clock_jumps')
      .where('id', '<=', id - RETAINED_JUMPS)
      .compile(),
  );
  if (byMs < 0) shiftHolds(db, { at, byMs });
  return { id, seenAt: at, byMs };
}

function shiftHolds(db: SqliteDatabase, { at, byMs }: { readonly at: number; readonly byMs: number }): void {
  const holds = systemSql.updateTable('host_holds');
  db.run(
    holds
      .set((row) => ({ until: row('until', '+', byMs) }))
      .where('until', '>', at)
      .compile(),
  );
  // Whoever asked in a time that is still to come has long ended.
  db.run(holds.set({ asked_until: null }).where('asked_until', '>', at).compile());
}

/**
 * Write operation on an engine's store: what waits for a time that was computed before the clock was set back waits as
 * long as it would have. Once per jump. One pass over the rows that are not due: 5 µs each.
 */
export function followClockJumps(
  db: SqliteDatabase,
  { jumps, at }: { readonly jumps: readonly ClockJump[]; readonly at: number },
): void {
  const followed = Number(readMeta(db, FOLLOWED) ?? 0);
  const newest = Math.max(followed, ...jumps.map(({ id }) => id));
  const byMs = jumps.reduce((sum, jump) => (jump.id > followed && jump.byMs < 0 ? sum + jump.byMs : sum), 0);
  if (newest > followed) writeMeta(db, FOLLOWED, String(newest));
  if (byMs === 0) return;
  const hosts = engineSql.updateTable('hosts');
  db.run(
    engineSql
      .updateTable('frontier')
      .set((row) => ({ due_at: row('due_at', '+', byMs) }))
      .where('due_at', '>', at)
      .compile(),
  );
  db.run(
    hosts
      .set((row) => ({ held_until: row('held_until', '+', byMs) }))
      .where('held_until', '>', at)
      .compile(),
  );
  // Somebody who asked for robots.txt in the future has long ended.
  db.run(hosts.set({ robots_asked_at: null }).where('robots_asked_at', '>', at).compile());
}

export function clockStore({ read, write }: SystemConnection): ClockStore {
  return {
    noteTime: (input) => write('noteTime', input),
    clockJumps: async () =>
      read.all(
        systemSql
          .selectFrom('clock_jumps')
          .select(['id', 'seen_at as seenAt', 'by_ms as byMs'])
          .orderBy('id', 'desc')
          .compile(),
      ),
  };
}
