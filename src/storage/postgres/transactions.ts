import { yieldInBackground } from '../../core/yield.ts';
import type { EachStep, Operation, StatementStep, TogetherStep } from '../sql/operation.ts';
import { heeded, type Session } from './connections.ts';
import { translateError } from './server-errors.ts';
import type { Ride } from './store-changes.ts';

/** A statement that takes longer is ended, and so is a transaction in which nothing happens. */
const STATEMENT_MS = 30_000;
const IDLE_MS = 10_000;

/**
 * Settings of one transaction: a pooler between us and the server gives each transaction another connection. Plans are
 * made when tables are small and used when they have grown: each statement is to read through its index from the start,
 * as on SQLite (`test/contract/frontier-statements.test.ts`), and none is worth being compiled.
 */
function settings(schema: string): string {
  return `SET LOCAL search_path TO "${schema}"; SET LOCAL statement_timeout TO ${STATEMENT_MS};
    SET LOCAL idle_in_transaction_session_timeout TO ${IDLE_MS}; SET LOCAL enable_seqscan TO off; SET LOCAL jit TO off`;
}

/** Begins a transaction that only reads a store. */
export function beginRead(schema: string): string {
  return `BEGIN READ ONLY; ${settings(schema)}`;
}

/** Begins a transaction that is the only one to write to a store, from here to its end. */
export function beginWrite(schema: string): string {
  return `BEGIN; ${settings(schema)}; SELECT pg_advisory_xact_lock(${lockOf(schema)})`;
}

/** Begins a transaction that writes where no lock of a store is needed. */
export function beginUnlocked(schema: string): string {
  return `BEGIN; ${settings(schema)}`;
}

/** Counts a change of a store: whoever follows it has to look. */
export function noteChange(schema: string): string {
  return `UPDATE fossick.stores SET changes = changes + 1 WHERE name = '${schema}' RETURNING changes`;
}

/** The number of the lock of a name, of 64 bits. */
export function lockOf(name: string): string {
  return `hashtextextended('${name}', 0)`;
}

/**
 * Runs work in a transaction, whose first statement is sent along with its beginning. What it throws undoes it, and is
 * thrown. `end` tells the last statements, the commit among them; `withinMs`: how long these and the beginning may take.
 */
export async function inTransaction<Result>(
  session: Session,
  { begin, end, withinMs }: { readonly begin: string; readonly end: () => string; readonly withinMs?: number },
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ended: Awaited<ReturnType<Session['script']>> }> {
  const begun = heeded(session.script(begin, withinMs));
  try {
    const result = await work();
    await begun;
    // What the work did not wait for is answered before its end is.
    const ending = heeded(session.script(end(), withinMs));
    await session.settled();
    const ended = await ending;
    // A transaction in which a statement failed cannot be committed, and the server says so by the name of its answer.
    if (ended.at(-1)?.command === 'ROLLBACK') throw new Error('The transaction had failed before its commit');
    return { result, ended };
  } catch (error) {
    throw await undone(session, begun, error);
  }
}

/** Runs an operation to its end; gives the thread away at its pauses. */
export async function runOperation<Result>(session: Session, operation: Operation<Result>): Promise<Result> {
  let next = operation.next();
  while (!next.done) {
    const step = next.value;
    if (step === 'pause') {
      await yieldInBackground();
      next = operation.next();
      continue;
    }
    const answer = await answerOf(session, step).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: translateError(error) }),
    );
    next = 'error' in answer ? operation.throw(answer.error) : operation.next(answer.result);
  }
  return next.value;
}

async function answerOf(session: Session, step: StatementStep | EachStep | TogetherStep): Promise<unknown> {
  if ('together' in step) return await runTogether(session, step);
  if (step.wanted !== 'nothing') return await session.step(step);
  session.submit(step);
  return undefined;
}

/** Each sends its next statement when the last is answered. The others fail with the first that does, and are waited for. */
async function runTogether(session: Session, { together }: TogetherStep): Promise<readonly unknown[]> {
  let failure: { readonly error: unknown } | undefined;
  const running = together.map((operation) =>
    runOperation(session, operation).catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  const results = await Promise.all(running);
  if (failure !== undefined) throw failure.error;
  return results;
}

/**
 * A read of a store. The commit leaves with the first statements, which are the only ones of most reads: each statement sees
 * what is committed when it begins, so that those that follow are as well off in a second transaction. Its commit, which
 * has nothing to keep, is not waited for. `ride` goes along.
 */
export async function readStore<Result>(
  session: Session,
  { schema, ride }: { readonly schema: string; readonly ride?: Ride | undefined },
  read: Operation<Result>,
): Promise<Result> {
  let begun = heeded(session.script(ride === undefined ? beginRead(schema) : `${beginRead(schema)}; ${ride.text}`));
  begun.then(
    (results) => ride?.answered(results.at(-1)?.rows ?? []),
    () => undefined,
  );
  let isOpen = true;
  const begin = () => {
    if (isOpen) return;
    begun = heeded(session.script(beginRead(schema)));
    isOpen = true;
  };
  const commit = () => {
    if (isOpen) void heeded(session.script('COMMIT'));
    isOpen = false;
  };
  const step: Session['step'] = (one) => {
    begin();
    return session.step(one);
  };
  try {
    const reading = runOperation({ ...session, step }, read);
    commit();
    const result = await reading;
    commit();
    return result;
  } catch (error) {
    throw await undone(session, begun, error);
  }
}

/** Ends a transaction that failed; resolves with why: at its beginning already, or later. */
async function undone(session: Session, begun: Promise<unknown>, error: unknown): Promise<unknown> {
  const first = await begun.then(
    () => failureOf(session, error),
    (beginning: unknown) => beginning,
  );
  await session.script('ROLLBACK').catch(() => undefined);
  return translateError(first);
}

/** Why a write failed: of a statement that it had not waited for, when its error only says that something failed before. */
export async function failureOf(session: Session, error: unknown): Promise<unknown> {
  const submitted = await session.settled().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  const failures = [submitted, error].filter((failure) => failure !== undefined);
  return failures.find((failure) => (failure as { code?: unknown }).code !== FOLLOWS_A_FAILURE) ?? error;
}

/** SQLSTATE of statements behind one that failed, until the transaction ends. */
const FOLLOWS_A_FAILURE = '25P02';
