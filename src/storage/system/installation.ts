import { readMeta, writeMeta } from '../sql/meta.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, systemSql } from '../sql/statement.ts';
import type { Actor } from './accounts.ts';
import { addAuditRow } from './audit.ts';

/**
 * Part of the port `SystemStore`: exclusive rights on a role. Promises:
 * - at most one holder has a lease at any moment; `takeLease` is true for the holder that has it afterwards;
 * - a free lease goes to who asks first, and its holder renews it at any time: each renewal is one more beat;
 * - another takes it only `over` the beat that it names as the last of a holder that is gone: never over a later one;
 * - `giveLease` ends it at once and only for its holder.
 * No times are compared: whether a holder is gone is judged by `createHolderWatch`.
 */
export interface LeaseStore {
  takeLease(input: TakeLease): Promise<boolean>;
  giveLease(name: string, holder: string): Promise<void>;
  findLease(name: string): Promise<Lease | undefined>;
}

type Lease = {
  readonly holder: string;
  readonly beats: number;
  /** For people: wall time of the holder at its last renewal. */
  readonly renewedAt: number;
};

type TakeLease = {
  readonly name: string;
  readonly holder: string;
  readonly at: number;
  readonly over?: Pick<Lease, 'holder' | 'beats'> | undefined;
};

/** Who starts a backup without anybody's asking through the admin API: the schedule, or the command `fossick backup`. */
const BACKUP_STARTERS: readonly Actor[] = ['schedule', 'command'];

const BACKUP_STATES = ['waiting', 'running', 'done', 'failed'] as const;
type BackupState = (typeof BACKUP_STATES)[number];

/** One backup of the installation, whatever became of it. */
export type BackupRecord = {
  readonly id: number;
  readonly state: BackupState;
  /** One that asked through the admin API, `schedule` or `command`. */
  readonly startedBy: Actor;
  readonly askedAt: number;
  readonly endedAt: number | undefined;
  readonly file: string | undefined;
  readonly bytes: number | undefined;
  /** Why it failed, for the operator. */
  readonly problem: string | undefined;
};

type BackupEnd = { readonly id: number; readonly at: number } & (
  | { readonly bytes: number }
  | { readonly problem: string }
);

/**
 * Port: which backups were asked for and what became of them. Promises:
 * - `askBackup` answers with the one that waits already, if one does; one that somebody asked for is in the audit log;
 * - `listBackups` lists newest first; the last 200 are kept;
 * - a backup whose file was removed by retention is forgotten.
 */
export interface BackupStore {
  askBackup(startedBy: Actor, at: number): Promise<number>;
  startBackup(id: number, file: string): Promise<void>;
  endBackup(end: BackupEnd): Promise<void>;
  forgetBackup(id: number): Promise<void>;
  listBackups(): Promise<readonly BackupRecord[]>;
}

/**
 * Part of the port `SystemStore`: what the wall clock of the installation did. Promises:
 * - `noteTime` keeps the time, and records a jump of more than 30 s against the time that was noted before, together;
 * - what has passed is `elapsedMs` by a clock that only grows. Without it, at the first note of a process, only a clock
 *   that was set back is a jump: forward, nobody can tell it from a pause;
 * - jumps are numbered upwards, and the last 100 are kept.
 */
export interface ClockStore {
  noteTime(input: NoteTime): Promise<ClockJump | undefined>;
  /** Newest first. */
  clockJumps(): Promise<readonly ClockJump[]>;
}

type NoteTime = { readonly at: number; readonly elapsedMs: number | undefined };

export type ClockJump = {
  readonly id: number;
  /** Wall time when it was seen, by the clock as it is since. */
  readonly seenAt: number;
  /** Below 0: the clock was set back. */
  readonly byMs: number;
};

/** Write operation: true when the holder has the lease afterwards. */
function* takeLease({ name, holder, at, over }: TakeLease): Operation<boolean> {
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
  return (yield* execute(taken)).changes > 0;
}

/** Write operation. */
function* giveLease(name: string, holder: string): Operation<void> {
  yield* execute(systemSql.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder));
}

export const leaseStore = defineStore<LeaseStore>()(
  {
    *findLease(name) {
      const lease = systemSql
        .selectFrom('leases')
        .select(['holder', 'beats', 'renewed_at as renewedAt'])
        .where('name', '=', name);
      return yield* fetchFirst(lease);
    },
  },
  {
    takeLease,
    giveLease,
  },
);

/** Corrections of a running time service are below a second; what waits for Redis or a host bears this much. */
const JUMP_MS = 30_000;
const RETAINED_JUMPS = 100;
const TIME = 'clock_noted_at';
/** Of an engine's store: the last jump that it has followed. */
const FOLLOWED = 'clock_jump';

/** Write operation: the jump that this note shows. */
function* noteTime({ at, elapsedMs }: NoteTime): Operation<ClockJump | undefined> {
  const before = yield* readMeta(TIME);
  yield* writeMeta(TIME, String(at));
  if (before === undefined) return undefined;
  const changeMs = at - Number(before);
  const byMs = Math.round(elapsedMs === undefined ? Math.min(changeMs, 0) : changeMs - elapsedMs);
  if (Math.abs(byMs) <= JUMP_MS) return undefined;
  const added = systemSql.insertInto('clock_jumps').values({ seen_at: at, by_ms: byMs }).returning('id');
  const id = (yield* fetchFirst(added))?.id ?? 0;
  yield* execute(systemSql.deleteFrom('clock_jumps').where('id', '<=', id - RETAINED_JUMPS));
  if (byMs < 0) yield* shiftHolds({ at, byMs });
  return { id, seenAt: at, byMs };
}

function* shiftHolds({ at, byMs }: { readonly at: number; readonly byMs: number }): Operation<void> {
  const holds = systemSql.updateTable('host_holds');
  yield* execute(holds.set((row) => ({ until: row('until', '+', byMs) })).where('until', '>', at));
  // Whoever asked in a time that is still to come has long ended.
  yield* execute(holds.set({ asked_until: null }).where('asked_until', '>', at));
}

/**
 * Write operation on an engine's store: what waits for a time that was computed before the clock was set back waits as
 * long as it would have. Once per jump. One pass over the rows that are not due: 5 µs each.
 */
export function* followClockJumps(jumps: readonly ClockJump[], at: number): Operation<void> {
  const followed = Number((yield* readMeta(FOLLOWED)) ?? 0);
  const newest = Math.max(followed, ...jumps.map(({ id }) => id));
  const byMs = jumps.reduce((sum, jump) => (jump.id > followed && jump.byMs < 0 ? sum + jump.byMs : sum), 0);
  if (newest > followed) yield* writeMeta(FOLLOWED, String(newest));
  if (byMs === 0) return;
  const hosts = engineSql.updateTable('hosts');
  yield* execute(
    engineSql
      .updateTable('frontier')
      .set((row) => ({ due_at: row('due_at', '+', byMs) }))
      .where('due_at', '>', at),
  );
  yield* execute(hosts.set((row) => ({ held_until: row('held_until', '+', byMs) })).where('held_until', '>', at));
  // Somebody who asked for robots.txt in the future has long ended.
  yield* execute(hosts.set({ robots_asked_at: null }).where('robots_asked_at', '>', at));
}

export const clockStore = defineStore<ClockStore>()(
  {
    *clockJumps() {
      return yield* fetchAll(
        systemSql.selectFrom('clock_jumps').select(['id', 'seen_at as seenAt', 'by_ms as byMs']).orderBy('id', 'desc'),
      );
    },
  },
  {
    noteTime,
  },
);

const RETAINED_RECORDS = 200;

/** Write operation. */
export function* askBackup(startedBy: Actor, at: number): Operation<number> {
  const waiting = systemSql.selectFrom('backups').select('id').where('state', '=', 'waiting');
  // A command has written its backup already.
  const known = startedBy === 'command' ? undefined : yield* fetchFirst(waiting);
  if (known !== undefined) return known.id;
  const row = { state: 'waiting', started_by: startedBy, asked_at: at };
  const { lastId } = yield* execute(systemSql.insertInto('backups').values(row));
  yield* execute(systemSql.deleteFrom('backups').where('id', '<=', lastId - RETAINED_RECORDS));
  if (!BACKUP_STARTERS.includes(startedBy)) {
    yield* addAuditRow({ at, actor: startedBy, action: 'ask-backup', target: `backup:${lastId}` });
  }
  return lastId;
}

/** Write operation. */
export function* startBackup(id: number, file: string): Operation<void> {
  yield* execute(systemSql.updateTable('backups').set({ state: 'running', file }).where('id', '=', id));
}

/** Write operation. */
export function* endBackup(end: BackupEnd): Operation<void> {
  const outcome = 'bytes' in end ? { state: 'done', bytes: end.bytes } : { state: 'failed', problem: end.problem };
  yield* execute(
    systemSql
      .updateTable('backups')
      .set({ ...outcome, ended_at: end.at })
      .where('id', '=', end.id),
  );
}

/** Write operation. */
function* forgetBackup(id: number): Operation<void> {
  yield* execute(systemSql.deleteFrom('backups').where('id', '=', id));
}

export const backupStore = defineStore<BackupStore>()(
  {
    *listBackups() {
      const rows = yield* fetchAll(systemSql.selectFrom('backups').selectAll().orderBy('id', 'desc'));
      return rows.map(
        (row): BackupRecord => ({
          id: row.id,
          state: BACKUP_STATES.find((state) => state === row.state) ?? 'failed',
          startedBy: row.started_by,
          askedAt: row.asked_at,
          endedAt: row.ended_at ?? undefined,
          file: row.file ?? undefined,
          bytes: row.bytes ?? undefined,
          problem: row.problem ?? undefined,
        }),
      );
    },
  },
  {
    askBackup,
    startBackup,
    endBackup,
    forgetBackup,
  },
);
