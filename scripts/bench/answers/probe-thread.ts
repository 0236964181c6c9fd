import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { ProbePlan } from './probe-while.ts';

/** Entry of a thread that asks for what only passes the event loop, until it is told to end; then tells the times. */

const { address, least } = workerData as ProbePlan;
const PAUSE_MS = 5;
const agent = new Agent({ keepAlive: true });
const times: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});

await ask();
while (!isOver || times.length < least) {
  const startedAt = performance.now();
  await ask();
  times.push(performance.now() - startedAt);
  await pause(PAUSE_MS);
}
agent.destroy();
parentPort?.postMessage(times);

function ask(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = get(`${address}/health/live`, { agent }, (response) => response.resume().on('end', resolve));
  sent.on('error', reject);
  return promise;
}
