import type { ChildProcess } from 'node:child_process';
import type { ExtractionStatus, FileExtraction } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { type ChildMessage, PARSER_PROTOCOL, type ParseMessage, residentBytes } from './parser-process.ts';

export type Attempt = Omit<ParseMessage, 'version'> & {
  readonly signal: AbortSignal;
  /** From when the reader is loaded: until then nothing of the file is read. */
  /** Asked when the reader begins: its time. */
  readonly leftMs: () => number;
  readonly memoryMb: number;
};

/** An inflating bomb grows 0.9 MB per ms: asked every 50 ms it ends at 540 to 600 MB, every 250 ms at 680. */
const MEMORY_POLL_MS = 50;

/** A reader is loaded in less than a second, on a machine that has time. */
const LOADING_MS = 60_000;

const SENTENCES: Readonly<Record<KillStatus, string>> = {
  'timed-out': 'The file took too long to read',
  'out-of-memory': 'The file needs too much memory',
  crashed: 'The file broke its reader',
};
type KillStatus = Extract<ExtractionStatus, 'timed-out' | 'out-of-memory' | 'crashed'>;

/** Whether the child that read a file is gone. */
export function isKilled({ status }: FileExtraction): boolean {
  return status in SENTENCES;
}

export type ReadInChild = {
  readonly file: FileExtraction /** By `performance.now()`: when its reader began. */;
  readonly beganAt: number;
};

/**
 * One file in a child. A child over a limit, dead or aborted is killed; the caller gives back every other. Rejects by
 * the signal only.
 */
export async function readInChild(
  child: ChildProcess,
  { signal, leftMs, memoryMb, ...work }: Attempt,
): Promise<ReadInChild> {
  const outcome = Promise.withResolvers<FileExtraction>();
  const stop = (status: KillStatus) => {
    outcome.resolve(unreadFile(status, SENTENCES[status]));
    child.kill('SIGKILL');
  };
  let beganAt = performance.now();
  let timeout = setTimeout(() => stop('timed-out'), LOADING_MS);
  const onMessage = (message: ChildMessage) => {
    if (message.version !== PARSER_PROTOCOL) return;
    if (message.type === 'result') outcome.resolve(message.result);
    if (message.type !== 'loaded') return;
    beganAt = performance.now();
    clearTimeout(timeout);
    timeout = setTimeout(() => stop('timed-out'), leftMs());
  };
  const onExit = () => stop('crashed');
  const onAbort = () => {
    outcome.reject(signal.reason);
    child.kill('SIGKILL');
  };
  const watch = setInterval(async () => {
    if ((await residentBytes(child.pid)) > memoryMb * 1024 * 1024) stop('out-of-memory');
  }, MEMORY_POLL_MS);
  child.on('message', onMessage).once('exit', onExit).once('error', onExit);
  signal.addEventListener('abort', onAbort);
  try {
    child.ref();
    if (signal.aborted) onAbort();
    else {
      child.send({ version: PARSER_PROTOCOL, ...work } satisfies ParseMessage, (error) => {
        if (error !== null) stop('crashed');
      });
    }
    const file = await outcome.promise;
    return { file, beganAt };
  } finally {
    clearTimeout(timeout);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}
