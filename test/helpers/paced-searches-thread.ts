import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { PacedSearches, SentSearch } from './paced-searches.ts';

/** Sends searches at an even pace, whether or not those before have been answered, until it is told to stop. */
const { address, path, authorization, bodies, perSecond } = workerData as PacedSearches;
const agent = new Agent({ keepAlive: true });
const sent: SentSearch[] = [];
const underWay = new Set<Promise<void>>();
const startedAt = performance.now();
let count = 0;

function ask(method: string, to: string, body?: string): Promise<SentSearch> {
  const { promise, resolve } = Promise.withResolvers<SentSearch>();
  const beganAt = performance.now();
  const ended = (status: number) => resolve({ status, tookMs: performance.now() - beganAt });
  const headers = { 'content-type': 'application/json', ...(body === undefined ? {} : { authorization }) };
  const outgoing = request(address + to, { method, agent, headers }, (answer) => {
    answer.resume().on('end', () => ended(answer.statusCode ?? 0));
  });
  outgoing.on('error', () => ended(0)).end(body);
  return promise;
}

const timer = setInterval(() => {
  for (; count < ((performance.now() - startedAt) * perSecond) / 1_000; count++) {
    const asked = bodies === undefined ? ask('GET', path) : ask('POST', path, bodies[count % bodies.length]);
    const done = asked.then((answer) => {
      sent.push(answer);
      underWay.delete(done);
    });
    underWay.add(done);
  }
}, 1);

parentPort?.once('message', async () => {
  clearInterval(timer);
  await Promise.all(underWay);
  agent.destroy();
  parentPort?.postMessage(sent);
  parentPort?.close();
});
