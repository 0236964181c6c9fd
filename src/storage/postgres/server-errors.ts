import { AppError } from '../../core/errors.ts';

/** SQLSTATE of a server that takes no writes: disk full, read-only, failing. */
const UNWRITABLE: ReadonlySet<string> = new Set(['53100', '25006', '58030']);
/** Of a table or index whose pages are not what they were, and of a store that somebody took away. */
const DAMAGED: ReadonlySet<string> = new Set(['XX001', 'XX002', '3F000', '42P01']);
/** Of statements that waited too long, met another transaction, or had no room: they may be tried again. */
const PASSING: ReadonlySet<string> = new Set(['57014', '25P03', '40001', '40P01', '55P03', '53200', '53400']);
/** Of a connection that was refused or ended: by the server (08, 57P), by the network, by our own deadline. */
const CONNECTION_CLASS = /^(?:08|57P)/;
const NETWORK = /^(?:ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT$)/;
const CONNECTION_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (?:has encountered|was closed))/;

const REFUSED: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the server does not let this user in (pg_hba.conf)',
  '3D000': 'the server has no such database: createdb makes it',
  '42501': 'the user lacks a right (GRANT CREATE ON DATABASE … TO …, and the stores belong to the user who made them)',
  '53300': 'it has no connection left (max_connections of the server, DATABASE_CONNECTIONS of each process)',
};

/** What the server or the way to it says, in the words of the port; the bugs of a statement stay what they are. */
export function translateError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  const refused = REFUSED[code];
  if (refused !== undefined) {
    return new AppError('storage.unavailable', `PostgreSQL (DATABASE_URL) cannot be used: ${refused}`, {
      cause: error,
    });
  }
  if (UNWRITABLE.has(code)) {
    return new AppError('storage.full', `PostgreSQL takes no writes: ${error.message}`, { cause: error });
  }
  if (DAMAGED.has(code)) {
    const message = `The stores in PostgreSQL are damaged: restore a dump (${error.message})`;
    return new AppError('storage.damaged', message, { cause: error });
  }
  if (PASSING.has(code) || CONNECTION_CLASS.test(code) || NETWORK.test(code) || CONNECTION_WORDS.test(error.message)) {
    return new AppError('storage.unavailable', `PostgreSQL does not answer: ${reasonOf(error)}`, { cause: error });
  }
  return error;
}

/** Of several addresses that were tried, the first. */
function reasonOf(error: Error): string {
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error ? first.message : error.message;
}
