import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createSemaphore } from '../../../core/concurrency.ts';
import type { LanguageWords } from '../../../text/compounds.ts';
import type { WrittenSegment } from '../segment/assembly.ts';
import type { VocabularyInput } from './build-vocabulary.ts';
import type { MergeInput } from './merger.ts';

/** Work of the merge thread. */
export type MergeTask =
  | { readonly kind: 'merge'; readonly input: MergeInput }
  | { readonly kind: 'learn'; readonly input: VocabularyInput };

/** Tasks of all engines that run at once in this process. */
const MERGE_THREADS = 2;

const semaphore = createSemaphore(MERGE_THREADS);

/**
 * Runs a merge on a thread of its own, when one of the process's two permits is free; rejects with the signal's reason as
 * soon as it is aborted, and ends the thread.
 */
export function runMergeThread(input: MergeInput, signal: AbortSignal): Promise<WrittenSegment> {
  return runTask({ kind: 'merge', input }, signal);
}

/** Learns words on a thread, under the rules of `runMergeThread`. */
export function runVocabularyThread(
  input: VocabularyInput,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, LanguageWords>> {
  return runTask({ kind: 'learn', input }, signal);
}

async function runTask<T>(task: MergeTask, signal: AbortSignal): Promise<T> {
  using _permit = await semaphore.acquire(signal);
  return await runOnThread<T>(task, signal);
}

async function runOnThread<T>(task: MergeTask, signal: AbortSignal): Promise<T> {
  const worker = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData: task });
  try {
    const [result] = (await once(worker, 'message', { signal })) as [T];
    return result;
  } finally {
    await worker.terminate();
  }
}
