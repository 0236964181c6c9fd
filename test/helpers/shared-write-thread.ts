import {
  startWriteWorker,
  type WriteThread,
  type WriteWorker,
  writeOn,
} from '../../src/storage/sqlite/write-thread.ts';

let shared: WriteWorker | undefined;

/**
 * The write thread of a data folder. All folders of a test process share the thread itself, whose start costs 0.25 s
 * of processor time; it ends with the process. What is about the thread's life takes `startWriteThread`.
 */
export function sharedWriteThread(dataDir: string): WriteThread {
  shared ??= startWriteWorker();
  return writeOn(shared, dataDir);
}
