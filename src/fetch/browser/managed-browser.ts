import type { Browser } from 'playwright';
import { unlessAborted } from '../../core/concurrency.ts';
import { AppError } from '../../core/errors.ts';
import { runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { EgressProxy } from '../egress-proxy.ts';
import type { FetchAccess } from '../fetcher.ts';
import type { RenderedPage, RenderRequest } from '../renderer.ts';
import { watchMemory } from './memory-watch.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { notRendered } from './render-failure.ts';
import { renderPage } from './render-page.ts';

/** A browser is replaced after so many pages (crawling 19). */
const PAGES_PER_BROWSER = 100;
/** An idle page waits for another document of its crawler. */
const IDLE_MS = 5_000;
/** For reading, beside what the crawler allows a page; never more than 30 s in all (reliability 8). */
const GRACE_MS = 3_000;
const LONGEST_MS = 30_000;
const OPENING_MS = 15_000;

/** One browser until it is used up; it ends by itself then, when the last page is read. */
export type ManagedBrowser = AsyncDisposable & {
  /** False: ask for another one. */
  isUsable(): boolean;
  onEnd(listener: () => void): void;
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
};

type RunningBrowser = {
  readonly browser: Browser;
  readonly proxy: EgressProxy;
  readonly userAgent: string;
  readonly log: Log;
  /** By what their crawler may reach: no page serves two. */
  readonly idle: Map<FetchAccess, { readonly opened: OpenPage; readonly timer: NodeJS.Timeout }>;
  pages: number;
  users: number;
  isUsedUp: boolean;
};

export function openBrowser(input: Pick<RunningBrowser, 'browser' | 'proxy' | 'userAgent' | 'log'>): ManagedBrowser {
  const held: RunningBrowser = { ...input, idle: new Map(), pages: 0, users: 0, isUsedUp: false };
  const ended = new AbortController();
  held.browser.once('disconnected', () => {
    held.isUsedUp = true;
    ended.abort();
  });
  runInBackground(held.log, 'watch the memory of pages', () => watchMemory(held.browser, held.log, ended.signal));
  return {
    isUsable: () => !held.isUsedUp,
    onEnd: (listener) => held.browser.once('disconnected', listener),
    render: async (request, signal) => {
      held.users++;
      held.pages++;
      try {
        return await renderWithin(held, request, signal);
      } finally {
        held.users--;
        held.isUsedUp ||= held.pages >= PAGES_PER_BROWSER;
        if (held.isUsedUp && held.users === 0) void close(held);
      }
    },
    [Symbol.asyncDispose]: () => close(held),
  };
}

async function close({ browser, idle, log }: RunningBrowser): Promise<void> {
  for (const { timer } of idle.values()) clearTimeout(timer);
  idle.clear();
  await browser.close().catch((err: unknown) => log.warn({ err }, 'browser did not close'));
}

/** The page ends with its time, with the signal, or with its renderer process. */
async function renderWithin(held: RunningBrowser, request: RenderRequest, caller: AbortSignal): Promise<RenderedPage> {
  const crash = new AbortController();
  const onCrash = () => crash.abort();
  let opened: OpenPage | undefined;
  try {
    opened = await takePage(held, request, AbortSignal.any([caller, AbortSignal.timeout(OPENING_MS)]));
    opened.page.once('crash', onCrash);
    const timeout = AbortSignal.timeout(Math.min(request.settings.timeoutMs + GRACE_MS, LONGEST_MS));
    const signal = AbortSignal.any([caller, crash.signal, timeout]);
    const rendered = await unlessAborted(renderPage(opened, request, signal), signal);
    await unlessAborted(opened.clear(), signal);
    keep(held, request.access, opened);
    return rendered;
  } catch (error) {
    if (opened !== undefined) discard(held, opened);
    if (caller.aborted) throw notRendered('The page was given up', { reason: 'shutdown', cause: error });
    throw error instanceof AppError ? error : notRendered('The browser failed', { cause: error });
  } finally {
    opened?.page.off('crash', onCrash);
  }
}

async function takePage(held: RunningBrowser, request: RenderRequest, signal: AbortSignal): Promise<OpenPage> {
  const waiting = held.idle.get(request.access);
  if (waiting !== undefined) {
    clearTimeout(waiting.timer);
    held.idle.delete(request.access);
    return waiting.opened;
  }
  const opening = openPage(held, request);
  return unlessAborted(opening, signal).catch((error: unknown) => {
    opening.then(
      (opened) => discard(held, opened),
      () => undefined,
    );
    throw error;
  });
}

function keep(held: RunningBrowser, access: FetchAccess, opened: OpenPage): void {
  if (held.idle.has(access) || held.isUsedUp) {
    discard(held, opened);
    return;
  }
  const end = () => {
    held.idle.delete(access);
    discard(held, opened);
  };
  held.idle.set(access, { opened, timer: setTimeout(end, IDLE_MS).unref() });
}

/** A page that hangs closes late; nobody waits for it. */
function discard({ log }: RunningBrowser, opened: OpenPage): void {
  const close = async () => opened[Symbol.asyncDispose]();
  close().catch((err: unknown) => log.debug({ err }, 'page did not close'));
}
