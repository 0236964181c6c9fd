import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createDrain } from '../../../src/api/app.ts';
import { requestSignal } from '../../../src/api/request-signal.ts';
import { composeApi } from '../../../src/compose/api.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../helpers/eventually.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const STOPS = isLongForm ? 20 : 3;
const CONNECTIONS = 50;

async function startApi(dataDir: string) {
  const config = CONFIG.parse({ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', SEARCH_THREADS: '1' });
  const running = await composeApi({ config, log: silentLog, name: 'api.drain-test', metrics: createMetrics() });
  return { port: Number(new URL(running.note ?? '').port), stop: () => running[Symbol.asyncDispose]() };
}

/** A connection that is kept alive, with everything that came on it. */
async function open(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  const received = { text: '', error: undefined as unknown };
  socket.on('data', (bytes) => {
    received.text += bytes;
  });
  socket.on('error', (error) => {
    received.error = error;
  });
  await once(socket, 'connect');
  return { socket, received };
}

const ask = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

/** Status of readiness on a connection of its own, as a probe asks; undefined when nobody listens. */
function probe(port: number): Promise<number | undefined> {
  return fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: 'close' } }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );
}

test('a stop answers every request that was sent, tells a probe first, and ends within ten seconds', async () => {
  await using folder = await temporaryFolder();
  let answered = 0;
  let longestMs = 0;

  for (let stop = 1; stop <= STOPS; stop++) {
    const api = await startApi(join(folder.path, 'data'));
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(api.port)));
    for (const { socket } of connections) ask(socket, '/health/live');
    await eventually(() => connections.every(({ received }) => received.text.includes('{"status":"live"}')));
    for (const { received } of connections) received.text = '';
    // Still unread by the server when it is asked to stop.
    for (const { socket } of connections) ask(socket, '/health/live');
    const startedAtMs = performance.now();
    const stopped = api.stop();
    const probed: (number | undefined)[] = [];
    await eventually(async () => {
      probed.push(await probe(api.port));
      return probed.at(-1) === undefined;
    }, 20_000);
    await stopped;
    longestMs = Math.max(longestMs, performance.now() - startedAtMs);

    const complete = connections.filter(({ received }) =>
      /^HTTP\/1\.1 200 .*\{"status":"live"\}$/s.test(received.text),
    );
    answered += complete.length;
    expect(connections.flatMap(({ received }) => received.error ?? [])).toEqual([]);
    expect(complete).toHaveLength(CONNECTIONS);
    expect(complete.every(({ received }) => /^connection: close$/im.test(received.text))).toBe(true);
    expect(probed).toContain(503);
  }

  expect(longestMs).toBeLessThan(10_000);
  const figure = `${answered} of ${STOPS * CONNECTIONS} requests answered in ${STOPS} stops, longest ${(longestMs / 1_000).toFixed(1)} s`;
  reportFigure('processes.drain', figure);
});

test('an answer that would take too long ends as at its deadline', async () => {
  const app = fastify();
  app.decorate('drain', createDrain(app, { cutOffMs: 50, giveUpMs: 20_000 }));
  app.get('/slow', async (_request, reply) => {
    const signal = requestSignal(reply, 60_000);
    await once(signal, 'abort');
    return { ended: (signal.reason as Error).name };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { socket, received } = await open((app.server.address() as AddressInfo).port);
  const asked = once(app.server, 'request');
  ask(socket, '/slow');
  await asked;

  await app.drain.close(() => undefined);

  await eventually(() => received.text.endsWith('{"ended":"TimeoutError"}'));
});
