import pg from 'pg';

/**
 * Counts the round trips of this process to PostgreSQL from now on: a packet that leaves while nothing is on its way on
 * its connection begins one, whatever else is sent before the answers are there.
 */
export function countRoundTrips(): () => number {
  let roundTrips = 0;
  const underWay = new WeakMap<object, number>();
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown;
  const counted = function (this: object, ...values: unknown[]): unknown {
    const answer = query.apply(this, values);
    if (!(answer instanceof Promise)) return answer;
    const before = underWay.get(this) ?? 0;
    if (before === 0) roundTrips++;
    underWay.set(this, before + 1);
    const ended = () => {
      underWay.set(this, (underWay.get(this) ?? 1) - 1);
    };
    answer.then(ended, ended);
    return answer;
  };
  Object.assign(pg.Client.prototype, { query: counted });
  return () => roundTrips;
}
