import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WrittenSegment } from '../segment/assembly.ts';
import type { MergeInput } from './merger.ts';

/** Runs a merge on a thread of its own; ends the thread and rejects with the signal's reason when it is aborted. */
export async function runMergeThread(input: MergeInput, signal: AbortSignal): Promise<WrittenSegment> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData: input });
  try {
    const [written] = (await once(worker, 'message', { signal })) as [WrittenSegment];
    return written;
  } finally {
    await worker.terminate();
  }
}
