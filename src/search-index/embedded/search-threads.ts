import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import type { QueryPlan } from '../query-plan.ts';
import type { Hits, NearOptions, NearWord } from '../search-index.ts';
import type { OpenSegment } from './read/open-files.ts';
import type { SegmentView, Snapshot, SnapshotFacts } from './read/snapshot.ts';
import type { FromSearchThread, ToSearchThread } from './search-messages.ts';

export type ThreadSearch = {
  readonly snapshot: Snapshot;
  readonly plan: QueryPlan;
  /** Extents that the plan reads. */
  readonly extents: readonly number[];
  readonly openOf: (view: SegmentView) => OpenSegment;
  readonly signal: AbortSignal;
};

export type ThreadNearWords = Pick<ThreadSearch, 'snapshot' | 'openOf'> & {
  readonly word: string;
  readonly options: NearOptions;
};

/** Search threads that share the segments' memory with this one. */
export type SearchThreads = AsyncDisposable & {
  readonly size: number;
  /** Runs a plan on the thread with the shortest queue. Rejects at once with the signal's reason when it is aborted. */
  search(input: ThreadSearch): Promise<Hits>;
  /** Near words of a word, on such a thread. */
  nearWords(input: ThreadNearWords): Promise<readonly NearWord[]>;
  /** Hands a new generation to the threads that hold an older one, so that its memory can go. */
  follow(snapshot: Snapshot, openOf: (view: SegmentView) => OpenSegment): void;
  /** Takes an extent back that no search reads now. */
  drop(engineId: number, uid: string, extent: number): void;
  forget(engineId: number): void;
};

type Pending = { readonly resolve: (answer: Answer) => void; readonly reject: (reason: unknown) => void };
type Answer = Exclude<FromSearchThread, { readonly failure: string }>;

type Thread = {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** What the thread was given of each engine. */
  readonly engines: Map<number, Given>;
};

/** The generation sent last, and per segment of it the extents sent. */
type Given = { readonly generation: number; readonly extents: ReadonlyMap<string, Set<number>> };

/** Starts threads on first use; one that dies fails its searches and is replaced by the next. */
export function createSearchThreads(size: number): SearchThreads {
  const threads: Thread[] = [];
  let nextRequest = 1;

  const pick = (): Thread => {
    const idle = threads.find(({ pending }) => pending.size === 0);
    if (idle !== undefined) return idle;
    if (threads.length < size) {
      const thread = startThread(() => threads.splice(threads.indexOf(thread), 1));
      threads.push(thread);
      return thread;
    }
    return threads.reduce((best, thread) => (thread.pending.size < best.pending.size ? thread : best));
  };

  return {
    size,
    async search(input) {
      input.signal.throwIfAborted();
      const thread = pick();
      handOver(thread, input);
      return searchOn(thread, nextRequest++, input);
    },
    async nearWords({ snapshot, openOf, word, options }) {
      const thread = pick();
      handOver(thread, { snapshot, openOf, extents: [] });
      const request = nextRequest++;
      const { engineId } = snapshot;
      const answer = await ask(thread, { kind: 'near-words', request, engineId, word, options });
      return 'words' in answer ? answer.words : [];
    },
    follow(snapshot, openOf) {
      for (const thread of threads) {
        if (thread.engines.has(snapshot.engineId)) handOver(thread, { snapshot, openOf, extents: [] });
      }
    },
    drop(engineId, uid, extent) {
      for (const { worker, engines } of threads) {
        if (engines.get(engineId)?.extents.get(uid)?.delete(extent))
          post(worker, { kind: 'drop', engineId, uid, extent });
      }
    },
    forget(engineId) {
      for (const { worker, engines } of threads) {
        if (engines.delete(engineId)) post(worker, { kind: 'forget', engineId });
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { worker } of [...threads]) await worker.terminate();
    },
  };
}

function startThread(onEnd: () => void): Thread {
  const worker = new Worker(new URL('./search-thread.ts', import.meta.url));
  const thread: Thread = { worker, pending: new Map(), engines: new Map() };
  let failure: unknown;
  worker.on('message', (answer: FromSearchThread) => {
    const waiting = thread.pending.get(answer.request);
    thread.pending.delete(answer.request);
    if (thread.pending.size === 0) worker.unref();
    if (!('failure' in answer)) waiting?.resolve(answer);
    else waiting?.reject(new AppError('internal', 'A search failed', { details: { failure: answer.failure } }));
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    for (const { reject } of thread.pending.values()) {
      reject(new AppError('internal', 'A search thread has ended', { cause: failure }));
    }
    thread.pending.clear();
    onEnd();
  });
  worker.unref();
  return thread;
}

/** Sends what the thread lacks for a search: the snapshot when it is another one, extents it has not been given. */
function handOver(
  { worker, engines }: Thread,
  { snapshot, extents: wanted, openOf }: Pick<ThreadSearch, 'snapshot' | 'extents' | 'openOf'>,
): void {
  const { engineId, generation } = snapshot;
  let given = engines.get(engineId);
  if (given?.generation !== generation) {
    const segments = snapshot.segments.map((view) => {
      const { head, fileBytes } = openOf(view);
      return { uid: view.segment.uid, head, fileBytes, live: view.live, liveCount: view.liveCount };
    });
    post(worker, { kind: 'snapshot', facts: factsOf(snapshot), segments });
    given = { generation, extents: new Map(segments.map(({ uid }) => [uid, given?.extents.get(uid) ?? new Set()])) };
    engines.set(engineId, given);
  }
  for (const { segment } of snapshot.segments) {
    const sent = given.extents.get(segment.uid);
    for (const extent of wanted) {
      const buffer = sent === undefined || sent.has(extent) ? undefined : segment.extentBuffer(extent);
      if (buffer === undefined) continue;
      post(worker, { kind: 'extent', engineId, uid: segment.uid, extent, buffer });
      sent?.add(extent);
    }
  }
}

async function searchOn(thread: Thread, request: number, { snapshot, plan, signal }: ThreadSearch): Promise<Hits> {
  const stop = new SharedArrayBuffer(4);
  const aborted = Promise.withResolvers<never>();
  const abort = () => {
    Atomics.store(new Int32Array(stop), 0, 1);
    aborted.reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  const asked = ask(thread, { kind: 'search', request, engineId: snapshot.engineId, plan, stop });
  try {
    const answer = await Promise.race([asked, aborted.promise]);
    if ('hits' in answer) return answer.hits;
    throw new AppError('internal', 'A search failed');
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Sends a question; the thread keeps the process alive until it has answered. */
function ask(
  { worker, pending }: Thread,
  question: Extract<ToSearchThread, { readonly request: number }>,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.ref();
  pending.set(question.request, { resolve, reject });
  post(worker, question);
  return promise;
}

function factsOf(snapshot: Snapshot): SnapshotFacts {
  const { segments: _segments, fieldNumbers: _numbers, vocabulary: _words, ...facts } = snapshot;
  return facts;
}

function post(worker: Worker, message: ToSearchThread): void {
  worker.postMessage(message);
}
