import type { ChildProcess } from 'node:child_process';
import type { ExtractionStatus, FileExtraction } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { type ChildMessage, PARSER_PROTOCOL, type ParseMessage } from './parser-messages.ts';
import { residentBytes } from './parser-process.ts';

export type Attempt = Omit<ParseMessage, 'version'> & {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly memoryMb: number;
};

/** An inflating bomb grows 0.9 MB per ms: asked every 50 ms it ends at 540 to 600 MB, every 250 ms at 680. */
const MEMORY_POLL_MS = 50;

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

/**
 * One file in a child. A child over a limit, dead or aborted is killed; the caller gives back every other. Rejects by
 * the signal only.
 */
export async function readInChild(
  child: ChildProcess,
  { signal, timeoutMs, memoryMb, ...work }: Attempt,
): Promise<FileExtraction> {
  const outcome = Promise.withResolvers<FileExtraction>();
  const stop = (status: KillStatus) => {
    outcome.resolve(unreadFile(status, SENTENCES[status]));
    child.kill('SIGKILL');
  };
  const onMessage = (message: ChildMessage) => {
    if (message.type === 'result' && message.version === PARSER_PROTOCOL) outcome.resolve(message.result);
  };
  const onExit = () => stop('crashed');
  const onAbort = () => {
    outcome.reject(signal.reason);
    child.kill('SIGKILL');
  };
  const timeout = setTimeout(() => stop('timed-out'), timeoutMs);
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
    return await outcome.promise;
  } finally {
    clearTimeout(timeout);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}
