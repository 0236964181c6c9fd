import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import type { Explanation } from '../explanation.ts';
import type { QueryPlan } from '../query-plan.ts';
import type { Hits, NearOptions, NearWord } from '../search-index.ts';
import type { ExplainedDocument } from './explain.ts';
import type { OpenSegment } from './read/open-files.ts';
import type { SegmentView, Snapshot, SnapshotFacts } from './read/snapshot.ts';
import type { FromSearchThread, ToSearchThread } from './search-messages.ts';

/** A snapshot as a thread needs it. */
type HandOver = {
  readonly snapshot: Snapshot;
  /** Extents that are read. */
  readonly extents: readonly number[];
  /** Fields whose long values are read as texts. */
  readonly texts: readonly number[];
  readonly openOf: (view: SegmentView) => OpenSegment;
};

export type ThreadSearch = HandOver & { readonly plan: QueryPlan; readonly signal: AbortSignal };
export type ThreadExplain = HandOver & { readonly plan: QueryPlan; readonly document: ExplainedDocument };
export type ThreadNearWords = HandOver & { readonly word: string; readonly options: NearOptions };

/** Search threads that share the segments' memory with this one. */
export type SearchThreads = AsyncDisposable & {
  readonly size: number;
  /** Whether none is idle. */
  areBusy(): boolean;
  /** Runs a plan on the thread with the shortest queue. Rejects at once with the signal's reason when it is aborted. */
  search(input: ThreadSearch): Promise<Hits>;
  /** What a search says about one document, on such a thread. */
  explain(input: ThreadExplain): Promise<Explanation>;
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

/** The generation sent last, and per segment of it the extents and fields with texts sent. */
type Given = { readonly generation: number; readonly segments: ReadonlyMap<string, SentParts> };
type SentParts = { readonly extents: Set<number>; readonly texts: Set<number> };

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
    areBusy: () => threads.length === size && threads.every(({ pending }) => pending.size > 0),
    async search(input) {
      input.signal.throwIfAborted();
      const thread = pick();
      handOver(thread, input);
      return searchOn(thread, nextRequest++, input);
    },
    async explain({ plan, document, ...given }) {
      const thread = pick();
      handOver(thread, given);
      const { engineId } = given.snapshot;
      const answer = await ask(thread, { kind: 'explain', request: nextRequest++, engineId, plan, document });
      if ('explanation' in answer) return answer.explanation;
      throw new AppError('internal', 'An explanation failed');
    },
    async nearWords({ word, options, ...given }) {
      const thread = pick();
      handOver(thread, given);
      const request = nextRequest++;
      const { engineId } = given.snapshot;
      const answer = await ask(thread, { kind: 'near-words', request, engineId, word, options });
      return 'words' in answer ? answer.words : [];
    },
    follow(snapshot, openOf) {
      for (const thread of threads) {
        if (thread.engines.has(snapshot.engineId)) handOver(thread, { snapshot, openOf, extents: [], texts: [] });
      }
    },
    drop(engineId, uid, extent) {
      for (const { worker, engines } of threads) {
        const sent = engines.get(engineId)?.segments.get(uid);
        if (sent?.extents.delete(extent) !== true) continue;
        sent.texts.delete(extent);
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

/** Sends what the thread lacks: the snapshot when it is another one, extents and texts it has not been given. */
function handOver(thread: Thread, { snapshot, extents, texts, openOf }: HandOver): void {
  const { engineId } = snapshot;
  const given = giveSnapshot(thread, snapshot, openOf);
  const { worker } = thread;
  for (const { segment } of snapshot.segments) {
    const { uid } = segment;
    const sent = given.segments.get(uid)!;
    sendOnce(extents, sent.extents, (extent) => {
      const buffer = segment.extentBuffer(extent);
      return buffer !== undefined && post(worker, { kind: 'extent', engineId, uid, extent, buffer });
    });
    sendOnce(texts, sent.texts, (field) => {
      const shared = segment.sharedTexts(field);
      return shared !== undefined && post(worker, { kind: 'texts', engineId, uid, field, texts: shared });
    });
  }
}

/** Sends the parts that have not been sent; `send` is false when there is nothing to send. */
function sendOnce(parts: readonly number[], sent: Set<number>, send: (part: number) => boolean): void {
  for (const part of parts) if (!sent.has(part) && send(part)) sent.add(part);
}

function giveSnapshot({ worker, engines }: Thread, snapshot: Snapshot, openOf: HandOver['openOf']): Given {
  const { engineId, generation } = snapshot;
  const known = engines.get(engineId);
  if (known?.generation === generation) return known;
  const segments = snapshot.segments.map((view) => {
    const { head, fileBytes } = openOf(view);
    return { uid: view.segment.uid, head, fileBytes, live: view.live, liveCount: view.liveCount };
  });
  post(worker, { kind: 'snapshot', facts: factsOf(snapshot), segments });
  const sentBefore = (uid: string): SentParts =>
    known?.segments.get(uid) ?? { extents: new Set<number>(), texts: new Set<number>() };
  const given = { generation, segments: new Map(segments.map(({ uid }) => [uid, sentBefore(uid)])) };
  engines.set(engineId, given);
  return given;
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

function post(worker: Worker, message: ToSearchThread): true {
  worker.postMessage(message);
  return true;
}
