import type { ClientConfig, PoolClient, QueryConfig, QueryResult } from 'pg';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../observability/logger.ts';
import type { EachStep, StatementStep, WriteResult } from '../sql/operation.ts';
import { COLUMN_TYPES } from './column-values.ts';
import { compileEach, compileStep, PLACE_COLUMN } from './compile.ts';
import { translateError } from './server-errors.ts';

/** Statements of one connection, in the order in which they are asked for; none waits for the answer to the one before. */
export type Session = {
  /** Statements without values, separated by semicolons, in one round trip; one result each. */
  script(text: string, withinMs?: number): Promise<readonly QueryResult[]>;
  /** One statement in the words of PostgreSQL, with the values of its places. */
  ask(text: string, values: readonly unknown[], withinMs?: number): Promise<QueryResult>;
  /** One statement of an operation, or one for each set of values. */
  step(step: StatementStep | EachStep): Promise<unknown>;
  /** A statement whose answer is looked at by `settled` alone. */
  submit(step: StatementStep | EachStep): void;
  /** Rejects with the failure of the first statement that was submitted and failed since the last call. */
  settled(): Promise<void>;
  /** Whether a step may have changed a row since the connection was lent. */
  hasChanged(): boolean;
};

/** Connections to one database, at most `max` at once. */
export type Connections = AsyncDisposable & {
  /**
   * Lends a connection. One whose work fails is closed unless `isReusable` says that its transaction has ended.
   * @throws AppError `storage.unavailable` when there is none within 10 s, or none can be made
   */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** The server says nothing: what runs fails now, and calls fail at once until `heal`. */
  cut(): void;
  heal(): void;
};

export type DatabaseOptions = { readonly url: string; readonly max: number; readonly log: Log };

/** To connect, or to get a connection while all are busy. */
const CONNECT_WITHIN_MS = 10_000;
/**
 * Longer than any statement may take there (`transactions.ts`). A server that says nothing at all is known sooner
 * (`store-changes.ts`); this ends what waits on one connection that was lost without an end.
 */
const ANSWER_WITHIN_MS = 40_000;
/** To take leave of the server. */
const CLOSE_WITHIN_MS = 2_000;
const IDLE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The package is loaded here, at the first use: an installation on SQLite never does. */
export async function openConnections({ url, max, log }: DatabaseOptions): Promise<Connections> {
  const { Client, Pool } = await import('pg').catch((cause: unknown) => {
    throw new AppError('request.invalid', 'DATABASE_URL needs the package pg: npm install pg', { cause });
  });
  const clients = new Set<InstanceType<typeof Client>>();
  class KnownClient extends Client {
    constructor(config?: ClientConfig) {
      super(config);
      clients.add(this);
      this.once('end', () => clients.delete(this));
      // For a call that has waited for its turn since before the pause.
      if (isPaused()) setImmediate(() => this.connection.stream.destroy());
    }
  }
  const pool = new Pool({
    Client: KnownClient,
    connectionString: url,
    max,
    pipeline: true,
    types: COLUMN_TYPES,
    keepAlive: true,
    application_name: 'fossick',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
  });
  pool.on('error', (err) => log.warn({ err }, 'a connection to PostgreSQL has ended'));
  // One that ends while it is lent fails what runs on it; the event needs a listener all the same.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const { connect, isPaused, pause, resume, whyCut } = withPauses(
    () => pool.connect(),
    () => pool.idleCount > 0,
  );
  const drop = () => {
    for (const { connection } of clients) connection.stream.destroy();
  };
  return {
    use: async (work) => {
      const client = await connect();
      try {
        const result = await work(sessionOn(client));
        client.release();
        return result;
      } catch (error) {
        client.release(isInTransaction(client));
        const translated = translateError(error);
        // The end of a connection that was cut says nothing of why.
        const isEnded = translated instanceof AppError && translated.code === 'storage.unavailable';
        const why = isEnded ? whyCut() : undefined;
        // An error of its own: its stack tells who had asked.
        throw why === undefined ? translated : new AppError('storage.unavailable', why.message, { cause: error });
      }
    },
    cut: () => {
      pause(new AppError('storage.unavailable', 'PostgreSQL does not answer: nothing comes from the server'));
      drop();
    },
    heal: resume,
    [Symbol.asyncDispose]: async () => {
      const late = setTimeout(drop, CLOSE_WITHIN_MS);
      await pool.end();
      clearTimeout(late);
    },
  };
}

/**
 * After a failure nobody tries again for a moment, which doubles to 5 s: the calls meanwhile fail at once, but for those
 * that get a connection which is open.
 */
function withPauses(open: () => Promise<PoolClient>, hasIdle: () => boolean) {
  let failures = 0;
  let pausedUntilMs = 0;
  let last: unknown;
  let cutFor: AppError | undefined;
  const isPaused = () => performance.now() < pausedUntilMs;
  return {
    isPaused,
    connect: async () => {
      if (isPaused() && !hasIdle()) throw last;
      try {
        const client = await open();
        failures = 0;
        return client;
      } catch (error) {
        // Told to pause meanwhile, it says why.
        if (isPaused()) throw last;
        last = translateError(error);
        pausedUntilMs = performance.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
        failures++;
        throw last;
      }
    },
    /** Why `pause` was called, until `resume`. */
    whyCut: () => cutFor,
    /** Until `resume`. */
    pause: (why: AppError) => {
      cutFor = why;
      last = why;
      pausedUntilMs = Number.POSITIVE_INFINITY;
    },
    resume: () => {
      cutFor = undefined;
      failures = 0;
      pausedUntilMs = 0;
    },
  };
}

function isInTransaction(client: PoolClient): boolean {
  return client.getTransactionStatus() !== 'I';
}

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

function sessionOn(client: PoolClient): Session {
  let hasChanged = false;
  let submitted: Promise<unknown>[] = [];
  const step = async (one: StatementStep | EachStep) => {
    const result = await client.query(queryOf(one));
    hasChanged ||= CHANGING.has(result.command) && (result.rowCount ?? 0) > 0;
    return 'each' in one ? answersOf(one, result) : answerOf(one.wanted, result);
  };
  return {
    script: async (text, withinMs = ANSWER_WITHIN_MS) => {
      const query: QueryConfig & { readonly query_timeout: number } = { text, query_timeout: withinMs };
      // A text of several statements has a result of each.
      const results: QueryResult | QueryResult[] = await client.query(query);
      return [results].flat();
    },
    ask: async (text, values, withinMs = ANSWER_WITHIN_MS) => {
      const query: QueryConfig & { readonly query_timeout: number } = {
        text,
        values: [...values],
        query_timeout: withinMs,
      };
      return await client.query(query);
    },
    step,
    submit: (one) => {
      hasChanged = true;
      submitted.push(heeded(step(one)));
    },
    settled: async () => {
      const waitedFor = submitted;
      submitted = [];
      await Promise.all(waitedFor);
    },
    hasChanged: () => hasChanged,
  };
}

/** A promise that is looked at later: until then its failure is nobody's surprise. */
export function heeded<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

function queryOf(step: StatementStep | EachStep) {
  const { name, text, values } = 'each' in step ? compileEach(step) : compileStep(step);
  return { ...(name !== undefined && { name }), text, values: [...values] };
}

function answerOf(wanted: StatementStep['wanted'], { rows, rowCount }: QueryResult): unknown {
  if (wanted === 'all') return rows;
  if (wanted === 'first') return rows[0];
  if (wanted === 'nothing') return undefined;
  const result: WriteResult = { changes: rowCount ?? 0, lastId: Number(rows.at(-1)?.id ?? 0) };
  return result;
}

/** By place: a read tells the place of each row, an insert has its rows in order. */
function answersOf({ wanted, each }: EachStep, { rows }: QueryResult): readonly unknown[] {
  if (wanted !== 'first')
    return each.map((_values, at): WriteResult => ({ changes: 1, lastId: Number(rows[at]?.id ?? 0) }));
  const found: unknown[] = each.map(() => undefined);
  for (const { [PLACE_COLUMN]: place, ...row } of rows) found[Number(place) - 1] = row;
  return found;
}

export function tooManyWaiting(atOnce: number): AppError {
  const message = 'Too many writes are waiting: try again in a second';
  return new AppError('rate.exceeded', message, { retryAfterSeconds: 1, atOnce });
}
