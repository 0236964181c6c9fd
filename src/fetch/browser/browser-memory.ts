import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';

/**
 * Memory of a browser's processes in bytes, shared pages counted once; 0 where the system does not tell (it is asked
 * of `/proc`).
 */
export async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    let bytes = 0;
    for (const { id } of processInfo) bytes += await shareOf(id);
    return bytes;
  } finally {
    await session.detach();
  }
}

async function shareOf(pid: number): Promise<number> {
  // A process may have ended since, and other systems have no such file.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}
