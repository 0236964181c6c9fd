import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import { chromiumPath } from '../../test/helpers/chromium-path.ts';
import { startProcesses } from '../../test/helpers/processes.ts';
import { pushCorpus } from './push-corpus.ts';

const HELP = `usage: node scripts/bench/page.ts [--documents 100000] [--words 60]

The search page in Chromium over generated documents of a product that it starts: what a load transfers, when the first
and the largest content is painted and how long scripts hold the page (as it is, and with a processor four times slower),
from a key to the results on the screen, and requests for keys typed at a pace. Loopback only.
`;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    words: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const KEY = 'bench-page-key';
const LOADS = 5;
const SLOWER = 4;
/** Gap between two keys of somebody who types 110 characters in 12 s. */
const KEY_GAP_MS = 110;
const TYPED = 'solar panels roof';

type Paints = { readonly first: number; readonly largest: number; readonly blocked: number };

/** Runs in the page. Blocked: what tasks take beyond 50 ms each (Total Blocking Time). */
const READ_PAINTS = `(async () => {
  const entries = (type) => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
    setTimeout(() => resolve([]), 300);
  });
  const [paints, largest, tasks] = await Promise.all(['paint', 'largest-contentful-paint', 'longtask'].map(entries));
  return {
    first: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0,
    largest: largest.at(-1)?.startTime ?? 0,
    blocked: tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
  };
})()`;

/**
 * Runs in the page: types one text, and waits for the second frame after the answer to it. The box keeps a pause before
 * it asks, which is part of the time.
 */
const PAINT_AFTER_KEY = `async (text) => {
  const box = document.querySelector('input[role=combobox]');
  const answered = new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (!list.getEntries().some(({ name }) => new URL(name).searchParams.get('query') === text)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'resource' });
  });
  const startedAt = performance.now();
  box.value = text;
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await answered;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - startedAt;
}`;

const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-page-'));
try {
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(provision()));
  const environment = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  await using product = await startProcesses({ dataDir: join(folder, 'data'), environment });
  const target = { address: product.address, customerId: 1, apiKey: KEY };
  const pushed = await pushCorpus(target, { engineId: 1, crawlerId: 1, count: Number(values.documents) });
  const titles = pushed.slice(0, Number(values.words));
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
  try {
    for (const slower of [1, SLOWER]) await measureLoad(browser, product.address, slower);
    await measureTyping(browser, product.address, titles);
  } finally {
    await browser.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function provision() {
  return {
    version: 1,
    customers: [
      {
        id: 1,
        name: 'Bench',
        keys: [{ name: 'bench', value: KEY }],
        engines: [{ id: 1, name: 'Bench', language: 'en', page: { published: true } }],
        crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
      },
    ],
  };
}

/** Each load with an empty cache. */
async function measureLoad(browser: Browser, address: string, slower: number): Promise<void> {
  const loads: { first: number; largest: number; blocked: number; kilobytes: number }[] = [];
  for (let load = 0; load < LOADS; load++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    let bytes = 0;
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    const times = await page.evaluate<Paints>(READ_PAINTS);
    loads.push({ ...times, kilobytes: bytes / 1_000 });
    await context.close();
  }
  const middle = (name: 'first' | 'largest' | 'blocked' | 'kilobytes') =>
    (loads.map((load) => load[name]).sort((a, b) => a - b)[Math.floor(LOADS / 2)] ?? 0).toFixed(0);
  console.log(
    `load, processor ${slower} × slower: ${middle('kilobytes')} KB, first paint ${middle('first')} ms, largest ${middle('largest')} ms, blocked ${middle('blocked')} ms (medians of ${LOADS})`,
  );
}

async function measureTyping(browser: Browser, address: string, titles: readonly string[]): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('combobox').focus();
  const waits: number[] = [];
  for (const title of titles) {
    for (const length of [3, 5, 8]) {
      const text = JSON.stringify(title.slice(0, length).trim());
      waits.push(await page.evaluate<number>(`(${PAINT_AFTER_KEY})(${text})`));
    }
  }
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(
    `from a key to its results on the screen: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms (${sorted.length} texts)`,
  );
  await countRequests(page);
  await context.close();
}

async function countRequests(page: Page): Promise<void> {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests++;
  });
  await page.getByRole('combobox').fill('');
  await page.getByRole('combobox').pressSequentially(TYPED, { delay: KEY_GAP_MS });
  await page.waitForTimeout(1_000);
  console.log(`${TYPED.length} keys with ${KEY_GAP_MS} ms between them: ${requests} requests`);
}
