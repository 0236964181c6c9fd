import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { NARROW, statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();

test('typing shows documents, Enter searches, facets and pages work by keyboard alone', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;

  await page.locator('#query:focus').waitFor();
  await page.keyboard.type('alpine');
  await page.getByRole('link', { name: 'Growing alpine plants in troughs' }).waitFor();
  await eventually(() => server.completed.at(-1)?.query === 'alpine');
  expect(server.requests).toEqual([]);
  expect(await page.getByRole('status').textContent()).toBe('');
  expect(new URL(page.url()).search).toBe('');

  await page.keyboard.press('Enter');
  await statusOf(page, '1–10 of 23 results');
  expect(server.requests.at(-1)).toMatchObject({
    authorization: 'SiteKey Mzo2OlNlYXJjaEtleQ==',
    body: { query: 'alpine', highlight: true, enableRelatedSearches: true, page: 1 },
  });
  await page.waitForURL('**/?q=alpine');
  await page.locator('main[aria-busy=false]').waitFor();
  expect(await page.locator('.result').count()).toBe(10);
  expect(await page.locator('.result mark').first().textContent()).toBe('Alpine');
  expect(await page.locator('.snippet').first().textContent()).toContain('dry in winter & open to the wind');

  await page.getByRole('checkbox', { name: /Guides/ }).focus();
  await page.keyboard.press('Space');
  await statusOf(page, '7 results');
  expect(server.requests.at(-1)!.body.facets).toMatchObject({ Category: ['Guides'] });
  expect(await page.getByRole('checkbox', { name: /Guides/ }).isChecked()).toBe(true);
  await page.keyboard.press('Space');
  await statusOf(page, '1–10 of 23 results');

  await page.getByRole('link', { name: 'Page 2', exact: true }).focus();
  await page.keyboard.press('Enter');
  await statusOf(page, '11–20 of 23 results');
  await page.locator('main:focus').waitFor();
  expect(new URL(page.url()).search).toBe('?q=alpine&page=2');

  await page.goBack();
  await statusOf(page, '1–10 of 23 results');
});

test.each([
  ['wide', { viewport: WIDE }],
  ['narrow', { viewport: NARROW }],
])('no accessibility rule is broken in any state, light or dark (%s)', async (name, options) => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, options);
  const { page } = view;

  await checkAccess(page, `${name} start`);
  await page.goto(`${server.origin}/?q=alpine&f.Category=Guides`);
  await statusOf(page, '7 results');
  await checkAccess(page, `${name} narrowed`);
  await page.goto(`${server.origin}/?q=alpine&page=2`);
  await statusOf(page, '11–20 of 23 results');
  const unfold = page.getByRole('button', { name: /^Filters/ });
  if (await unfold.isVisible()) {
    await checkAccess(page, `${name} results`);
    await unfold.click();
    await page.getByRole('checkbox', { name: /Guides/ }).waitFor();
  }
  await checkAccess(page, `${name} filters`);
  await page.goto(`${server.origin}/?q=zzz`);
  await page.getByRole('link', { name: 'alpine house' }).waitFor();
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

  await statusOf(page, '1–10 of 23 results');
  expect(await alert.count()).toBe(0);
});

test('completions are offered while typing, by keyboard and pointer', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  const box = page.locator('#query');
  const options = page.locator('#completions').getByRole('option');
  expect(await box.getAttribute('aria-expanded')).toBe('false');

  await box.pressSequentially('alpine');
  await eventually(async () => server.completed.at(-1)?.query === 'alpine' && (await options.count()) === 3);
  expect(await options.allTextContents()).toEqual(['alpine house', 'alpine plants', 'alpine trough <course>']);
  expect(await box.getAttribute('aria-expanded')).toBe('true');
  expect(server.completed.at(-1)).toEqual({ authorization: 'SiteKey Mzo2OlNlYXJjaEtleQ==', query: 'alpine' });
  await page.getByRole('link', { name: 'Growing alpine plants in troughs' }).waitFor();
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

test('a beginning that nothing has is no empty result: Enter and a button search for it', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: NARROW });
  const { page } = view;
  const box = page.locator('#query');

  await box.pressSequentially('zzz');
  await eventually(async () => server.requests.at(-1)?.body.query === 'zzz*' || undefined);
  expect(await page.getByText(/\b0 results/).count()).toBe(0);
  expect(await page.getByRole('status').textContent()).toBe('');
  await checkAccess(page, 'typed nothing');

  await page.getByRole('button', { name: 'Search for “zzz”' }).click();
  await statusOf(page, '0 results');
  expect(server.requests.at(-1)!.body.query).toBe('zzz');
});

test('what is left standing is searched with its last word as a beginning, and nothing is announced', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;

  await page.locator('#query').pressSequentially('alpine tr');

  await page.getByText('1–10 of 23 results').waitFor();
  expect(server.requests.map(({ body }) => body.query)).toEqual(['alpine tr*']);
  expect(server.completed.at(-1)?.query).toBe('alpine tr');
  expect(await page.getByRole('status').textContent()).toBe('');
  expect(new URL(page.url()).search).toBe('');
});

test('an emptied box is the start page again', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');

  await page.locator('#query').fill('');

  await page.getByRole('button', { name: 'browse everything' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a text of more than 300 characters says that its beginning alone is searched', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: NARROW });
  const { page } = view;

  await page.locator('#query').fill('x'.repeat(301));

  await page.getByText('Longer than 300 characters').waitFor();
  await checkAccess(page, 'limit');
});

test('without an answer nothing is offered, and searching goes on', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: NARROW });
  const { page } = view;
  await page.route('**/autocomplete?*', (route) => route.abort());
  const asked = page.waitForRequest('**/autocomplete?*');

  await page.locator('#query').pressSequentially('alpine');

  await asked;
  await page.getByText('1–10 of 23 results').waitFor();
  expect(await page.locator('#completions').count()).toBe(0);
});

test('the page of an engine without answers fetches their file not at all, and the public settings once', async () => {
  await using server = await startSearchPageServer({}, { aiEnabled: false, features: [] });
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });

  await statusOf(view.page, '1–10 of 23 results');
  await view.page.waitForLoadState('networkidle');

  expect(server.loaded.filter((path) => path.includes('conversation-card'))).toEqual([]);
  expect(server.loaded.filter((path) => path.endsWith('/websites/publicsettings'))).toHaveLength(1);
  expect(await view.page.getByRole('button', { name: 'Summarize' }).count()).toBe(0);
});
