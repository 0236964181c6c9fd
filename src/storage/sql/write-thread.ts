import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import type { EngineOperations, SystemOperations } from './operations.ts';
import { storePath } from './store-path.ts';
import { fromSentError, type StoreTarget, type WriteReply, type WriteRequest } from './write-messages.ts';

/** Writes that may wait at once; beyond it callers are told to come back (reliability: bounds). */
const MAX_WAITING = 2_000;
const RETRY_AFTER_SECONDS = 1;

type InputOf<Operation> = Operation extends (db: never, input: infer Input) => unknown ? Input : never;
type ResultOf<Operation> = Operation extends (db: never, input: never) => infer Result ? Result : never;

/** The one thread of a process that writes. Each call resolves after its commit is on disk. */
export type WriteThread = AsyncDisposable & {
  system<Name extends keyof SystemOperations>(
    name: Name,
    input: InputOf<SystemOperations[Name]>,
  ): Promise<ResultOf<SystemOperations[Name]>>;
  engine<Name extends keyof EngineOperations>(
    engineId: number,
    name: Name,
    input: InputOf<EngineOperations[Name]>,
  ): Promise<ResultOf<EngineOperations[Name]>>;
  /** Makes the file and its tables, so that readers can open it. */
  open(target: StoreTarget): Promise<void>;
  /** Commits what waits and closes the file. */
  close(target: StoreTarget): Promise<void>;
};

type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: unknown) => void };
type Unsent<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

/** @throws AppError `rate.exceeded` from a write when 2,000 others wait. */
export function startWriteThread(dataDir: string): WriteThread {
  const waiting = new Map<number, Waiting>();
  /** Files that the thread may have open. */
  const open = new Map<string, StoreTarget>();
  let worker: Worker | undefined;
  let nextId = 1;

  const failAll = (error: unknown) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./write-worker.ts', import.meta.url), { workerData: { dataDir } });
    started.on('message', (message: WriteReply) => settle(waiting, message));
    started.on('error', (error) => failAll(new AppError('internal', 'The write thread has failed', { cause: error })));
    return started;
  };
  const send = <Result>(request: Unsent<WriteRequest>): Promise<Result> => {
    if (waiting.size >= MAX_WAITING) {
      const message = 'Too many writes are waiting: try again in a second';
      return Promise.reject(new AppError('rate.exceeded', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    worker ??= start();
    const id = nextId++;
    const place = storePath(dataDir, request.target);
    if (request.type === 'close') open.delete(place);
    else open.set(place, request.target);
    worker.postMessage({ ...request, id });
    return new Promise<Result>((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  return {
    system: (name, input) => send({ type: 'write', target: { kind: 'system' }, name: String(name), input }),
    engine: (engineId, name, input) =>
      send({ type: 'write', target: { kind: 'engine', engineId }, name: String(name), input }),
    open: (target) => send({ type: 'open', target }),
    close: (target) => send({ type: 'close', target }),
    [Symbol.asyncDispose]: async () => {
      // A thread that is ended with open files may take the whole process along.
      for (const target of [...open.values()]) await send({ type: 'close', target }).catch(() => undefined);
      await worker?.terminate();
      failAll(new AppError('internal', 'The write thread has ended'));
    },
  };
}

function settle(waiting: Map<number, Waiting>, message: WriteReply): void {
  const caller = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.ok) caller?.resolve(message.result as never);
  else caller?.reject(fromSentError(message.error));
}
