import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { NARROW, statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();

const LOGO = 'https://pictures.invalid/logo.svg';
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="32"><rect width="90" height="32" rx="6" fill="#8a2be2"/></svg>';

/** What the browser computes; scripts in pages are texts, as the types of browsers are not those of the tests. */
const styleOf = (page: Page, selector: string, name: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`);

test('a Persian page is written from right to left in the looks of its engine, light and dark', async () => {
  const theme = {
    logo: LOGO,
    light: { accent: '#8a2be2', background: '#fff8f0', surface: '#ffffff', text: '#2b1b3d' },
    dark: { background: '#160d22', surface: '#22163a', text: '#f0e8fa', accent: '#c9a0ff' },
    font: 'serif',
    radius: 'none',
  };
  await using server = await startSearchPageServer({ language: 'fa', title: 'باغ لیندن', theme });
  await using view = await openPage('about:blank', { viewport: WIDE });
  const { page } = view;
  await page.route(LOGO, (route) => route.fulfill({ body: PICTURE, contentType: 'image/svg+xml' }));
  await page.goto(server.origin);
  const root = page.locator('html');

  expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual(['fa', 'rtl']);
  expect(await page.title()).toBe('باغ لیندن');
  await page.getByRole('heading', { level: 1, name: 'باغ لیندن' }).waitFor();
  await checkAccess(page, 'themed Persian start');
  await page.locator('#query').fill('alpine');
  await page.locator('#query').press('Enter');
  await page.getByRole('status').filter({ hasText: '۲۳' }).waitFor();

  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(255, 248, 240)');
  expect(await styleOf(page, 'button[type=submit]', 'border-radius')).toBe('0px');
  expect(await styleOf(page, 'body', 'font-family')).toContain('Charter');
  expect(await page.evaluate("document.querySelector('img.logo').naturalWidth")).toBe(90);
  await checkAccess(page, 'themed Persian results');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(22, 13, 34)');
});

test('a compact theme with a pale accent and a fixed scheme can be read', async () => {
  const theme = {
    light: { accent: '#ffd000' },
    density: 'compact',
    radius: 'small',
    scheme: 'light',
    font: 'humanist',
  };
  await using server = await startSearchPageServer({ theme, placeholder: 'What do you look for?', hint: 'Ask us.' });
  await using view = await openPage(server.origin, { viewport: NARROW, colorScheme: 'dark' });
  const { page } = view;

  await page.getByText('Ask us.').waitFor();
  expect(await page.locator('#query').getAttribute('placeholder')).toBe('What do you look for?');
  await page.locator('#query').fill('alpine');
  await page.locator('#query').press('Enter');
  await statusOf(page, '1–10 of 23 results');
  await checkAccess(page, 'themed compact results');

  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(251, 250, 246)');
});

test('a visitor chooses language and colours where the page offers it, and finds them again', async () => {
  await using server = await startSearchPageServer({ visitorLanguage: true });
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');
  await checkAccess(page, 'preferences');

  await page.getByLabel('Colours').selectOption('Dark');
  await page.getByLabel('Language').selectOption('de');

  await page.getByLabel('Sprache').waitFor();
  await page.reload();
  await page.getByLabel('Sprache').waitFor();
  expect(await page.getByLabel('Farben').inputValue()).toBe('dark');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(20, 24, 26)');
  await page.getByLabel('Farben').selectOption('auto');
  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(251, 250, 246)');
});

test('a page that leaves nothing to visitors has no menu, whatever the browser keeps', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  await page.evaluate(`localStorage.setItem('fossick.preferences', '{"language":"de","scheme":"dark"}')`);
  await page.reload();

  await page.getByRole('button', { name: 'Search' }).waitFor();
  expect(await page.getByRole('contentinfo').count()).toBe(0);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(await styleOf(page, 'body', 'background-color')).toBe('rgb(251, 250, 246)');
});
