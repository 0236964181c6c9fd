import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import type { Operation } from '../sql/operation.ts';
import type { engineWrites, systemWrites } from '../sql/stores.ts';
import type { MigratedStore } from './migrate-with-copy.ts';
import {
  fromSentError,
  type StoreFile,
  type StoreTarget,
  storePath,
  type WriteReply,
  type WriteRequest,
} from './write-messages.ts';

/** Writes that may wait at once; beyond it callers are told to come back (reliability: bounds). */
const MAX_WAITING = 2_000;
const RETRY_AFTER_SECONDS = 1;

type ResultOf<Write> = Write extends (...parameters: never[]) => Operation<infer Result> ? Result : never;
type ParametersOf<Write> = Write extends (...parameters: infer Parameters) => unknown ? Parameters : never;

/** What writes to the stores of one data folder. Each call resolves after its commit is on disk. */
export type WriteThread = AsyncDisposable & {
  system<Name extends keyof typeof systemWrites>(
    name: Name,
    ...parameters: ParametersOf<(typeof systemWrites)[Name]>
  ): Promise<ResultOf<(typeof systemWrites)[Name]>>;
  engine<Name extends keyof typeof engineWrites>(
    engineId: number,
    name: Name,
    ...parameters: ParametersOf<(typeof engineWrites)[Name]>
  ): Promise<ResultOf<(typeof engineWrites)[Name]>>;
  /** The same by a name that is known at run time only: of a method of a port. */
  write(target: StoreTarget, name: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Makes the file and its tables, so that readers can open it. */
  open(target: StoreTarget): Promise<void>;
  /** Commits what waits and closes the file. */
  close(target: StoreTarget): Promise<void>;
};

/** Told when opening a store has moved it forward. */
export type OnMigrated = (migrated: MigratedStore) => void;

type Waiting = {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  /** Of a write: when it was asked for. */
  readonly askedAtMs: number | undefined;
};
type Unsent<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

/** The one thread of a process that writes, to stores of any data folder. */
export type WriteWorker = AsyncDisposable & {
  /** Starts the thread when there is none. */
  send<Result>(request: Unsent<WriteRequest>): Promise<Result>;
  /** Commits what waits in those of the files that are open, and closes them. */
  closeFiles(files: Iterable<StoreFile>): Promise<void>;
  /** Writes that are asked for and not answered. */
  waiting(): number;
};

/** Told how long a write took, from the call to its commit on disk. */
export type OnWritten = (seconds: number) => void;

/**
 * A thread that dies fails the writes that waited for it; the next write starts another. Once disposed, writes fail.
 *
 * @throws AppError `rate.exceeded` from a write when 2,000 others wait, `internal` when the thread has ended.
 */
export function startWriteThread(
  dataDir: string,
  onMigrated: OnMigrated = () => undefined,
  onWritten: OnWritten = () => undefined,
): WriteThread & { readonly waiting: () => number } {
  const worker = startWriteWorker(onWritten);
  const thread = writeOn(worker, dataDir, onMigrated);
  return {
    ...thread,
    waiting: worker.waiting,
    [Symbol.asyncDispose]: async () => {
      await thread[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
    },
  };
}

/** The stores of one data folder on a thread that may serve others; disposing it closes its files only. */
export function writeOn(worker: WriteWorker, dataDir: string, onMigrated: OnMigrated = () => undefined): WriteThread {
  const used = new Map<string, StoreFile>();
  let isDisposed = false;

  const fileOf = (target: StoreTarget): StoreFile => {
    const file = { kind: target.kind, path: storePath(dataDir, target) };
    used.set(file.path, file);
    return file;
  };
  const send = <Result>(request: Unsent<WriteRequest>): Promise<Result> =>
    isDisposed ? Promise.reject(hasEnded()) : worker.send(request);
  return {
    system: (name, ...parameters) => send({ type: 'write', file: fileOf({ kind: 'system' }), name, parameters }),
    engine: (engineId, name, ...parameters) =>
      send({ type: 'write', file: fileOf({ kind: 'engine', engineId }), name, parameters }),
    write: (target, name, parameters) => send({ type: 'write', file: fileOf(target), name, parameters }),
    open: async (target) => {
      const migrated = await send<MigratedStore | undefined>({ type: 'open', file: fileOf(target) });
      if (migrated !== undefined) onMigrated(migrated);
    },
    close: (target) => send({ type: 'close', file: fileOf(target) }),
    [Symbol.asyncDispose]: async () => {
      await worker.closeFiles(used.values());
      isDisposed = true;
    },
  };
}

export function startWriteWorker(onWritten: OnWritten = () => undefined): WriteWorker {
  const waiting = new Map<number, Waiting>();
  /** Paths of the files that the thread may have open. */
  const open = new Set<string>();
  let worker: Worker | undefined;
  let isDisposed = false;
  let nextId = 1;

  const failAll = (cause?: unknown) => {
    worker = undefined;
    open.clear();
    const callers = [...waiting.values()];
    waiting.clear();
    for (const { reject } of callers) reject(hasEnded(cause));
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./write-worker.ts', import.meta.url));
    started.on('message', (message: WriteReply) => {
      const askedAtMs = waiting.get(message.id)?.askedAtMs;
      settle(waiting, message);
      if (askedAtMs !== undefined) onWritten((performance.now() - askedAtMs) / 1_000);
    });
    started.on('error', (cause) => worker === started && failAll(cause));
    started.on('exit', () => worker === started && failAll());
    return started;
  };
  const send = <Result>(request: Unsent<WriteRequest>): Promise<Result> => {
    if (isDisposed) return Promise.reject(hasEnded());
    if (request.type === 'write' && waiting.size >= MAX_WAITING) return Promise.reject(tooManyWaiting());
    worker ??= start();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const id = nextId++;
    if (request.type === 'close') open.delete(request.file.path);
    else open.add(request.file.path);
    worker.postMessage({ ...request, id });
    waiting.set(id, { resolve, reject, askedAtMs: request.type === 'write' ? performance.now() : undefined });
    return promise;
  };
  return {
    send,
    waiting: () => waiting.size,
    closeFiles: async (files) => {
      // A thread that is ended with open files may take the whole process along. One that dies has failed its writes.
      for (const file of files) if (open.has(file.path)) await send({ type: 'close', file }).catch(() => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      isDisposed = true;
      await worker?.terminate();
      failAll();
    },
  };
}

function hasEnded(cause?: unknown): AppError {
  return new AppError('internal', 'The write thread has ended', { cause });
}

function tooManyWaiting(): AppError {
  const message = 'Too many writes are waiting: try again in a second';
  return new AppError('rate.exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, atOnce: MAX_WAITING });
}

function settle(waiting: Map<number, Waiting>, message: WriteReply): void {
  const caller = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.ok) caller?.resolve(message.result as never);
  else caller?.reject(fromSentError(message.error));
}
