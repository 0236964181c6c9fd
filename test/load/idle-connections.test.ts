import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { quantileMs, whileSearching } from '../helpers/paced-searches.ts';
import { reportFigure } from '../helpers/scorecard.ts';
import { startTwoCustomers } from '../helpers/two-customers.ts';

const CONNECTIONS = 10_000;
const OPENED_AT_ONCE = 100;
const MOST_RESIDENT_MB = 2_000;
const QUERIES = ['*', 'page', 'category', 'page of'].map((query) => JSON.stringify({ query }));

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
}

/** A connection that has been answered once and is kept alive. */
function openIdle(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host: '127.0.0.1', port });
  socket.once('error', reject);
  socket.once('data', () => resolve(socket));
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return promise;
}

test('ten thousand idle connections stop no search', async () => {
  await using running = await startTwoCustomers([{ count: 500, chars: 3_000 }]);
  const { product, customers } = running;
  const [{ search, key }] = customers;
  const { address } = product;
  const api = product.pids().get('api') ?? 0;
  const ordinary = { address, path: search, authorization: key, bodies: QUERIES, perSecond: 25 };
  await whileSearching(ordinary, () => pause(5_000));
  const alone = await whileSearching(ordinary, () => pause(15_000));
  const baseMb = residentMb(api);
  const idle: Socket[] = [];
  let closed = 0;

  while (idle.length < CONNECTIONS) {
    const port = Number(new URL(address).port);
    const opened = await Promise.all(Array.from({ length: OPENED_AT_ONCE }, () => openIdle(port)));
    for (const socket of opened) socket.once('close', () => closed++);
    idle.push(...opened);
  }
  const beside = await whileSearching(ordinary, () => pause(15_000));
  const residentNowMb = residentMb(api);
  const closedMeanwhile = closed;
  for (const socket of idle) socket.destroy();

  const [aloneMs, besideMs] = [quantileMs(alone, 0.99), quantileMs(beside, 0.99)];
  const figure = `p99 ${aloneMs.toFixed(1)} ms without, ${besideMs.toFixed(1)} ms with ${CONNECTIONS} idle connections, which take ${(residentNowMb - baseMb).toFixed(0)} MB`;
  reportFigure('search.idle-connections', figure);
  expect([...alone, ...beside].filter(({ status }) => status !== 200)).toEqual([]);
  expect(closedMeanwhile).toBe(0);
  expect(besideMs).toBeLessThan(2 * aloneMs + 10);
  expect(residentNowMb).toBeLessThan(MOST_RESIDENT_MB);
});
