import type { Response } from 'playwright';
import { AppError } from '../../core/errors.ts';
import { pause } from '../../observability/background.ts';
import { DEFAULT_PAGE_BUDGET, type OpenTraffic } from '../egress-proxy.ts';
import type { BlockableResource, RenderedPage, RenderRequest } from '../renderer.ts';
import type { OpenPage } from './open-page.ts';
import { type PageActivity, watchActivity } from './page-activity.ts';
import { type PageClock, startPageClock } from './page-clock.ts';
import { addCookies } from './page-credentials.ts';
import { CHANGES, serializedTree, showsElement } from './page-script.ts';
import { notRendered } from './render-failure.ts';

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
