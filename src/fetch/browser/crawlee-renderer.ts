import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { BrowserPoolOptions, PlaywrightPlugin } from '@crawlee/browser-pool';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { unlessAborted } from '../../core/concurrency.ts';
import { AppError } from '../../core/errors.ts';
import { repeat, runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { EgressProxy } from '../egress-proxy.ts';
import type { FetchAccess } from '../fetcher.ts';
import type { RenderedPage, Renderer, RenderRequest } from '../renderer.ts';
import { loadBrowserPool } from './load-browser-pool.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { notRendered, renderPage } from './render-page.ts';

export type CrawleeRendererOptions = {
  readonly executablePath: string;
  readonly sandbox: boolean;
  readonly proxy: EgressProxy;
  readonly userAgent: string;
  readonly log: Log;
};

/**
 * Renders with Chromium, which Crawlee's pool starts with the first page, replaces, and ends when nothing was rendered
 * for a while. Dispose it to end the browser; the proxy stays.
 */
export function createCrawleeRenderer(options: CrawleeRendererOptions): Renderer {
  let opening: Promise<PagePool> | undefined;
  return {
    render: async (request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> => {
      opening ??= openPagePool(options);
      return renderWithin(await opening, request, signal);
    },
    [Symbol.asyncDispose]: async () => {
      const pool = await opening;
      await pool?.[Symbol.asyncDispose]();
    },
  };
}

/** A browser is replaced after so many documents (crawling 19). */
const DOCUMENTS_PER_BROWSER = 100;
/** An idle page waits for another document of its crawler. */
const IDLE_MS = 5_000;
/** A browser without a page ends; starting another takes some 1 s. */
const IDLE_BROWSER_SECS = 30;
/** For reading, beside what the crawler allows a page; never more than 30 s in all (reliability 8). */
const GRACE_MS = 3_000;
const LONGEST_MS = 30_000;
const OPENING_MS = 15_000;

type PagePool = AsyncDisposable & {
  /** An idle page of this access, or a new one. */
  take(request: RenderRequest): Promise<OpenPage>;
  /** Keeps a cleared page for the next document of this access, or closes it. */
  giveBack(opened: OpenPage, access: FetchAccess): void;
  discard(opened: OpenPage): void;
};

/** Loaded with the first document: the packages are large. */
async function openPagePool({ proxy, userAgent, log, ...launching }: CrawleeRendererOptions): Promise<PagePool> {
  const { chromium } = await import('playwright');
  const crawlee = loadBrowserPool();
  const plugin = new crawlee.PlaywrightPlugin(chromium, { useIncognitoPages: true });
  // Its own way adds a proxy of Crawlee, hides that the browser is driven and calls it another one.
  plugin.launch = () => launchChromium({ ...launching, proxyServer: proxy.server });
  const pool = new crawlee.BrowserPool<BrowserPoolOptions, PlaywrightPlugin[]>({
    browserPlugins: [plugin],
    useFingerprints: false,
    retireBrowserAfterPageCount: DOCUMENTS_PER_BROWSER,
    retireInactiveBrowserAfterSecs: IDLE_BROWSER_SECS,
    closeInactiveBrowserAfterSecs: (2 * LONGEST_MS) / 1_000,
    operationTimeoutSecs: OPENING_MS / 1_000,
    postLaunchHooks: [
      (_pageId, controller) => {
        watchBrowser(controller.browser, log, () => pool.retireBrowserController(controller));
      },
    ],
  });
  const idle = openIdlePages(log);
  const opening = new Set<Promise<Page>>();
  const newPage = async (pageOptions: BrowserContextOptions) => {
    const page = pool.newPage({ pageOptions });
    opening.add(page);
    return page.finally(() => opening.delete(page));
  };
  return {
    take: async (request) => {
      const waiting = idle.take(request.access);
      const controller = waiting && pool.getBrowserControllerByPage(waiting.page);
      if (waiting === undefined || controller === undefined) return openPage({ newPage, proxy, userAgent }, request);
      // To the pool a page that is used again is another one, or its browser would never be replaced.
      controller.totalPages++;
      controller.lastPageOpenedAt = Date.now();
      return waiting;
    },
    giveBack: (opened, access) => {
      const controller = pool.getBrowserControllerByPage(opened.page);
      if (controller === undefined || controller.totalPages >= DOCUMENTS_PER_BROWSER) discard(log, opened);
      else idle.keep(access, opened);
    },
    discard: (opened) => discard(log, opened),
    [Symbol.asyncDispose]: async () => {
      idle.clear();
      // The pool would forget a browser that is about to start.
      await Promise.allSettled(opening);
      await pool.destroy();
    },
  };
}

function watchBrowser(browser: Browser, log: Log, onEnd: () => void): void {
  const ended = new AbortController();
  browser.once('disconnected', () => {
    onEnd();
    ended.abort();
  });
  runInBackground(log, 'watch the memory of pages', () => watchMemory(browser, log, ended.signal));
}

/** Pages by what their crawler may reach: no page serves two. Each ends by itself when it is not taken in time. */
function openIdlePages(log: Log) {
  const pages = new Map<FetchAccess, { readonly opened: OpenPage; readonly timer: NodeJS.Timeout }>();
  const take = (access: FetchAccess): OpenPage | undefined => {
    const waiting = pages.get(access);
    clearTimeout(waiting?.timer);
    pages.delete(access);
    return waiting?.opened.page.isClosed() === true ? undefined : waiting?.opened;
  };
  return {
    take,
    keep: (access: FetchAccess, opened: OpenPage): void => {
      if (pages.has(access)) {
        discard(log, opened);
        return;
      }
      const end = () => {
        take(access);
        discard(log, opened);
      };
      pages.set(access, { opened, timer: setTimeout(end, IDLE_MS).unref() });
    },
    clear: (): void => {
      for (const { timer } of pages.values()) clearTimeout(timer);
      pages.clear();
    },
  };
}

/** A page that hangs closes late; nobody waits for it. */
function discard(log: Log, opened: OpenPage): void {
  const close = async () => opened[Symbol.asyncDispose]();
  close().catch((err: unknown) => log.debug({ err }, 'page did not close'));
}

/** The page ends with its time, with the signal, or with its renderer process. */
async function renderWithin(pool: PagePool, request: RenderRequest, caller: AbortSignal): Promise<RenderedPage> {
  const crash = new AbortController();
  const onCrash = () => crash.abort();
  let opened: OpenPage | undefined;
  try {
    opened = await takePage(pool, request, AbortSignal.any([caller, AbortSignal.timeout(LAUNCH_MS + OPENING_MS)]));
    opened.page.once('crash', onCrash);
    const timeout = AbortSignal.timeout(Math.min(request.settings.timeoutMs + GRACE_MS, LONGEST_MS));
    const signal = AbortSignal.any([caller, crash.signal, timeout]);
    const rendered = await unlessAborted(renderPage(opened, request, signal), signal);
    await unlessAborted(opened.clear(), signal);
    opened.page.off('crash', onCrash);
    pool.giveBack(opened, request.access);
    return rendered;
  } catch (error) {
    opened?.page.off('crash', onCrash);
    if (opened !== undefined) pool.discard(opened);
    if (caller.aborted) throw notRendered('The page was given up', { reason: 'shutdown', cause: error });
    throw error instanceof AppError ? error : notRendered('The browser failed', { cause: error });
  }
}

/** A page that comes after the signal is closed. */
async function takePage(pool: PagePool, request: RenderRequest, signal: AbortSignal): Promise<OpenPage> {
  const taking = pool.take(request);
  return unlessAborted(taking, signal).catch((error: unknown) => {
    taking.then(
      (opened) => pool.discard(opened),
      () => undefined,
    );
    throw error;
  });
}

type LaunchOptions = {
  readonly executablePath: string;
  readonly proxyServer: string;
  /** Chromium's own isolation of what pages run. Needs user namespaces, and another user than root. */
  readonly sandbox: boolean;
};

/**
 * Reliability 8: the proxy is the only way out, also to loopback; no name is resolved inside; nothing goes over UDP.
 * Its environment holds nothing of this process.
 */
async function launchChromium({ executablePath, proxyServer, sandbox }: LaunchOptions): Promise<Browser> {
  const { chromium } = await import('playwright');
  const launching = chromium.launch({
    executablePath,
    chromiumSandbox: sandbox,
    proxy: { server: proxyServer, bypass: '<-loopback>' },
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--disable-quic',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-pings',
      '--dns-prefetch-disable',
    ],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8', TZ: 'UTC' },
    timeout: LAUNCH_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return launching.catch((cause: unknown) => {
    throw notRendered('Chromium did not start', { cause });
  });
}

const LAUNCH_MS = 20_000;

/** A page grows by some hundred megabytes in this time at most. */
const LOOK_EVERY_MS = 100;
/** A process that shows pages and grows beyond this is ended, and its page fails (crawling 19). */
const MAX_PAGE_BYTES = 384 * 1024 ** 2;
/** All processes of a browser together: the largest page goes. */
const MAX_BROWSER_BYTES = 900 * 1024 ** 2;

type MeasuredProcess = { readonly pid: number; readonly isPage: boolean; readonly bytes: number };

/**
 * Ends the processes of pages that take too much memory, until the signal ends it. Asks `/proc`: where there is none,
 * nothing is ended.
 */
function watchMemory(browser: Browser, log: Log, signal: AbortSignal): Promise<void> {
  return repeat({ log, name: 'watch the memory of pages', pauseMs: LOOK_EVERY_MS, signal }, async () => {
    if (!browser.isConnected()) return;
    const processes = await measure(browser);
    const pages = processes.filter(({ isPage }) => isPage).sort((a, b) => b.bytes - a.bytes);
    const tooLarge = pages.filter(({ bytes }) => bytes > MAX_PAGE_BYTES);
    const total = processes.reduce((sum, { bytes }) => sum + bytes, 0);
    const [largest] = pages;
    const ended = tooLarge.length > 0 || total <= MAX_BROWSER_BYTES || largest === undefined ? tooLarge : [largest];
    for (const { pid, bytes } of ended) {
      log.info({ bytes }, 'a page in the browser is ended: it takes too much memory');
      endProcess(pid);
    }
  });
}

/** Memory of a browser's own in bytes, by process; nothing where the system does not tell. */
async function measure(browser: Browser): Promise<readonly MeasuredProcess[]> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return await Promise.all(
      processInfo.map(async ({ id, type }) => ({ pid: id, isPage: type === 'renderer', bytes: await ownBytes(id) })),
    );
  } finally {
    await session.detach();
  }
}

/** Without what it shares with others. Costs .05 ms, whatever the process holds. */
async function ownBytes(pid: number): Promise<number> {
  // A process may have ended since, and other systems have no such file.
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = ['RssAnon', 'RssShmem'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]),
  );
  return kilobytes.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0) * 1024;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
