import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
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

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a merge on a thread of its own, when one of the process's two places is free; ends the thread and rejects with
 * the signal's reason when it is aborted.
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
  if (running >= MERGE_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    signal.throwIfAborted();
    return await runOnThread<T>(task, signal);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
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
