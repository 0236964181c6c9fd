import { parentPort, workerData } from 'node:worker_threads';
import { type MergeInput, mergeSegments } from './merger.ts';

/** Entry of the merge thread: one merge, one message, end. A failure ends it as an uncaught error. */
parentPort?.postMessage(await mergeSegments(workerData as MergeInput));
