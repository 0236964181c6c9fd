import pg from 'pg';

/** Told of each transaction, or statement outside of one, when its end is sent: its statements, and the round trips of it. */
export type OnExchange = (statements: readonly string[], roundTrips: number) => void;

type Connection = { underWay: number; statements: string[]; roundTrips: number };

const BEGIN = /^BEGIN/;
const END = /(COMMIT|ROLLBACK)$/;

/**
 * Counts the round trips of this process to PostgreSQL from now on: a packet that leaves while nothing is on its way on
 * its connection begins one, whatever else is sent before the answers are there.
 */
export function countRoundTrips(onExchange: OnExchange = () => undefined): () => number {
  let roundTrips = 0;
  const connections = new WeakMap<object, Connection>();
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  const counted = function (this: object, ...values: unknown[]): unknown {
    const answer = query.apply(this, values);
    if (!(answer instanceof Promise)) return answer;
    const connection = connections.get(this) ?? { underWay: 0, statements: [], roundTrips: 0 };
    connections.set(this, connection);
    if (connection.underWay === 0) {
      roundTrips++;
      connection.roundTrips++;
    }
    connection.underWay++;
    const ended = () => {
      connection.underWay--;
    };
    answer.then(ended, ended);
    note(connection, textOf(values[0]), onExchange);
    return answer;
  };
  Object.assign(pg.Client.prototype, { query: counted });
  return () => roundTrips;
}

function note(connection: Connection, text: string, onExchange: OnExchange): void {
  connection.statements.push(text);
  if (BEGIN.test(connection.statements[0] ?? '') && !END.test(text)) return;
  onExchange(connection.statements, connection.roundTrips);
  connection.statements = [];
  connection.roundTrips = 0;
}

/** Of the first parameter of `query`. */
function textOf(query: unknown): string {
  const text = typeof query === 'string' ? query : (query as { readonly text?: unknown }).text;
  return String(text).trim();
}
