/**
 * Takes the pictures of the admin web for README.md and docs/admin.md: `node scripts/take-admin-pictures.ts
 * [<address>]`, of a new installation that runs, holds the sample site and nothing else, and whose operator token is in
 * `DATA_DIR`. It searches as visitors would, so that there is something to see; nothing but that is stored.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from '../src/fetch/browser/find-chromium.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
const WIDTH = 1440;
/** Of the demo: `1:1:SearchKey`. */
const SITE_KEY = 'MToxOlNlYXJjaEtleQ==';
const ENGINE = '/admin/engines/1';
/** What visitors have searched, how often, and the place of the hit that every other of them clicked. */
const SEARCHES = [
  ['opening hours', 14, 1],
  ['tickets', 9, 2],
  ['compost', 8, 1],
  ['dogs', 7, 2],
  ['cafe', 5, 1],
  ['wheelchair', 4, 1],
  ['bonsai', 3, 0],
  ['wedding', 2, 0],
] as const;

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly height: number;
  readonly scheme?: 'light' | 'dark';
  /** Brings the page to what is shown. */
  readonly act: (page: Page) => Promise<void>;
};

const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const PICTURES: readonly Picture[] = [
  {
    name: 'admin-home',
    path: '/admin',
    height: 520,
    act: (page) => page.getByRole('link', { name: 'Sample site' }).waitFor(),
  },
  {
    name: 'admin-add-site',
    path: '/admin/sites/add',
    height: 760,
    act: async (page) => {
      await page.getByLabel('Address of the site').fill(`${address}/sample/`);
      await page.keyboard.press('Enter');
      await page.getByLabel('Language').waitFor();
    },
  },
  {
    name: 'admin-preview',
    path: `${ENGINE}/preview?q=dogs`,
    height: 800,
    act: (page) => page.getByRole('button', { name: 'Pin here: Questions and answers' }).click(),
  },
  {
    name: 'admin-why',
    path: `${ENGINE}/why?q=${encodeURIComponent(`${address}/sample/visit/cafe.html`)}`,
    height: 800,
    act: (page) => page.getByText('Visitors can find it').waitFor(),
  },
  {
    name: 'admin-visitors',
    path: `${ENGINE}/visitors?view=queries`,
    height: 680,
    scheme: 'dark',
    act: (page) => page.getByText('opening hours').first().waitFor(),
  },
];

const token = (await readFile(join(process.env['DATA_DIR'] ?? 'data', 'operator-token'), 'utf8')).trim();
for (const search of SEARCHES) await searchAsVisitors(search);
const named = process.env['CHROMIUM_PATH'];
const executablePath = await findChromium({ named, searchPath: process.env['PATH'] ?? '' });
if (executablePath === undefined) throw new Error('Chromium is missing: run npm run setup');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const picture of PICTURES) await takePicture(browser, picture);
await browser.close();

async function searchAsVisitors([query, times, clicked]: (typeof SEARCHES)[number]): Promise<void> {
  for (let time = 0; time < times; time++) {
    const found = await send('/api/v4/1/1/search', { query, perPage: 10 });
    const {
      QueryId: qid,
      TotalDocument: rc,
      TypedDocuments: hits,
    } = found as {
      readonly QueryId: string;
      readonly TotalDocument: number;
      readonly TypedDocuments: readonly { readonly Id: string }[];
    };
    await send('/api/v3/1/1/search/pushstat/querylog', { qid, sw: query, rc: String(rc), dt: 'desktop' });
    const hit = hits[clicked - 1];
    if (hit === undefined || time % 2 === 1) continue;
    await send('/api/v3/1/1/search/pushstat/clicklog', {
      qid,
      sw: query,
      clurl: hit.Id,
      cli: String(clicked),
      ls: 'searchresult',
    });
  }
}

async function send(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `SiteKey ${SITE_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function takePicture(opened: Browser, { name, path, height, scheme = 'light', act }: Picture): Promise<void> {
  const page = await opened.newPage({ viewport: { width: WIDTH, height }, colorScheme: scheme });
  await page.goto(`${address}${path}`);
  await page
    .getByText(/operator token/i)
    .first()
    .click();
  await page.getByLabel(/token/i).first().fill(token);
  await page.keyboard.press('Enter');
  await act(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  await page.close();
}
