import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright';
import { unlessAborted } from '../../core/concurrency.ts';
import { AppError } from '../../core/errors.ts';
import { repeat, runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { EgressProxy } from '../egress-proxy.ts';
import type { FetchAccess } from '../fetcher.ts';
import type { RenderedPage, Renderer, RenderRequest } from '../renderer.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { notRendered, renderPage } from './render-page.ts';

export type BrowserRendererOptions = {
  readonly executablePath: string;
  readonly sandbox: boolean;
  readonly proxy: EgressProxy;
  readonly userAgent: string;
  readonly log: Log;
};

/** Renders with one Chromium, which starts with the first page. Dispose it to end the browser; the proxy stays. */
export function createBrowserRenderer(options: BrowserRendererOptions): Renderer {
  const { executablePath, sandbox, proxy, userAgent, log } = options;
  const living = new Set<ManagedBrowser>();
  let current: Promise<ManagedBrowser> | undefined;

  const start = async (): Promise<ManagedBrowser> => {
    const browser = await launchChromium({ executablePath, sandbox, proxyServer: proxy.server });
    const hold = openBrowser({ browser, proxy, userAgent, log });
    living.add(hold);
    hold.onEnd(() => living.delete(hold));
    return hold;
  };
  const present = async (): Promise<ManagedBrowser> => {
    const known = current;
    const hold = await known?.catch(() => undefined);
    if (hold?.isUsable() === true) return hold;
    // Somebody else may have started one meanwhile.
    if (current === known || current === undefined) current = start();
    try {
      return await current;
    } catch (cause) {
      throw notRendered('Chromium did not start', { cause });
    }
  };
  return {
    render: async (request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> => {
      const hold = await present();
      return hold.render(request, signal);
    },
    [Symbol.asyncDispose]: async () => {
      await current?.catch(() => undefined);
      current = undefined;
      await Promise.all([...living].map((hold) => hold[Symbol.asyncDispose]()));
    },
  };
}

export type LaunchOptions = {
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
  // Loaded with the first page: it is large.
  const { chromium } = await import('playwright');
  return chromium.launch({
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
}

const LAUNCH_MS = 20_000;

/** A browser is replaced after so many pages (crawling 19). */
const PAGES_PER_BROWSER = 100;
/** An idle page waits for another document of its crawler. */
const IDLE_MS = 5_000;
/** For reading, beside what the crawler allows a page; never more than 30 s in all (reliability 8). */
const GRACE_MS = 3_000;
const LONGEST_MS = 30_000;
const OPENING_MS = 15_000;

/** One browser until it is used up; it ends by itself then, when the last page is read. */
type ManagedBrowser = AsyncDisposable & {
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

function openBrowser(input: Pick<RunningBrowser, 'browser' | 'proxy' | 'userAgent' | 'log'>): ManagedBrowser {
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
