import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSearchPageServer } from './search-page-server.ts';

const CHROMIUM = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const BUILT_PAGE = join(import.meta.dirname, '../../web/dist/search/index.html');
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

let browser: Browser;
let pictures: string;

beforeAll(async () => {
  const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run npm run setup');
  if (!existsSync(BUILT_PAGE)) throw new Error('web/dist is missing: run npm run setup');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  pictures = process.env['SCREENSHOTS'] ?? (await mkdtemp(join(tmpdir(), 'fossick-search-page-')));
});

afterAll(() => browser?.close());

test('typing shows results, Enter commits them, facets and pages work by keyboard alone', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;

  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('alpine');
  await statusOf(page, '1–10 of 23 results in 4 ms');
  expect(server.requests.at(-1)).toMatchObject({
    authorization: 'SiteKey Mzo2OlNlYXJjaEtleQ==',
    body: { query: 'alpine', highlight: true, searchContext: 'sayt', page: 1 },
  });
  expect(new URL(page.url()).search).toBe('');

  await page.keyboard.press('Enter');
  await page.waitForURL('**/?q=alpine');
  await page.locator('main[aria-busy=false]').waitFor();
  expect(server.requests.at(-1)!.body.searchContext).toBeUndefined();
  expect(await page.locator('.result').count()).toBe(10);
  expect(await page.locator('.result mark').first().textContent()).toBe('Alpine');
  expect(await page.locator('.snippet').first().textContent()).toContain('dry in winter & open to the wind');

  await page.getByRole('checkbox', { name: /Guides/ }).focus();
  await page.keyboard.press('Space');
  await statusOf(page, '7 results in 4 ms');
  expect(server.requests.at(-1)!.body.facets).toMatchObject({ Category: ['Guides'] });
  expect(await page.getByRole('checkbox', { name: /Guides/ }).isChecked()).toBe(true);
  await page.keyboard.press('Space');
  await statusOf(page, '1–10 of 23 results in 4 ms');

  await page.getByRole('link', { name: 'Page 2', exact: true }).focus();
  await page.keyboard.press('Enter');
  await statusOf(page, '11–20 of 23 results in 4 ms');
  await page.locator('main:focus').waitFor();
  expect(new URL(page.url()).search).toBe('?q=alpine&page=2');

  await page.goBack();
  await statusOf(page, '1–10 of 23 results in 4 ms');
});

test.each([
  ['light, wide', { viewport: WIDE, colorScheme: 'light' as const }],
  ['dark, wide', { viewport: WIDE, colorScheme: 'dark' as const }],
  ['light, narrow', { viewport: NARROW, colorScheme: 'light' as const }],
  ['dark, narrow', { viewport: NARROW, colorScheme: 'dark' as const }],
])('no accessibility rule is broken in any state (%s)', async (name, options) => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, options);
  const { page } = view;

  await checkAccess(page, `${name} start`);
  await page.goto(`${server.origin}/?q=alpine&f.Category=Guides`);
  await statusOf(page, '7 results in 4 ms');
  await checkAccess(page, `${name} narrowed`);
  await page.goto(`${server.origin}/?q=alpine&page=2`);
  await statusOf(page, '11–20 of 23 results in 4 ms');
  const unfold = page.getByRole('button', { name: /^Filters/ });
  if (await unfold.isVisible()) {
    await checkAccess(page, `${name} results`);
    await unfold.click();
    await page.getByRole('checkbox', { name: /Guides/ }).waitFor();
  }
  await checkAccess(page, `${name} filters`);
  await page.goto(`${server.origin}/?q=zzz`);
  await page.getByRole('button', { name: 'alpine house' }).waitFor();
  await checkAccess(page, `${name} nothing`);
  server.behaviour.status = 500;
  await page.goto(`${server.origin}/?q=alpine`);
  await page.getByRole('alert').waitFor();
  await checkAccess(page, `${name} error`);
  const isWiderThanScreen = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(isWiderThanScreen).toBe(false);
});

test('a failed search says so and can be tried again', async () => {
  await using server = await startSearchPageServer();
  server.behaviour.status = 500;
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });
  const { page } = view;
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain('request-17');

  server.behaviour.status = 200;
  await page.getByRole('button', { name: 'Try again' }).press('Enter');

  await statusOf(page, '1–10 of 23 results in 4 ms');
  expect(await alert.count()).toBe(0);
});

test('a suggestion replaces a query without results', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=zzz`, { viewport: WIDE });
  const { page } = view;

  await page.getByRole('button', { name: 'alpine', exact: true }).press('Enter');

  await statusOf(page, '1–10 of 23 results in 4 ms');
  expect(await page.getByRole('combobox').inputValue()).toBe('alpine');
  expect(await page.title()).toBe('alpine – Search Lindenholm Garden');
});

test('completions are offered while typing, by keyboard and pointer', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  const box = page.getByRole('combobox');
  const options = page.getByRole('option');
  expect(await box.getAttribute('aria-expanded')).toBe('false');

  await box.pressSequentially('alpine');
  await options.first().waitFor();
  expect(await options.allTextContents()).toEqual(['alpine house', 'alpine plants', 'alpine trough <course>']);
  expect(await box.getAttribute('aria-expanded')).toBe('true');
  expect(server.completed.at(-1)).toEqual({ authorization: 'SiteKey Mzo2OlNlYXJjaEtleQ==', query: 'alpine' });
  await statusOf(page, '1–10 of 23 results in 4 ms');
  await checkAccess(page, 'completions');

  await box.press('ArrowUp');
  expect(await options.nth(2).getAttribute('aria-selected')).toBe('true');
  await box.press('ArrowDown');
  expect(await box.getAttribute('aria-activedescendant')).toBeNull();
  await box.press('ArrowDown');
  await box.press('ArrowDown');
  expect(await box.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
  await checkAccess(page, 'completions active');
  await box.press('Enter');
  await page.waitForURL('**/?q=alpine+plants');
  expect(await box.inputValue()).toBe('alpine plants');
  expect(await options.count()).toBe(0);

  await box.fill('alp');
  await options.first().waitFor();
  await box.press('Escape');
  expect(await options.count()).toBe(0);
  expect(await box.inputValue()).toBe('alp');

  await box.press('i');
  await options.last().click();
  await page.waitForURL('**/?q=alpine+trough+*');
  expect(await box.inputValue()).toBe('alpine trough <course>');

  await box.fill('alp');
  await options.first().waitFor();
  await page.keyboard.press('Tab');
  expect(await options.count()).toBe(0);
});

test('without an answer nothing is offered, and searching goes on', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: NARROW });
  const { page } = view;
  await page.route('**/autocomplete?*', (route) => route.abort());
  const asked = page.waitForRequest('**/autocomplete?*');

  await page.getByRole('combobox').pressSequentially('alpine');

  await asked;
  await statusOf(page, '1–10 of 23 results in 4 ms');
  expect(await page.getByRole('option').count()).toBe(0);
});

test('committed queries and clicks are logged, keystrokes are not', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  await page.getByRole('combobox').pressSequentially('alpine');
  await statusOf(page, '1–10 of 23 results in 4 ms');
  expect(server.events).toEqual([]);

  const logged = page.waitForResponse('**/querylog');
  await page.keyboard.press('Enter');
  await logged;
  await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'The page that was clicked' }));
  const clicked = page.waitForRequest('**/clicklog');
  await page.getByRole('link', { name: 'Edelweiss' }).first().press('Enter');
  await clicked;
  await page.waitForURL('https://garden.example/**');

  const qid = '0192f6a0-0000-8000-8000-000000000001';
  expect(server.events[0]).toMatchObject({
    address: '/api/v3/3/6/search/pushstat/querylog',
    body: { sw: 'alpine', qid, rc: 23 },
  });
  expect((await clicked).postDataJSON()).toMatchObject({ sw: 'alpine', qid, cli: 4, title: 'Edelweiss' });
});

test('a corrected query says what was searched instead', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpnie`, { viewport: WIDE });

  await view.page.getByText('Nothing matches “alpnie”. These are the results for alpine.').waitFor();
});

/** A page that fails the test when the browser reports an error: a broken script or a breach of the page's policy. */
async function openPage(address: string, options: Parameters<Browser['newContext']>[0]) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const isExpected = /status of 500|ERR_FAILED/.test(message.text());
    if (message.type() === 'error' && !isExpected) faults.push(message.text());
  });
  await page.goto(address);
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

async function statusOf(page: Page, text: string) {
  await page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
}

async function checkAccess(page: Page, name: string) {
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/[ ,]+/g, '-')}.png`) });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
