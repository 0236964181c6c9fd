import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright';
import { repeat } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';

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
export function watchMemory(browser: Browser, log: Log, signal: AbortSignal): Promise<void> {
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
