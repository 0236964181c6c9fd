import type { ChildProcess } from 'node:child_process';
import { unlessAborted } from '../../core/concurrency.ts';
import type { ExtractionStatus, FileExtraction, FileKind, ParseFile } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { type ChildMessage, PARSER_PROTOCOL, type ParseMessage } from './parser-messages.ts';
import { residentBytes, startParserProcess } from './parser-process.ts';

export type ParserPoolOptions = {
  /** Children at most (`PARSER_PROCESSES`, 2). */
  readonly processes: number;
  /** Of one file, from its start in a child (`PARSER_TIMEOUT_MS`, 20,000). */
  readonly timeoutMs: number;
  /** Resident memory of a child while it reads a file (`PARSER_MEMORY_MB`, 512). */
  readonly memoryMb: number;
};

export type ParserPool = AsyncDisposable & {
  readonly parseFile: ParseFile;
  /** Children that were killed over a limit or died, by status. */
  readonly kills: ReadonlyMap<ExtractionStatus, number>;
};

/** An inflating bomb grows 0.9 MB per ms: asked every 50 ms it ends at 540 to 600 MB, every 250 ms at 680. */
const MEMORY_POLL_MS = 50;
const IDLE_MS = 60_000;
const FILES_PER_CHILD = 200;
const LEFT_OVER_BYTES = 256 * 1024 * 1024;

const SENTENCES: Readonly<Record<'timed-out' | 'out-of-memory' | 'crashed', string>> = {
  'timed-out': 'The file took too long to read',
  'out-of-memory': 'The file needs too much memory',
  crashed: 'The file broke its reader',
};

type Idle = { readonly child: ChildProcess; readonly files: number; readonly timer: NodeJS.Timeout };

/**
 * Children that read files, one file at a time each: started on first use, ended after 60 s without work, killed and
 * replaced over a limit. `parseFile` rejects by its signal only. Dispose it to end the children.
 */
export function createParserPool(options: ParserPoolOptions): ParserPool {
  const idle: Idle[] = [];
  const running = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  const kills = new Map<ExtractionStatus, number>();
  let slots = options.processes;

  const takeSlot = async (signal: AbortSignal) => {
    if (slots > 0) {
      slots--;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await unlessAborted(promise, signal);
    } catch (error) {
      const at = waiting.indexOf(resolve);
      if (at >= 0) waiting.splice(at, 1);
      else freeSlot();
      throw error;
    }
  };
  const freeSlot = () => {
    const next = waiting.shift();
    if (next === undefined) slots++;
    else next();
  };
  const takeChild = async () => {
    for (let held = idle.pop(); held !== undefined; held = idle.pop()) {
      clearTimeout(held.timer);
      if (held.child.connected) return held;
    }
    return { child: await startParserProcess(), files: 0 };
  };
  const giveBack = async (child: ChildProcess, files: number) => {
    if (files >= FILES_PER_CHILD || (await residentBytes(child.pid)) > LEFT_OVER_BYTES) {
      child.kill('SIGKILL');
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((held) => held.child === child),
        1,
      );
      child.kill('SIGKILL');
    }, IDLE_MS);
    timer.unref();
    child.unref();
    idle.push({ child, files, timer });
  };

  return {
    kills,
    async parseFile(bytes, kind, signal) {
      signal.throwIfAborted();
      await takeSlot(signal);
      try {
        const { child, files } = await takeChild();
        running.add(child);
        try {
          const result = await readIn(child, { bytes, kind, signal, options });
          if (result.status in SENTENCES) kills.set(result.status, (kills.get(result.status) ?? 0) + 1);
          else await giveBack(child, files + 1);
          return result;
        } finally {
          running.delete(child);
        }
      } finally {
        freeSlot();
      }
    },
    async [Symbol.asyncDispose]() {
      const children = [...running, ...idle.map(({ child }) => child)];
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all(children.map(endChild));
    },
  };
}

type Reading = {
  readonly bytes: Uint8Array;
  readonly kind: FileKind;
  readonly signal: AbortSignal;
  readonly options: ParserPoolOptions;
};

/** One file in a child. A child over a limit, dead or aborted is killed; the caller gives back every other. */
async function readIn(child: ChildProcess, { bytes, kind, signal, options }: Reading): Promise<FileExtraction> {
  const outcome = Promise.withResolvers<FileExtraction>();
  const stop = (status: keyof typeof SENTENCES) => {
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
  const timeout = setTimeout(() => stop('timed-out'), options.timeoutMs);
  const watch = setInterval(async () => {
    if ((await residentBytes(child.pid)) > options.memoryMb * 1024 * 1024) stop('out-of-memory');
  }, MEMORY_POLL_MS);
  child.on('message', onMessage).once('exit', onExit).once('error', onExit);
  signal.addEventListener('abort', onAbort);
  try {
    child.ref();
    child.send({ version: PARSER_PROTOCOL, kind, reader: 'first', bytes } satisfies ParseMessage, (error) => {
      if (error !== null) stop('crashed');
    });
    return await outcome.promise;
  } finally {
    clearTimeout(timeout);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
