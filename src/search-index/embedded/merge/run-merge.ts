import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WrittenSegment } from '../segment/assembly.ts';
import type { MergeInput } from './merger.ts';

/** Merges of all engines that run at once in this process. */
const MERGE_THREADS = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a merge on a thread of its own, when one of the process's two places is free; ends the thread and rejects with
 * the signal's reason when it is aborted.
 */
export async function runMergeThread(input: MergeInput, signal: AbortSignal): Promise<WrittenSegment> {
  if (running >= MERGE_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    signal.throwIfAborted();
    return await mergeOnThread(input, signal);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

async function mergeOnThread(input: MergeInput, signal: AbortSignal): Promise<WrittenSegment> {
  const worker = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData: input });
  try {
    const [written] = (await once(worker, 'message', { signal })) as [WrittenSegment];
    return written;
  } finally {
    await worker.terminate();
  }
}
