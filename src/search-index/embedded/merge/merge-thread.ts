import { parentPort, workerData } from 'node:worker_threads';
import { buildVocabulary } from './build-vocabulary.ts';
import { mergeSegments } from './merger.ts';
import type { MergeTask } from './run-merge.ts';

/** Entry of the merge thread: one task, one message, end. A failure ends it as an uncaught error. */
const task = workerData as MergeTask;
parentPort?.postMessage(task.kind === 'merge' ? await mergeSegments(task.input) : await buildVocabulary(task.input));
