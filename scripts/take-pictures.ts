/**
 * Takes the pictures of README.md and of the guides: `node scripts/take-pictures.ts [<address>]`, of a running
 * installation that holds the sample site and nothing else; the address (default http://127.0.0.1:8080) is seen in them.
 * The picture of a theme changes the page of engine 1 for a moment, with the operator token in `DATA_DIR`.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from '../src/fetch/browser/find-chromium.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
const PICTURES = [
  { name: 'search-page', query: 'seed exchange', width: 1120, height: 760 },
  { name: 'search-page-narrow', query: 'seed exchange', width: 390, height: 780 },
  { name: 'search-page-answer', query: 'Can I bring my dog?', width: 1180, height: 860 },
] as const;
/** The first search of an index and the first question load what they need: its time is not to be shown. */
const VISITS = 3;
/** Of the demo: `1:1:SearchKey`. */
const SITE_KEY = 'MToxOlNlYXJjaEtleQ==';
const THEME = {
  published: true,
  title: 'Hjælp',
  language: 'da',
  theme: {
    light: { accent: '#7a1f5c', background: '#fff8fb', surface: '#ffffff', text: '#2b1a26' },
    font: 'serif',
    radius: 'large',
    scheme: 'light',
  },
} as const;

const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const named = process.env['CHROMIUM_PATH'];
const executablePath = await findChromium({ named, searchPath: process.env['PATH'] ?? '' });
if (executablePath === undefined) throw new Error('Chromium is missing: run npm run setup');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const picture of PICTURES) await takePage(browser, picture);
await takeTyping(browser);
await takeTheme(browser);
await takeWidget(browser);
await browser.close();

async function openPage(opened: Browser, width: number, height: number): Promise<Page> {
  return opened.newPage({ viewport: { width, height }, colorScheme: 'light' });
}

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
}

async function takePage(opened: Browser, { name, query, width, height }: (typeof PICTURES)[number]): Promise<void> {
  const page = await openPage(opened, width, height);
  for (let visit = 0; visit < VISITS; visit++) {
    await page.goto(`${address}/?q=${encodeURIComponent(query)}`);
    await page.locator('main[aria-busy=false] .result').first().waitFor();
    await page.getByRole('button', { name: query.endsWith('?') ? 'Not helpful' : 'Summarise these results' }).waitFor();
  }
  await keep(page, name);
}

async function takeTyping(opened: Browser): Promise<void> {
  const page = await openPage(opened, 1120, 620);
  await page.goto(address);
  await page.locator('#query').pressSequentially('wheelc');
  await page.getByRole('link', { name: 'Access without steps, quiet hours and help' }).waitFor();
  await keep(page, 'search-page-typing');
}

/** The page of the engine with looks of its own, in another language. */
async function takeTheme(opened: Browser): Promise<void> {
  const token = (await readFile(join(process.env['DATA_DIR'] ?? 'data', 'operator-token'), 'utf8')).trim();
  const change = async (settings: object) => {
    const response = await fetch(`${address}/admin/v1/engines/1`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
  await change({ page: THEME });
  const page = await openPage(opened, 1120, 620);
  await page.goto(`${address}/?q=roses`);
  await page.locator('main[aria-busy=false] .result').first().waitFor();
  await keep(page, 'search-page-theme');
  // Members that are not named stay.
  await change({ page: null });
  await change({ page: { published: true } });
}

/** The dialog of the widget above a page of somebody else. */
async function takeWidget(opened: Browser): Promise<void> {
  const page = await openPage(opened, 1120, 700);
  const text = '<p>Everything about the garden, written by those who keep it.</p>'.repeat(12);
  const tag = `<script async src="${address}/widget.js" data-key="${SITE_KEY}"></script>`;
  const body = `<!doctype html><html lang="en"><title>A blog</title><body style="font:18px/1.6 Georgia;margin:3rem 8rem"><h1>Notes from the beds</h1>${text}${tag}`;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.getByRole('button', { name: 'Search' }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Can I bring my dog?');
  await page.keyboard.press('Enter');
  await page.getByText('Only assistance dogs may enter the garden.').first().waitFor();
  await page.getByRole('button', { name: 'Not helpful' }).waitFor();
  await keep(page, 'widget');
  server.close();
}
