import type { Page, Request, Response } from 'playwright';
import type { Hop } from '../fetcher.ts';

/** A request that has been under way for so long is a stream or a poll: the page does not wait for it. */
const STUCK_MS = 8_000;

/** Kinds whose failure may leave text out. */
const TEXT_MAKERS = new Set(['document', 'script', 'xhr', 'fetch']);
const NOT_WAITED_FOR = new Set(['websocket', 'eventsource', 'ping', 'image', 'media', 'font', 'manifest', 'other']);

export type PageActivity = Disposable & {
  /** Requests so far, whatever became of them. */
  readonly requests: () => number;
  /** No request that may bring text has been under way for that long. */
  isQuietFor(ms: number): boolean;
  /** There are requests that may bring text, and all of them have been under way for too long to wait for them. */
  isStuck(): boolean;
  /** Something of the document's own origin that may have brought text failed. */
  hasOwnFailure(origin: string): boolean;
  /** Answer of the newest document of the main frame. */
  readonly document: () => Response | undefined;
  readonly hops: () => readonly Hop[];
};

/** Follows what a page loads, from now on. */
export function watchActivity(page: Page): PageActivity {
  const underWay = new Map<Request, number>();
  const failedOrigins = new Set<string>();
  const hops: Hop[] = [];
  let requests = 0;
  let lastEndAt = performance.now();
  let document: Response | undefined;

  const begun = (request: Request) => {
    requests++;
    if (!NOT_WAITED_FOR.has(request.resourceType())) underWay.set(request, performance.now());
  };
  const ended = (request: Request) => {
    if (underWay.delete(request)) lastEndAt = performance.now();
  };
  const failed = (request: Request) => {
    ended(request);
    const wasGivenUp = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (TEXT_MAKERS.has(request.resourceType()) && !wasGivenUp) failedOrigins.add(originOf(request.url()));
  };
  const answered = (response: Response) => {
    const request = response.request();
    if (response.status() >= 400 && TEXT_MAKERS.has(request.resourceType()))
      failedOrigins.add(originOf(response.url()));
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    const from = request.redirectedFrom()?.url() ?? document?.url();
    const status = document?.status() ?? response.status();
    if (from !== undefined && from !== response.url()) hops.push({ from, to: response.url(), status });
    document = response;
  };
  const listeners = [
    ['request', begun],
    ['requestfinished', ended],
    ['requestfailed', failed],
    ['response', answered],
  ] as const;
  for (const [name, listener] of listeners) page.on(name as 'request', listener as (request: Request) => void);
  const isStuck = (startedAt: number) => performance.now() - startedAt >= STUCK_MS;
  return {
    requests: () => requests,
    isStuck: () => underWay.size > 0 && [...underWay.values()].every(isStuck),
    isQuietFor: (ms) => {
      const isWaiting = ![...underWay.values()].every(isStuck);
      return !isWaiting && performance.now() - lastEndAt >= ms;
    },
    hasOwnFailure: (origin) => failedOrigins.has(origin),
    document: () => document,
    hops: () => hops,
    [Symbol.dispose]: () => {
      for (const [name, listener] of listeners) page.off(name as 'request', listener as (request: Request) => void);
    },
  };
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}
