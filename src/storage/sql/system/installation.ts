import {
  BACKUP_STARTERS,
  BACKUP_STATES,
  type BackupEnd,
  type BackupRecord,
  type BackupStarter,
  type BackupStore,
  type ClockJump,
  type ClockStore,
  type Lease,
  type LeaseStore,
  type NoteTime,
  type TakeLease,
} from '../../installation-store.ts';
import { readMeta, writeMeta } from '../meta.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, systemSql } from '../statement.ts';
import type { SystemConnection } from '../write-thread.ts';

/** Write operation: true when the holder has the lease afterwards. */
export function takeLease(db: SqliteDatabase, { name, holder, at, over }: TakeLease): boolean {
  const taken = systemSql
    .insertInto('leases')
    .values({ name, holder, beats: 1, renewed_at: at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((row) => ({ holder, beats: row('leases.beats', '+', 1), renewed_at: at }))
        .where((row) => {
          const isOwn = row('leases.holder', '=', holder);
          if (over === undefined) return isOwn;
          return row.or([
            isOwn,
            row.and([row('leases.holder', '=', over.holder), row('leases.beats', '=', over.beats)]),
          ]);
        }),
    );
  return db.run(taken.compile()).changes > 0;
}

/** Write operation. */
export function giveLease(db: SqliteDatabase, { name, holder }: { name: string; holder: string }): void {
  db.run(systemSql.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).compile());
}

export function leaseStore({ read, write }: SystemConnection): LeaseStore {
  return {
    takeLease: (input) => write('takeLease', input),
    giveLease: (name, holder) => write('giveLease', { name, holder }),
    findLease: async (name): Promise<Lease | undefined> => {
      const lease = systemSql
        .selectFrom('leases')
        .select(['holder', 'beats', 'renewed_at as renewedAt'])
        .where('name', '=', name);
      return read.first(lease.compile());
    },
  };
}

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

const RETAINED_RECORDS = 200;

/** Write operation. */
export function askBackup(
  db: SqliteDatabase,
  input: { readonly startedBy: BackupStarter; readonly at: number },
): number {
  const waiting = systemSql.selectFrom('backups').select('id').where('state', '=', 'waiting').compile();
  // A command has written its backup already.
  const known = input.startedBy === 'command' ? undefined : db.first(waiting);
  if (known !== undefined) return known.id;
  const row = { state: 'waiting', started_by: input.startedBy, asked_at: input.at };
  const { lastId } = db.run(systemSql.insertInto('backups').values(row).compile());
  db.run(
    systemSql
      .deleteFrom('backups')
      .where('id', '<=', lastId - RETAINED_RECORDS)
      .compile(),
  );
  return lastId;
}

/** Write operation. */
export function startBackup(db: SqliteDatabase, { id, file }: { readonly id: number; readonly file: string }): void {
  db.run(systemSql.updateTable('backups').set({ state: 'running', file }).where('id', '=', id).compile());
}

/** Write operation. */
export function endBackup(db: SqliteDatabase, end: BackupEnd): void {
  const outcome = 'bytes' in end ? { state: 'done', bytes: end.bytes } : { state: 'failed', problem: end.problem };
  db.run(
    systemSql
      .updateTable('backups')
      .set({ ...outcome, ended_at: end.at })
      .where('id', '=', end.id)
      .compile(),
  );
}

/** Write operation. */
export function forgetBackup(db: SqliteDatabase, { id }: { readonly id: number }): void {
  db.run(systemSql.deleteFrom('backups').where('id', '=', id).compile());
}

export function backupStore({ read, write }: SystemConnection): BackupStore {
  return {
    askBackup: (startedBy, at) => write('askBackup', { startedBy, at }),
    startBackup: (id, file) => write('startBackup', { id, file }),
    endBackup: (end) => write('endBackup', end),
    forgetBackup: (id) => write('forgetBackup', { id }),
    listBackups: async () => {
      const rows = read.all(systemSql.selectFrom('backups').selectAll().orderBy('id', 'desc').compile());
      return rows.map(
        (row): BackupRecord => ({
          id: row.id,
          state: BACKUP_STATES.find((state) => state === row.state) ?? 'failed',
          startedBy: BACKUP_STARTERS.find((starter) => starter === row.started_by) ?? 'command',
          askedAt: row.asked_at,
          endedAt: row.ended_at ?? undefined,
          file: row.file ?? undefined,
          bytes: row.bytes ?? undefined,
          problem: row.problem ?? undefined,
        }),
      );
    },
  };
}
