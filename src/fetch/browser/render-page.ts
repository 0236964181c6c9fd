import type { CDPSession, Page, Request, Response } from 'playwright';
import { AppError } from '../../core/errors.ts';
import { pause } from '../../observability/background.ts';
import { DEFAULT_PAGE_BUDGET, type OpenTraffic } from '../egress-proxy.ts';
import type { Hop } from '../fetcher.ts';
import type { BlockableResource, RenderedPage, RenderRequest } from '../renderer.ts';
import { addCookies, type OpenPage } from './open-page.ts';
import { CHANGES, serializedTree, showsElement } from './page-script.ts';

const LOOK_EVERY_MS = 50;
const WORLD = 'fossick';

/** What Chromium blocks by the look of a URL: kinds are not told before a resource has been asked for. */
const PATTERNS: Readonly<Record<BlockableResource, readonly string[]>> = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp'].flatMap(endingsOf),
  media: ['mp4', 'webm', 'mp3', 'm4a', 'ogg', 'wav', 'mov', 'm3u8', 'mpd'].flatMap(endingsOf),
  font: ['woff', 'woff2', 'ttf', 'otf', 'eot'].flatMap(endingsOf),
  stylesheet: endingsOf('css'),
};

function endingsOf(extension: string): readonly string[] {
  return [`*.${extension}`, `*.${extension}?*`];
}

/** Loads a document, waits until it is quiet, and reads its tree. */
export async function renderPage(opened: OpenPage, request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> {
  const { page, cdp, session } = opened;
  const startedAt = performance.now();
  const deadlineAt = startedAt + request.settings.timeoutMs;
  using traffic = session.openPage(DEFAULT_PAGE_BUDGET);
  using activity = watchActivity(page);
  await cdp.send('Network.setBlockedURLs', { urls: request.settings.block.flatMap((kind) => [...PATTERNS[kind]]) });
  await addCookies(page.context(), request.url, request.access.credentials);
  const loading = { opened, request, traffic, activity };
  await load(loading);
  const firstByteMs = performance.now() - startedAt;
  const isSettled = await settle({ ...loading, deadlineAt }, signal);
  const document = documentOf(loading);
  const html = await evaluate<string | undefined>(opened, serializedTree(request.limits.pageBytes));
  if (html === undefined) {
    throw new AppError('fetch.too-large', 'The tree exceeds the size limit', { details: { reason: 'too-large' } });
  }
  const { bytes, isOverBudget } = traffic.read();
  const url = withoutFragment(document.url());
  return {
    url,
    status: document.status(),
    headers: headersOf(await document.allHeaders()),
    redirects: activity.hops(),
    body: Buffer.from(html),
    isComplete: isSettled && !isOverBudget && !activity.hasOwnFailure(new URL(url).origin),
    firstByteMs,
    millis: performance.now() - startedAt,
    wireBytes: bytes,
  };
}

type Loading = {
  readonly opened: OpenPage;
  readonly request: RenderRequest;
  readonly traffic: OpenTraffic;
  readonly activity: PageActivity;
};

async function load({ opened, request, traffic, activity }: Loading): Promise<void> {
  const { url, settings } = request;
  try {
    await opened.page.goto(url, { waitUntil: 'domcontentloaded', timeout: settings.timeoutMs });
  } catch (cause) {
    const reason = traffic.read().failures.get(new URL(activity.document()?.url() ?? url).origin);
    throw notRendered('The document was not loaded', { reason, cause });
  }
}

/** The document that the page has come to; what the proxy refused is the reason of the visit, not an answer of a site. */
function documentOf({ traffic, activity }: Loading): Response {
  const document = activity.document();
  if (document === undefined) throw notRendered('No document was loaded');
  const reason = traffic.read().failures.get(new URL(document.url()).origin);
  if (reason !== undefined && (document.status() === 403 || document.status() === 502)) {
    throw notRendered('The document was not loaded', { reason });
  }
  return document;
}

/**
 * True when the page became quiet before its time was over: its timers of 10 s have run, nothing that may bring text is
 * fetched, and nothing has changed for a while.
 */
async function settle(
  { opened, request, activity, traffic, deadlineAt }: Loading & { readonly deadlineAt: number },
  signal: AbortSignal,
): Promise<boolean> {
  const { settleMs, waitFor } = request.settings;
  await using clock = await startPageClock(opened.page, opened.cdp);
  let changes = { count: -1, at: 0 };
  while (performance.now() < deadlineAt) {
    const count = await evaluate<number>(opened, CHANGES);
    if (count !== changes.count) changes = { count, at: performance.now() };
    if (activity.requests() > DEFAULT_PAGE_BUDGET.requests) traffic.cut();
    const isReady = waitFor === undefined || (await evaluate<boolean>(opened, showsElement(waitFor)));
    const isQuiet = performance.now() - changes.at >= settleMs && activity.isQuietFor(settleMs);
    if (isReady && isQuiet && clock.isSpent()) return true;
    await keepGoing(clock, { isReady, isStuck: isQuiet && activity.isStuck() });
    await pause(LOOK_EVERY_MS, signal);
    signal.throwIfAborted();
  }
  return false;
}

type Progress = { readonly isReady: boolean; readonly isStuck: boolean };

/** More time for what is waited for; and what waits for a stream or a poll would hold the timers up for good. */
async function keepGoing(clock: PageClock, { isReady, isStuck }: Progress): Promise<void> {
  if (clock.isSpent()) {
    if (!isReady) await clock.goOn('pauseIfNetworkFetchesPending');
  } else if (isStuck) {
    await clock.goOn('advance');
  }
}

/** In the main frame, apart from the page's own scripts. */
async function evaluate<Result>({ page, cdp }: OpenPage, expression: string): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      const { frameTree } = await cdp.send('Page.getFrameTree');
      const world = { frameId: frameTree.frame.id, worldName: WORLD };
      const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', world);
      const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
        expression,
        contextId,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as Result;
    } catch (cause) {
      // A script has gone on to another document meanwhile.
      if (tries === 2 || page.isClosed()) throw notRendered('The page could not be read', { cause });
      await page.waitForLoadState('domcontentloaded');
    }
  }
}

function headersOf(found: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const headers = new Map(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value] as const));
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers.set('content-type', 'text/html; charset=utf-8');
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** A request that has been under way for so long is a stream or a poll: the page does not wait for it. */
const STUCK_MS = 8_000;

/** Kinds whose failure may leave text out. */
const TEXT_MAKERS = new Set(['document', 'script', 'xhr', 'fetch']);
const NOT_WAITED_FOR = new Set(['websocket', 'eventsource', 'ping', 'image', 'media', 'font', 'manifest', 'other']);

type PageActivity = Disposable & {
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
function watchActivity(page: Page): PageActivity {
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

/** What a page may do by its timers: what a visitor sees after so long is read. */
const PAGE_TIME_MS = 10_000;
/** Tasks of a page that never rests, after which its time goes on all the same. */
const MAX_TASKS = 10_000;

type Policy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * The clock of a page: while nothing is fetched its time runs ahead to the next timer, so that timers cost no waiting.
 * A document that takes the place of another one begins anew. Disposed, the time of the page is free.
 */
type PageClock = AsyncDisposable & {
  /** The page has had its 10 s. */
  isSpent(): boolean;
  /** Another 10 s. `advance` does not wait for what is fetched. */
  goOn(policy: Policy): Promise<void>;
};

async function startPageClock(page: Page, cdp: CDPSession): Promise<PageClock> {
  let isSpent = false;
  const spent = () => {
    isSpent = true;
  };
  const goOn = async (policy: Policy) => {
    isSpent = false;
    await cdp.send('Emulation.setVirtualTimePolicy', {
      policy,
      budget: PAGE_TIME_MS,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS,
    });
  };
  // The process that shows the new document knows nothing of the time of the one before.
  const restart = () => void goOn('pauseIfNetworkFetchesPending').catch(ignoreClosed);
  cdp.on('Emulation.virtualTimeBudgetExpired', spent);
  page.on('domcontentloaded', restart);
  await goOn('pauseIfNetworkFetchesPending');
  return {
    isSpent: () => isSpent,
    goOn,
    [Symbol.asyncDispose]: async () => {
      cdp.off('Emulation.virtualTimeBudgetExpired', spent);
      page.off('domcontentloaded', restart);
      await cdp.send('Emulation.setVirtualTimePolicy', { policy: 'advance' }).catch(ignoreClosed);
    },
  };
}

/** The page was closed meanwhile: nobody asks for its time. */
function ignoreClosed(): void {}

const REFUSALS = new Set(['blocked-address', 'private-name', 'blocked-port', 'scheme']);

/** `reason` is what the proxy met; without one the browser itself failed. */
export function notRendered(
  message: string,
  { reason = 'render-failed', cause }: { readonly reason?: string | undefined; readonly cause?: unknown } = {},
): AppError {
  const code = REFUSALS.has(reason) ? 'fetch.blocked-address' : 'fetch.unavailable';
  return new AppError(code, message, { details: { reason }, cause });
}
