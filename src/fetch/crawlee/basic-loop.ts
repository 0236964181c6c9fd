import {
  BasicCrawler,
  type BasicCrawlerOptions,
  Configuration,
  Log,
  LogLevel,
  Request as LoopRequest,
} from '@crawlee/basic';
import type { PageLoopInput, RunPageLoop } from '../page-loop.ts';

/** Longest timer that Node has: the visits end themselves, by their own limits. */
const NO_TIMEOUT_SECONDS = Math.floor((2 ** 31 - 1) / 1_000);

/**
 * Crawlee's `BasicCrawler` as the loop of a slice. It keeps nothing on disk, retries nothing, and neither samples the
 * machine nor logs: the frontier, the host slots and the caller's own log do that.
 */
export const runCrawleeLoop: RunPageLoop = async (input) => {
  const slice = openSlice(input);
  const before = new Set(process.listeners('SIGINT'));
  const crawler = new BasicCrawler(optionsOf(slice, input.concurrency), configuration());
  slice.onFirstAsk(() => dropInterruptHandler(before));
  const wake = () => void crawler.autoscaledPool?.notify();
  input.signal.addEventListener('abort', wake);
  try {
    await crawler.run();
  } finally {
    input.signal.removeEventListener('abort', wake);
  }
  slice.throwIfFailed();
};

type Slice = ReturnType<typeof openSlice>;

/** What the loop and Crawlee's pool hand each other: items that were given and not yet begun, and how it ended. */
function openSlice<T>({ next, visit, signal }: PageLoopInput<T>) {
  const given = new Map<string, T>();
  const waiting: string[] = [];
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let firstAsk = () => {};
  let count = 0;

  const fail = (error: unknown) => {
    failure ??= { error };
    ended = true;
  };
  return {
    onFirstAsk(work: () => void) {
      firstAsk = work;
    },
    /** Asked by the pool, one call at a time, whenever a further visit could start. */
    async isReady(): Promise<boolean> {
      firstAsk();
      firstAsk = () => {};
      if (ended || signal.aborted) return false;
      try {
        const item = await next();
        if (item === undefined) {
          ended = true;
          return false;
        }
        const key = String(count++);
        given.set(key, item);
        waiting.push(key);
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    isFinished: () => (ended || signal.aborted) && given.size === 0,
    take(): LoopRequest | null {
      const key = waiting.shift();
      // Crawlee wants a URL; the item's own is the visit's business.
      return key === undefined ? null : new LoopRequest({ url: 'http://slice.invalid/', uniqueKey: key });
    },
    async visit(key: string): Promise<void> {
      try {
        await visit(given.get(key) as T);
      } catch (error) {
        fail(error);
      } finally {
        given.delete(key);
      }
    },
    throwIfFailed() {
      if (failure !== undefined) throw failure.error;
    },
  };
}

function optionsOf(slice: Slice, concurrency: number): BasicCrawlerOptions {
  const source = {
    fetchNextRequest: async () => slice.take(),
    markRequestHandled: async () => undefined,
    reclaimRequest: async () => undefined,
    isEmpty: async () => false,
    isFinished: async () => slice.isFinished(),
    addRequest: async () => undefined,
    handledCount: async () => 0,
    getTotalCount: () => 0,
    getPendingCount: () => 0,
  };
  return {
    // The constructor refuses `requestManager`, which its types show; these members are all that it uses.
    requestQueue: source as unknown as NonNullable<BasicCrawlerOptions['requestQueue']>,
    requestHandler: ({ request }) => slice.visit(request.uniqueKey),
    requestHandlerTimeoutSecs: NO_TIMEOUT_SECONDS,
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    maxRequestRetries: 0,
    useSessionPool: false,
    statisticsOptions: { persistenceOptions: { enable: false }, logIntervalSecs: NO_TIMEOUT_SECONDS },
    statusMessageLoggingInterval: NO_TIMEOUT_SECONDS,
    autoscaledPoolOptions: {
      // Here the pool waits for a visit: after a null from `fetchNextRequest` it would look again only every 0.5 s.
      isTaskReadyFunction: () => slice.isReady(),
      isFinishedFunction: async () => slice.isFinished(),
      loggingIntervalSecs: null,
    },
    log: new Log({ level: LogLevel.OFF }),
  };
}

/** Own storage in memory; no sampling of the machine, which starts a `ps` per second. */
function configuration(): Configuration {
  const hourMs = 3_600_000;
  return new Configuration({
    persistStorage: false,
    purgeOnStart: false,
    memoryMbytes: 1_024,
    systemInfoIntervalMillis: hourMs,
    persistStateIntervalMillis: hourMs,
  });
}

/** The crawler aborts its pool at SIGINT and would leave visits behind; the process stops slices by their signal. */
function dropInterruptHandler(before: ReadonlySet<unknown>): void {
  for (const listener of process.listeners('SIGINT')) {
    if (listener.name === 'sigintHandler' && !before.has(listener)) process.off('SIGINT', listener);
  }
}
