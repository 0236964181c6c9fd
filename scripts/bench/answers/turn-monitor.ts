import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into the product, with `?file=` in its URL: between two SIGUSR2, the api takes the processor time of each
 * turn of its event loop, and then writes the milliseconds of those above 1, the longest first. Other than delays, it
 * says nothing about what else the machine does.
 */

/** A turn of less did nothing: the next is looked at a millisecond later, so that an idle loop stays idle. */
const IDLE_MS = 0.15;
const TOLD_ABOVE_MS = 1;

const file = new URL(import.meta.url).searchParams.get('file');
let turns: number[] = [];
let isRunning = false;
let last = 0;

if (file !== null && isMainThread && process.argv[1]?.endsWith('/workers/api.ts')) {
  process.on('SIGUSR2', () => {
    isRunning = !isRunning;
    if (isRunning) begin();
    else writeFileSync(file, JSON.stringify(turns.filter((ms) => ms > TOLD_ABOVE_MS).sort((a, b) => b - a)));
  });
}

function begin(): void {
  turns = [];
  last = threadMs();
  setImmediate(look);
}

/** Callbacks of sockets and other immediates lie between two of these, or between one and a timer. */
function look(): void {
  if (!isRunning) return;
  if (mark() > IDLE_MS) setImmediate(look);
  else setTimeout(lookFromTimer, 1);
}

function lookFromTimer(): void {
  mark();
  setImmediate(look);
}

function mark(): number {
  const now = threadMs();
  const ms = now - last;
  turns.push(ms);
  last = now;
  return ms;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
