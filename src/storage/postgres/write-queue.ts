import { AppError } from '../../core/errors.ts';
import type { Operation } from '../sql/operation.ts';
import { type Connections, heeded, type Session, tooManyWaiting } from './connections.ts';
import { translateError } from './server-errors.ts';
import { beginWrite, failureOf, inTransaction, noteChange, runOperation } from './transactions.ts';

/** Every write of a kind of store by name. */
export type Writes = Readonly<Record<string, unknown>>;

/** What writes to one store. Each call resolves after its commit. */
export type WriteQueue = {
  write(name: string, parameters: readonly unknown[]): Promise<unknown>;
};

type Pending = {
  readonly start: () => Operation<unknown>;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
};

type QueueOptions = {
  readonly connections: Connections;
  readonly schema: string;
  readonly writes: Writes;
  /** Told of each commit that has changed something: the number of changes of the store since it was made. */
  readonly onCommitted: (changes: number) => void;
  readonly bound: WriteBound;
};

/** Writes of a process that may wait at once; beyond it callers are told to come back (reliability: bounds). */
const MAX_WAITING = 2_000;
/** A transaction with more savepoints than 64 makes every snapshot of the server slower. */
const MAX_GROUP = 50;

/** What waits of all stores of a process, how long each write took, and why the last one found no room on the server. */
export type WriteBound = {
  waiting: number;
  refused: AppError | undefined;
  readonly onWritten: (seconds: number) => void;
};

/**
 * Writes that wait for the same store share a transaction and its one wait for the disk, each as a savepoint: one that
 * fails leaves its neighbours alone. Stores do not wait for each other.
 *
 * @throws AppError `rate.exceeded` from a write when 2,000 others wait
 */
export function createWriteQueue(options: QueueOptions): WriteQueue {
  const { writes, bound } = options;
  const waiting: Pending[] = [];
  let isDraining = false;

  const drain = async () => {
    isDraining = true;
    while (waiting.length > 0) await commitGroup(options, waiting.splice(0, MAX_GROUP));
    isDraining = false;
  };
  return {
    write: async (name, parameters) => {
      const operation = Object.hasOwn(writes, name) ? writes[name] : undefined;
      if (operation === undefined) throw new AppError('internal', `No write operation ${name}`);
      if (bound.waiting >= MAX_WAITING) throw tooManyWaiting(MAX_WAITING);
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<unknown>();
      const start = () => (operation as (...values: readonly unknown[]) => Operation<unknown>)(...parameters);
      const askedAtMs = performance.now();
      waiting.push({ start, done, failed });
      bound.waiting++;
      if (!isDraining) void drain();
      try {
        const result = await promise;
        bound.refused = undefined;
        return result;
      } catch (error) {
        if (error instanceof AppError && error.code === 'storage.full') bound.refused = error;
        throw error;
      } finally {
        bound.waiting--;
        bound.onWritten((performance.now() - askedAtMs) / 1_000);
      }
    },
  };
}

/** Never rejects: each write is told what became of it, and of success only after the commit. */
async function commitGroup(options: QueueOptions, group: readonly Pending[]): Promise<void> {
  try {
    const outcomes = await commit(options, (session) =>
      group.length === 1 ? applyAlone(session, group) : applyAll(session, group),
    );
    for (const report of outcomes) report();
  } catch (error) {
    for (const { failed } of group) failed(error);
  }
}

async function commit<Result>(options: QueueOptions, work: (session: Session) => Promise<Result>): Promise<Result> {
  const { connections, schema, onCommitted } = options;
  return connections.use(async (session) => {
    const end = () => (session.hasChanged() ? `${noteChange(schema)}; COMMIT` : 'COMMIT');
    const { result, ended } = await inTransaction(session, { begin: beginWrite(schema), end }, () => work(session));
    if (session.hasChanged()) onCommitted(Number(ended[0]?.rows[0]?.changes));
    return result;
  });
}

async function applyAlone(session: Session, group: readonly Pending[]): Promise<readonly (() => void)[]> {
  const outcomes: (() => void)[] = [];
  for (const { start, done } of group) {
    const result = await runOperation(session, start());
    outcomes.push(() => done(result));
  }
  return outcomes;
}

async function applyAll(session: Session, group: readonly Pending[]): Promise<readonly (() => void)[]> {
  const outcomes: (() => void)[] = [];
  for (const { start, done, failed } of group) {
    void heeded(session.script('SAVEPOINT write'));
    try {
      const result = await runOperation(session, start());
      await session.settled();
      void heeded(session.script('RELEASE write'));
      outcomes.push(() => done(result));
    } catch (error) {
      const failure = translateError(await failureOf(session, error));
      // Fails itself when the transaction or the connection is gone: then all fail.
      await session.script('ROLLBACK TO write; RELEASE write');
      outcomes.push(() => failed(failure));
    }
  }
  return outcomes;
}
