/**
 * Takes the pictures of README.md: `node scripts/take-pictures.ts [<address>]`, of a running installation that holds
 * the sample site and nothing else; the address (default http://127.0.0.1:8080) is seen in them.
 */
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChromium } from '../src/fetch/browser/find-chromium.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
const PICTURES = [
  { name: 'search-page', query: 'seed exchange', width: 1120, height: 760 },
  { name: 'search-page-narrow', query: 'seed exchange', width: 390, height: 780 },
  { name: 'search-page-answer', query: 'Can I bring my dog?', width: 1180, height: 860 },
] as const;
/** The first search of an index and the first question load what they need: its time is not to be shown. */
const VISITS = 3;

const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const named = process.env['CHROMIUM_PATH'];
const executablePath = await findChromium({ named, searchPath: process.env['PATH'] ?? '' });
if (executablePath === undefined) throw new Error('Chromium is missing: run npm run setup');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const { name, query, width, height } of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
  for (let visit = 0; visit < VISITS; visit++) {
    await page.goto(`${address}/?q=${encodeURIComponent(query)}`);
    await page.locator('main[aria-busy=false] .result').first().waitFor();
    await page.getByRole('button', { name: query.endsWith('?') ? 'Not helpful' : 'Summarise these results' }).waitFor();
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
}
await browser.close();
