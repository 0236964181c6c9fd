import { parentPort, workerData } from 'node:worker_threads';
import { Segment } from '../segment/segment.ts';
import { buffersOf, buildCompletions } from './build-completions.ts';
import type { PhraseSource } from './collect-phrases.ts';

/** What the thread is given: the segments' shared memory with the extents of both fields. */
export type BuildMessage = Omit<PhraseSource, 'segments'> & {
  readonly segments: readonly {
    readonly head: SharedArrayBuffer;
    readonly fileBytes: number;
    readonly live: Uint32Array | undefined;
    readonly extents: readonly { readonly field: number; readonly buffer: SharedArrayBuffer }[];
  }[];
};

/** Entry of the thread: one build, one message, end. A failure ends it as an uncaught error. */
function build(message: BuildMessage): void {
  const segments = message.segments.map(({ head, fileBytes, live, extents }) => {
    const segment = new Segment(head, fileBytes);
    for (const { field, buffer } of extents) segment.attach(field, buffer);
    return { segment, live };
  });
  const data = buildCompletions({ ...message, segments });
  parentPort?.postMessage(data, buffersOf(data));
}

if (parentPort !== null) build(workerData as BuildMessage);
