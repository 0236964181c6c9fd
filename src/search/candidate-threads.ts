import { Worker } from 'node:worker_threads';
import { unlessAborted } from '../core/concurrency.ts';
import { AppError } from '../core/errors.ts';
import type { CandidateInput, FindCandidates, FoundCandidates } from './find-candidates.ts';
import { type PackedCandidates, unpackCandidates } from './packed-candidates.ts';

export type CandidateQuestion = { readonly request: number; readonly input: CandidateInput };

export type CandidateAnswer =
  | { readonly request: number; readonly found: PackedCandidates }
  | { readonly request: number; readonly failure: string };

export type CandidateThreadData = { readonly maxBytes: number };

/** Threads that find the candidates of questions, so that the event loop that serves requests is free meanwhile. */
export type CandidateThreads = AsyncDisposable & { readonly findCandidates: FindCandidates };

export type CandidateThreadOptions = {
  readonly size: number;
  /** Of analysed passages, all threads together. */
  readonly maxBytes: number;
};

type Pending = {
  readonly resolve: (found: FoundCandidates) => void;
  readonly reject: (reason: unknown) => void;
};
type Thread = { readonly worker: Worker; readonly pending: Map<number, Pending> };

/**
 * Starts threads on first use, a further one while all others are at work; one that dies fails its questions and is
 * replaced by the next. What an aborted question asked for is still found, and dropped. Handing over 32 documents of
 * 5 KB and taking 52 passages back costs the caller 0.5 ms.
 */
export function createCandidateThreads({ size, maxBytes }: CandidateThreadOptions): CandidateThreads {
  const threads: Thread[] = [];
  const data: CandidateThreadData = { maxBytes: Math.floor(maxBytes / size) };
  let nextRequest = 1;

  const pick = (): Thread => {
    const idle = threads.find(({ pending }) => pending.size === 0);
    if (idle !== undefined) return idle;
    if (threads.length < size) {
      const thread = startThread(data, () => threads.splice(threads.indexOf(thread), 1));
      threads.push(thread);
      return thread;
    }
    return threads.reduce((best, thread) => (thread.pending.size < best.pending.size ? thread : best));
  };

  return {
    async findCandidates(input, signal) {
      signal.throwIfAborted();
      const { worker, pending } = pick();
      const { promise, resolve, reject } = Promise.withResolvers<FoundCandidates>();
      const question: CandidateQuestion = { request: nextRequest++, input };
      worker.ref();
      pending.set(question.request, { resolve, reject });
      worker.postMessage(question);
      return unlessAborted(promise, signal);
    },
    async [Symbol.asyncDispose]() {
      for (const { worker } of [...threads]) await worker.terminate();
    },
  };
}

function startThread(workerData: CandidateThreadData, onEnd: () => void): Thread {
  const worker = new Worker(new URL('./candidate-thread.ts', import.meta.url), { workerData });
  const thread: Thread = { worker, pending: new Map() };
  let failure: unknown;
  worker.on('message', (answer: CandidateAnswer) => {
    const waiting = thread.pending.get(answer.request);
    thread.pending.delete(answer.request);
    if (thread.pending.size === 0) worker.unref();
    if ('found' in answer) waiting?.resolve(unpackCandidates(answer.found));
    else waiting?.reject(new AppError('internal', 'Finding passages failed', { details: { failure: answer.failure } }));
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    for (const { reject } of thread.pending.values()) {
      reject(new AppError('internal', 'A thread that finds passages has ended', { cause: failure }));
    }
    thread.pending.clear();
    onEnd();
  });
  worker.unref();
  return thread;
}
