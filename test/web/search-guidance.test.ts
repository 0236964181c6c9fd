import { expect, test } from 'vitest';
import { NARROW, statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();

test.each([
  ['wide', { viewport: WIDE }],
  ['narrow', { viewport: NARROW }],
])('what stands around the results breaks no accessibility rule, light or dark (%s)', async (name, options) => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, options);
  const { page } = view;
  for (const query of ['alpnie', 'trogh', 'opening+hours']) {
    await page.goto(`${server.origin}/?q=${query}`);
    await page.locator('.result').first().waitFor();
    await checkAccess(page, `${name} ${query}`);
    const isWiderThanScreen = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWiderThanScreen).toBe(false);
  }
  await page.locator('.related').scrollIntoViewIfNeeded();
  await checkAccess(page, `${name} related`);
});

test('a corrected query says what was searched instead, also to screen readers', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpnie`, { viewport: WIDE });
  const { page } = view;

  await page.getByText('Showing results for alpine. Nothing matches “alpnie”.').waitFor();
  await statusOf(page, '1–10 of 23 results, showing results for alpine');
  expect(await page.locator('#query').inputValue()).toBe('alpnie');
});

test('a suggestion replaces a query without results, by keyboard', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=zzz&f.Category=Guides`, { viewport: WIDE });
  const { page } = view;
  const suggestion = page.getByRole('link', { name: 'alpine', exact: true });
  expect(await suggestion.getAttribute('href')).toBe('?q=alpine');

  await suggestion.press('Enter');

  await statusOf(page, '1–10 of 23 results');
  expect(new URL(page.url()).search).toBe('?q=alpine');
  expect(await page.locator('#query').inputValue()).toBe('alpine');
  expect(await page.title()).toBe('alpine – Search Lindenholm Garden');
  await page.locator('main:focus').waitFor();
  expect(await page.getByText('Did you mean').count()).toBe(0);
});

test('few results come with suggestions, a page full of them does not', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=trogh`, { viewport: WIDE });
  const { page } = view;
  await statusOf(page, '3 results');
  const list = page.getByRole('list', { name: 'Did you mean' });
  expect(await list.getByRole('link').allTextContents()).toEqual(['alpine trough', 'trough']);

  await list.getByRole('link', { name: 'alpine trough' }).click();

  await statusOf(page, '1–10 of 23 results');
  expect(await page.getByText('Did you mean').count()).toBe(0);
});

test('related searches stand behind the results, search when followed and are links', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpine&page=3`, { viewport: NARROW });
  const { page } = view;
  const related = page.getByRole('list', { name: 'Others searched for' });
  await related.waitFor();
  expect(await related.getByRole('link').allTextContents()).toEqual(['rock garden', 'edelweiss']);
  expect(await related.getByRole('link').first().getAttribute('href')).toBe('?q=rock+garden');

  await related.getByRole('link', { name: 'edelweiss' }).press('Enter');

  await page.waitForURL('**/?q=edelweiss');
  await statusOf(page, '1–10 of 23 results');
  expect(server.requests.at(-1)!.body).toMatchObject({ query: 'edelweiss', page: 1 });
});

test('banners, quick links and synonyms stand above the results, each in its place', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=opening+hours`, { viewport: WIDE });
  const { page } = view;
  const banners = page.getByRole('region', { name: 'Announcements' });
  await banners.getByText('The glasshouses are closed').waitFor();
  const ground = await banners
    .locator('p')
    .first()
    .evaluate((banner) => banner.ownerDocument.defaultView?.getComputedStyle(banner).backgroundColor);
  expect(ground).toBe('rgb(255, 243, 214)');
  expect(await banners.getByRole('link').getAttribute('href')).toBe('https://garden.example/winter');

  const links = page.getByRole('list', { name: 'Quick links' });
  expect(await links.getByRole('listitem').allInnerTexts()).toEqual([
    'opening hours\ngarden.example › visit › opening-hours',
    'opening hours\ngarden.example › visit › getting-here',
    'opening hours\njavascript:alert(1)',
  ]);
  expect(await links.getByRole('link').count()).toBe(2);
  const named = 'visiting times, opening times, hours, admission, entry and 2 more';
  await page.getByText(`Also searched for ${named}.`, { exact: true }).waitFor();
});
