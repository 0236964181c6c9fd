import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../core/clock.ts';
import { pause } from '../../../observability/background.ts';
import type { Log } from '../../../observability/logger.ts';
import { COMPLETED_FIELDS, type CompletionOptions, type Completions, PENDING_COMPLETIONS } from '../../completions.ts';
import type { OpenSegment } from '../read/open-files.ts';
import type { SegmentView, Snapshot } from '../read/snapshot.ts';
import { buildCompletions } from './build-completions.ts';
import type { BuildMessage } from './build-thread.ts';
import { type CompletionData, CompletionList } from './completion-list.ts';

/** Completions of one engine, made when somebody completes and the generation is a new one. */
export type CompletionCache = AsyncDisposable & {
  complete(text: string, options: CompletionOptions): Promise<Completions>;
};

export type CompletionCacheOptions = {
  /** The newest generation, whatever is loaded of it. */
  readonly current: () => Promise<Snapshot>;
  /** The newest generation with the columns of `COMPLETED_FIELDS` attached. */
  readonly loaded: () => Promise<Snapshot>;
  readonly openOf: (view: SegmentView) => OpenSegment;
  readonly clock: Clock;
  readonly log: Log;
  /** Live documents up to which a build runs on the calling thread and every answer is of the newest generation. */
  readonly inlineDocuments: number;
  /** Longest wait for the first list of a larger engine, from where it is begun. */
  readonly firstWaitMs?: number;
};

/** A build of so many documents takes 5 to 15 ms. */
export const INLINE_COMPLETION_DOCUMENTS = 200;
/** Less than half of what a request has: where there is little processor time a build takes longer than all of it. */
const FIRST_WAIT_MS = 2_000;
/** Rest after a build on a thread, in times that it took: a stream of writes costs 5 % of a core at most. */
const REST_FACTOR = 20;

type CachedList = {
  readonly options: CompletionCacheOptions;
  readonly ending: AbortController;
  list: CompletionList | undefined;
  /** Generation of `list`. */
  generation: number;
  /** When the next build may begin. */
  restUntilMs: number;
  building: Promise<void> | undefined;
  /** When `building` began, as `performance.now` tells it. */
  buildingSinceMs: number;
};

export function cacheCompletions(options: CompletionCacheOptions): CompletionCache {
  const cached: CachedList = {
    options,
    list: undefined,
    generation: -1,
    restUntilMs: 0,
    building: undefined,
    buildingSinceMs: 0,
    ending: new AbortController(),
  };
  return {
    complete: async (text, completion) => (await newestList(cached))?.complete(text, completion) ?? PENDING_COMPLETIONS,
    async [Symbol.asyncDispose]() {
      cached.ending.abort();
      await cached.building?.catch(() => undefined);
    },
  };
}

/**
 * Waits for any list of a small engine; else the present one serves while the next is made. The first one of a large
 * engine is waited for until two seconds after it was begun, by whoever asks meanwhile: without it documents are found
 * all the same, in the time that the request has.
 */
async function newestList(cached: CachedList): Promise<CompletionList | undefined> {
  const { current, inlineDocuments, clock } = cached.options;
  for (;;) {
    const { generation, live } = await current();
    const { list } = cached;
    const isLarge = live > inlineDocuments;
    if (list !== undefined && (isLarge || cached.generation >= generation)) {
      if (cached.generation < generation && clock.now() >= cached.restUntilMs)
        void renew(cached).catch(() => undefined);
      return list;
    }
    if (!isLarge) await renew(cached);
    else if (!(await isRenewedSoon(cached))) return undefined;
  }
}

async function isRenewedSoon(cached: CachedList): Promise<boolean> {
  const waiting = new AbortController();
  const renewed = renew(cached).then(() => true);
  const endAtMs = cached.buildingSinceMs + (cached.options.firstWaitMs ?? FIRST_WAIT_MS);
  const late = pause(Math.max(0, endAtMs - performance.now()), waiting.signal).then(() => false);
  try {
    return await Promise.race([renewed, late]);
  } finally {
    waiting.abort();
  }
}

/** One build at a time; a failure is logged and thrown. */
function renew(cached: CachedList): Promise<void> {
  if (cached.building === undefined) cached.buildingSinceMs = performance.now();
  cached.building ??= build(cached)
    .catch((err: unknown) => {
      if (!cached.ending.signal.aborted) cached.options.log.error({ err }, 'completions could not be made');
      throw err;
    })
    .finally(() => {
      cached.building = undefined;
    });
  return cached.building;
}

async function build(cached: CachedList): Promise<void> {
  const { options, ending } = cached;
  const snapshot = await options.loaded();
  const startedAt = options.clock.now();
  const [titles, headings] = COMPLETED_FIELDS.map((field) => snapshot.fieldNumbers.get(field));
  const input = { titles, headings, languages: snapshot.languages };
  const data =
    snapshot.live <= options.inlineDocuments
      ? buildCompletions({ ...input, segments: snapshot.segments })
      : await buildOnThread({ ...input, segments: sharedSegments(snapshot, options) }, ending.signal);
  cached.list = new CompletionList(data);
  cached.generation = snapshot.generation;
  const endedAt = options.clock.now();
  cached.restUntilMs = endedAt + REST_FACTOR * (endedAt - startedAt);
}

function sharedSegments(snapshot: Snapshot, { openOf }: CompletionCacheOptions): BuildMessage['segments'] {
  const fields = COMPLETED_FIELDS.map((field) => snapshot.fieldNumbers.get(field)).filter(
    (field) => field !== undefined,
  );
  return snapshot.segments.map((view) => {
    const { segment, head, fileBytes } = openOf(view);
    const extents = fields.flatMap((field) => {
      const buffer = segment.extentBuffer(field);
      return buffer === undefined ? [] : [{ field, buffer }];
    });
    return { head, fileBytes, live: view.live, extents };
  });
}

async function buildOnThread(message: BuildMessage, signal: AbortSignal): Promise<CompletionData> {
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), { workerData: message });
  try {
    const [data] = (await once(worker, 'message', { signal })) as [CompletionData];
    return data;
  } finally {
    await worker.terminate();
  }
}
