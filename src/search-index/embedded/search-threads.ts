import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.ts';
import { runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { Explanation } from '../explanation.ts';
import type { QueryPlan } from '../query-plan.ts';
import type { FuzzyOptions, FuzzyTerm, Hits } from '../search-index.ts';
import type { AskedExplanation } from './explain.ts';
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

/** Work for a thread: what it costs, and until when somebody waits for it. */
type Work = HandOver & { readonly costNs: number; readonly signal: AbortSignal };

export type ThreadSearch = Work & { readonly plan: QueryPlan };
export type ThreadExplain = Work & AskedExplanation;
export type ThreadFuzzyTerms = Work & { readonly word: string; readonly options: FuzzyOptions };

/**
 * Search threads that share the segments' memory with this one. Work goes to the thread with the least to do; costly
 * work leaves one thread to the rest, and so does all work of one engine while others are searched. What is asked rejects
 * at once with the reason of its signal, and with `wasDisplaced` when its thread had to end before it began.
 */
export type SearchThreads = AsyncDisposable & {
  readonly size: number;
  /** Threads that went on with work that was stopped, and were ended for it. */
  replaced(): ReplacedThreads;
  /** Whether none is idle. */
  areBusy(): boolean;
  search(input: ThreadSearch): Promise<Hits>;
  /** What a search says about some documents. */
  explain(input: ThreadExplain): Promise<readonly Explanation[]>;
  fuzzyTerms(input: ThreadFuzzyTerms): Promise<readonly FuzzyTerm[]>;
  /** Hands a new generation to the threads that hold an older one, so that its memory can go. */
  follow(snapshot: Snapshot, openOf: (view: SegmentView) => OpenSegment): void;
  /** Takes an extent back that no search reads now. */
  drop(engineId: number, uid: string, extent: number): void;
  forget(engineId: number): void;
};

/** How many, and the engine whose work the last of them did. */
export type ReplacedThreads = { readonly count: number; readonly engineId: number | undefined };

/** Milliseconds that work may go on after it was stopped before nothing is queued behind it, and before its thread ends. */
const STOPPING_MS = 100;
const MOST_STOPPING_MS = 1_000;
/** Work from which on one thread stays free of it. */
const COSTLY_NS = 50_000_000;

/** Milliseconds for which an engine that was searched counts as one of those that are. */
const SEARCHED_MS = 60_000;

type Pending = {
  readonly engineId: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
  readonly costNs: number;
  /** `performance.now()` when it was first in its thread, and when nobody waited for it any more. */
  beganAt: number | undefined;
  stoppedAt: number | undefined;
};
type Answer = Exclude<FromSearchThread, { readonly failure: string }>;
type Question = Extract<ToSearchThread, { readonly request: number }>;
/** What every question says. */
type Addressed = Pick<Question, 'request' | 'engineId' | 'stop'>;

type Thread = {
  readonly worker: Worker;
  /** In the order in which they are worked off; the first one runs. */
  readonly pending: Map<number, Pending>;
  /** What the thread was given of each engine. */
  readonly engines: Map<number, Given>;
};

/** The generation sent last, and per segment of it the extents and fields with texts sent. */
type Given = { readonly generation: number; readonly segments: ReadonlyMap<string, SentParts> };
type SentParts = { readonly extents: Set<number>; readonly texts: Set<number> };

/** Why work failed that its thread never began: asked again, it may well succeed. */
const DISPLACED = 'the thread ended before it began';

export function wasDisplaced(error: unknown): boolean {
  return error instanceof AppError && error.options.details?.['failure'] === DISPLACED;
}

/**
 * Starts threads on first use; one that dies, or that does not stop, fails what it runs and is replaced by the next.
 * While one is stopping there may be one more than `size`.
 */
export function createSearchThreads(size: number, log: Log): SearchThreads {
  const threads: Thread[] = [];
  const searchedAt = new Map<number, number>();
  let nextRequest = 1;
  let replaced: ReplacedThreads = { count: 0, engineId: undefined };

  const start = (): Thread => {
    const thread = startThread({
      onIdle() {
        if (threads.length > size) runInBackground(log, 'end of a search thread', () => thread.worker.terminate());
      },
      onEnd() {
        threads.splice(threads.indexOf(thread), 1);
      },
    });
    threads.push(thread);
    return thread;
  };
  const pick = (work: Work): Thread => {
    const answering = threads.filter((thread) => overdueMs(thread) < STOPPING_MS);
    const eligible = eligibleFor(work, answering, { size, hasNeighbours: noteSearch(searchedAt, work.snapshot) });
    const [best] = eligible.toSorted((a, b) => pendingNs(a) - pendingNs(b));
    const mayStart = eligible === answering && answering.length < size;
    return best === undefined || (mayStart && best.pending.size > 0) ? start() : best;
  };
  const replace = ({ worker }: Thread, engineId: number) => {
    replaced = { count: replaced.count + 1, engineId };
    log.warn({ afterMs: MOST_STOPPING_MS, engineId }, 'a search thread did not stop and is replaced');
    runInBackground(log, 'end of a search thread', () => worker.terminate());
  };
  const ask = async (work: Work, questionOf: (addressed: Addressed) => Question): Promise<Answer> => {
    work.signal.throwIfAborted();
    const thread = pick(work);
    handOver(thread, work);
    const { engineId } = work.snapshot;
    const question = questionOf({ request: nextRequest++, engineId, stop: new SharedArrayBuffer(4) });
    return askThread(thread, question, { ...work, onOverdue: () => replace(thread, engineId) });
  };

  return {
    size,
    replaced: () => replaced,
    areBusy: () => threads.filter(({ pending }) => pending.size > 0).length >= size,
    async search({ plan, ...work }) {
      const answer = await ask(work, (addressed) => ({ kind: 'search', ...addressed, plan }));
      if ('hits' in answer) return answer.hits;
      throw new AppError('internal', 'A search failed');
    },
    async explain({ plan, documents, ...work }) {
      const answer = await ask(work, (addressed) => ({ kind: 'explain', ...addressed, plan, documents }));
      if ('explanations' in answer) return answer.explanations;
      throw new AppError('internal', 'An explanation failed');
    },
    async fuzzyTerms({ word, options, ...work }) {
      const answer = await ask(work, (addressed) => ({ kind: 'near-words', ...addressed, word, options }));
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

/** Notes that the engine is searched now; whether others are, too. */
function noteSearch(searchedAt: Map<number, number>, { engineId }: Snapshot): boolean {
  const now = performance.now();
  searchedAt.set(engineId, now);
  for (const [other, at] of searchedAt) if (now - at >= SEARCHED_MS) searchedAt.delete(other);
  return searchedAt.size > 1;
}

/** The threads that work may go to: `answering` itself when it may go to any of them. */
function eligibleFor(
  { costNs, snapshot: { engineId } }: Work,
  answering: readonly Thread[],
  { size, hasNeighbours }: { readonly size: number; readonly hasNeighbours: boolean },
): readonly Thread[] {
  const ofItsCost =
    costNs < COSTLY_NS ? answering : leavingOneFree(answering, size, (pending) => pending.costNs >= COSTLY_NS);
  if (!hasNeighbours) return ofItsCost;
  return leavingOneFree(ofItsCost, size, (pending) => pending.engineId === engineId);
}

/** The threads that work of a kind may go to: those that have some of it, and all as long as one more is left. */
function leavingOneFree(
  threads: readonly Thread[],
  size: number,
  isOfKind: (pending: Pending) => boolean,
): readonly Thread[] {
  const having = threads.filter(({ pending }) => pending.values().some(isOfKind));
  return having.length === 0 || having.length < size - 1 ? threads : having;
}

function pendingNs({ pending }: Thread): number {
  return pending.values().reduce((sum, { costNs }) => sum + costNs, 0);
}

/** For how long a thread has gone on with what nobody waits for. */
function overdueMs({ pending }: Thread): number {
  const running = pending.values().next().value;
  if (running?.stoppedAt === undefined || running.beganAt === undefined) return 0;
  return performance.now() - Math.max(running.beganAt, running.stoppedAt);
}

function startThread({ onIdle, onEnd }: { readonly onIdle: () => void; readonly onEnd: () => void }): Thread {
  const worker = new Worker(new URL('./search-thread.ts', import.meta.url));
  const thread: Thread = { worker, pending: new Map(), engines: new Map() };
  let failure: unknown;
  worker.on('message', (answer: FromSearchThread) => {
    const waiting = thread.pending.get(answer.request);
    thread.pending.delete(answer.request);
    const next = thread.pending.values().next().value;
    if (next !== undefined) next.beganAt = performance.now();
    if (!('failure' in answer)) waiting?.resolve(answer);
    else waiting?.reject(new AppError('internal', 'A search failed', { details: { failure: answer.failure } }));
    if (next !== undefined) return;
    worker.unref();
    onIdle();
  });
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', () => {
    const [running, ...waiting] = thread.pending.values();
    running?.reject(new AppError('internal', 'A search thread has ended', { cause: failure }));
    for (const { reject } of waiting) {
      reject(new AppError('internal', 'A search thread has ended', { details: { failure: DISPLACED } }));
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

/**
 * Sends a question; the thread keeps the process alive until it has answered. A thread that goes on with it although it
 * was stopped is ended.
 */
async function askThread(
  thread: Thread,
  question: Question,
  { signal, costNs, onOverdue }: Pick<Work, 'signal' | 'costNs'> & { readonly onOverdue: () => void },
): Promise<Answer> {
  const { worker, pending } = thread;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const beganAt = pending.size === 0 ? performance.now() : undefined;
  const { engineId } = question;
  const entry: Pending = { engineId, resolve, reject, costNs, beganAt, stoppedAt: undefined };
  const watch = () => {
    if (pending.get(question.request) !== entry) return;
    if (pending.values().next().value === entry && overdueMs(thread) >= MOST_STOPPING_MS) onOverdue();
    else setTimeout(watch, MOST_STOPPING_MS).unref();
  };
  const stop = () => {
    Atomics.store(new Int32Array(question.stop), 0, 1);
    entry.stoppedAt = performance.now();
    setTimeout(watch, MOST_STOPPING_MS).unref();
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  worker.ref();
  pending.set(question.request, entry);
  post(worker, question);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function factsOf(snapshot: Snapshot): SnapshotFacts {
  const { segments: _segments, fieldNumbers: _numbers, vocabulary: _words, ...facts } = snapshot;
  return facts;
}

function post(worker: Worker, message: ToSearchThread): true {
  worker.postMessage(message);
  return true;
}
