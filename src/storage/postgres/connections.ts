import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../observability/logger.ts';
import type { StatementStep, WriteResult } from '../sql/operation.ts';
import { COLUMN_TYPES } from './column-values.ts';
import { compileStep } from './compile.ts';
import { translateError } from './server-errors.ts';

/** Statements of one connection, in the order in which they are asked for; none waits for the answer to the one before. */
export type Session = {
  /** Statements without values, separated by semicolons, in one round trip; one result each. */
  script(text: string, withinMs?: number): Promise<readonly QueryResult[]>;
  /** One statement in the words of PostgreSQL, with the values of its places. */
  ask(text: string, values: readonly unknown[], withinMs?: number): Promise<QueryResult>;
  /** One statement of an operation. */
  step(step: StatementStep): Promise<unknown>;
  /** Whether a step has changed a row since `script` began a transaction. */
  hasChanged(): boolean;
};

/** Connections to one database, at most `max` at once. */
export type Connections = AsyncDisposable & {
  /**
   * Lends a connection. One whose work fails is closed unless `isReusable` says that its transaction has ended.
   * @throws AppError `storage.unavailable` when there is none within 10 s, or none can be made
   */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
};

export type DatabaseOptions = { readonly url: string; readonly max: number; readonly log: Log };

/** To connect, or to get a connection while all are busy. */
const CONNECT_WITHIN_MS = 10_000;
/** What a server that answers nothing at all costs: longer than any statement may take there (`transactions.ts`). */
const ANSWER_WITHIN_MS = 40_000;
const IDLE_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The package is loaded here, at the first use: an installation on SQLite never does. */
export async function openConnections({ url, max, log }: DatabaseOptions): Promise<Connections> {
  const { Pool } = await import('pg').catch((cause: unknown) => {
    throw new AppError('request.invalid', 'DATABASE_URL needs the package pg: npm install pg', { cause });
  });
  const pool = new Pool({
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
  const connect = withPauses(() => pool.connect());
  return {
    use: async (work) => {
      const client = await connect();
      try {
        const result = await work(sessionOn(client));
        client.release();
        return result;
      } catch (error) {
        client.release(isInTransaction(client));
        throw translateError(error);
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** After a failure nobody tries again for a moment, which doubles to 5 s: the calls meanwhile fail at once. */
function withPauses(connect: () => Promise<PoolClient>): () => Promise<PoolClient> {
  let failures = 0;
  let pausedUntilMs = 0;
  let last: unknown;
  return async () => {
    if (performance.now() < pausedUntilMs) throw last;
    try {
      const client = await connect();
      failures = 0;
      return client;
    } catch (error) {
      last = translateError(error);
      pausedUntilMs = performance.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      failures++;
      throw last;
    }
  };
}

function isInTransaction(client: PoolClient): boolean {
  return client.getTransactionStatus() !== 'I';
}

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

function sessionOn(client: PoolClient): Session {
  let hasChanged = false;
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
    step: async (step) => {
      const result = await client.query(queryOf(step));
      hasChanged ||= CHANGING.has(result.command) && (result.rowCount ?? 0) > 0;
      return answerOf(step.wanted, result);
    },
    hasChanged: () => hasChanged,
  };
}

function queryOf(step: StatementStep) {
  const { name, text, values } = compileStep(step);
  return { ...(name !== undefined && { name }), text, values: [...values] };
}

function answerOf(wanted: StatementStep['wanted'], { rows, rowCount }: QueryResult): unknown {
  if (wanted === 'all') return rows;
  if (wanted === 'first') return rows[0];
  const result: WriteResult = { changes: rowCount ?? 0, lastId: Number(rows.at(-1)?.id ?? 0) };
  return result;
}

export function tooManyWaiting(atOnce: number): AppError {
  const message = 'Too many writes are waiting: try again in a second';
  return new AppError('rate.exceeded', message, { retryAfterSeconds: 1, atOnce });
}
