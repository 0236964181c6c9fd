import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../observability/logger.ts';
import type { EnteringProcess, LivingProcess, Machine, OwnProcess, ProcessRegistry } from '../process-registry.ts';
import { literalOf } from '../sql/statement.ts';
import type { Connections } from './connections.ts';

/** A process shows every so often that it lives, trusts its last sign for so long, and is dead to others after this. */
const BEAT_EVERY_MS = 4_000;
const TRUST_FOR_MS = 10_000;
const ALIVE_FOR_SECONDS = 15;
/** A process of the same name on another machine has to fall silent within this time. */
const ENTER_WITHIN_MS = 20_000;
const TRY_EVERY_MS = 500;
/** Rows of dead processes tell how long an index has been away (`projections.ts`). */
const KEPT_FOR = "interval '30 days'";

/** Whether a row is alive, by the clock of the server alone. */
const IS_ALIVE = `NOT process.has_ended AND process.seen_at > clock_timestamp() - interval '${ALIVE_FOR_SECONDS} seconds'`;
/** A sign of life that a crash of the server loses is followed by the next one: nobody waits for the disk. */
const UNHURRIED = 'BEGIN; SET LOCAL synchronous_commit TO off';

/** Processes of one machine, known by what they lose when they end. */
export type ProcessLocks = Pick<ProcessRegistry, 'enter' | 'isAlive'>;

type RegistryOptions = {
  readonly connections: Connections;
  readonly machine: Machine;
  /** What tells of processes of this machine at once; undefined: their rows do. */
  readonly locks: ProcessLocks | undefined;
  /** Name of the index that is of this machine. */
  readonly projection: string;
  readonly log: Log;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/**
 * Processes of all machines on one database: a row each, renewed by one statement every four seconds. Those of the own
 * machine are judged by its locks besides, which end with a process.
 */
export function processRows(options: RegistryOptions): ProcessRegistry {
  const { connections, machine, locks } = options;
  const ask = async (text: string) => (await connections.use((session) => session.script(text))).at(-1)?.rows ?? [];
  const own = `@${machine.id}`;
  return {
    machine,
    enter: async (process) => {
      await using stack = new AsyncDisposableStack();
      if (locks !== undefined) stack.use(await locks.enter(process));
      const entered = stack.use(await enterRow(options, process));
      const owned = stack.move();
      return { ...entered, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
    isAlive: async (holder) => {
      if (locks !== undefined && holder.endsWith(own)) return locks.isAlive(holder.slice(0, -own.length));
      const text = `SELECT 1 FROM fossick.processes process WHERE holder = ${literalOf(holder)} AND ${IS_ALIVE}`;
      return await ask(text).then(
        (rows) => rows.length > 0,
        () => true,
      );
    },
    living: async () => {
      const rows = await ask(`SELECT holder, name, machine, host, has_own_redis, misses FROM fossick.processes process
        WHERE ${IS_ALIVE} ORDER BY holder`);
      const living: LivingProcess[] = [];
      for (const row of rows) {
        const name = String(row.name);
        const id = String(row.machine);
        if (id === machine.id && locks !== undefined && !(await locks.isAlive(name))) continue;
        living.push({
          holder: String(row.holder),
          name,
          machine: { id, host: String(row.host) },
          hasOwnRedis: row.has_own_redis === 1,
          misses: String(row.misses).match(/\S+/g) ?? [],
        });
      }
      return living;
    },
  };
}

/** @throws Error when a process of another machine has the name, which happens to copies of a data folder */
async function enterRow(options: RegistryOptions, process: EnteringProcess): Promise<OwnProcess> {
  const { connections, machine, projection, log, monotonicMs } = options;
  const { name, writesIndex = false, hasOwnRedis = false, misses = () => [] } = process;
  const holder = `${name}@${machine.id}`;
  const life = randomUUID();
  const isOwn = `holder = ${literalOf(holder)} AND life = '${life}'`;
  const written = writesIndex ? projection : null;
  const texts = [holder, name, machine.id, machine.host, written, life, shownMisses()].map(literalOf);
  const values = [...texts, hasOwnRedis].join();
  // A row of this host is of a process that has ended: this one has the lock of its name.
  const enter = `DELETE FROM fossick.processes WHERE seen_at < clock_timestamp() - ${KEPT_FOR};
    INSERT INTO fossick.processes AS process (holder, name, machine, host, projection, life, misses, has_own_redis)
    VALUES (${values})
    ON CONFLICT (holder) DO UPDATE SET host = excluded.host, projection = excluded.projection, life = excluded.life,
      misses = excluded.misses, has_own_redis = excluded.has_own_redis, has_ended = false, seen_at = clock_timestamp()
    WHERE process.host = excluded.host OR NOT (${IS_ALIVE})`;
  await untilEntered();
  let shownAtMs = monotonicMs();
  let isReplaced = false;
  const beat = async () => {
    const startedAtMs = monotonicMs();
    const renew = `UPDATE fossick.processes SET seen_at = clock_timestamp(), misses = ${literalOf(shownMisses())}
      WHERE ${isOwn}`;
    const [, , renewed] = await connections.use((session) => session.script(`${UNHURRIED}; ${renew}; COMMIT`));
    if (renewed?.rowCount === 1) shownAtMs = startedAtMs;
    else if (!isReplaced) {
      isReplaced = true;
      log.error({ holder, host: machine.host }, copiedFolder(holder));
    }
  };
  let beating: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating.then(beat).catch((err: unknown) => log.warn({ err }, 'no sign of life could be given'));
  }, BEAT_EVERY_MS);
  timer.unref();
  return {
    holder,
    isTrusted: () => monotonicMs() - shownAtMs < TRUST_FOR_MS,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await beating;
      const end = `UPDATE fossick.processes SET has_ended = true, seen_at = clock_timestamp() WHERE ${isOwn}`;
      await connections
        .use((session) => session.script(end))
        .catch((err: unknown) => log.debug({ err }, 'others learn by its silence that this process has ended'));
    },
  };

  function shownMisses(): string {
    return misses().join(' ');
  }

  async function untilEntered(): Promise<void> {
    const deadline = performance.now() + ENTER_WITHIN_MS;
    for (;;) {
      const [, entered] = await connections.use((session) => session.script(enter));
      if (entered?.rowCount === 1) return;
      if (performance.now() > deadline) throw new Error(copiedFolder(holder));
      await delay(TRY_EVERY_MS);
    }
  }
}

function copiedFolder(holder: string): string {
  return `another machine runs ${holder} on this database: DATA_DIR is a copy of its folder; stop one of them, and remove the file machine-id from the copy`;
}
