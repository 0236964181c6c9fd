import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { NARROW, statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();
const QUESTION = 'how often should I water a trough?';

let server: Awaited<ReturnType<typeof startSearchPageServer>>;
beforeAll(async () => {
  server = await startSearchPageServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.behaviour.holdSearches = undefined;
  server.behaviour.status = 200;
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (address: string, viewport = WIDE) => openPage(`${server.origin}/${address}`, { viewport });
const openOnPhone = (address: string) =>
  openPage(`${server.origin}/${address}`, { viewport: NARROW, hasTouch: true, isMobile: true });
const deferred = () => Promise.withResolvers<void>();

test('a hit shows its sections that match, each a link to its place', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;

  const hit = page.getByRole('listitem').filter({ hasText: 'Growing alpine plants in troughs' }).first();
  await hit.waitFor();

  const places = hit.getByRole('list', { name: 'Sections of this page' }).getByRole('link');
  expect(await places.allTextContents()).toEqual(['Drainage', 'Winter']);
  expect(await places.first().getAttribute('href')).toBe('https://garden.example/guides/alpine-troughs.html#drainage');
  expect(server.requests[0]?.body.sections).toBe(3);
});

test('a filter and its chip show at once, results follow', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');
  const { promise, resolve } = deferred();
  server.behaviour.holdSearches = promise;

  await page.getByRole('checkbox', { name: /Guides/ }).check();

  expect(await page.getByRole('checkbox', { name: /Guides/ }).isChecked()).toBe(true);
  const chip = page.getByRole('button', { name: 'Remove the filter Category: Guides' });
  await chip.waitFor();
  expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
  expect(await page.locator('.summary').textContent()).toBe('1–10 of 23 results');
  resolve();
  await statusOf(page, '7 results');
  await chip.press('Enter');
  await statusOf(page, '1–10 of 23 results');
  expect(await page.getByRole('checkbox', { name: /Guides/ }).isChecked()).toBe(false);
});

test('results are sorted and narrowed by date, and the address says so', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');

  await page.getByLabel('Sort by').selectOption({ label: 'Newest first' });
  await page.waitForURL('**/?q=alpine&sort=newest');
  await page.getByRole('radio', { name: /Past month/ }).check();
  await page.waitForURL(/r\.Date=month/);

  await eventually(() => server.requests.length === 3);
  expect(server.requests.at(-1)?.body).toMatchObject({
    sort: { Date: 'desc' },
    facets: { date: ['Date', expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ''] },
  });
  await checkAccess(page, 'narrowed by date');
});

test('the back button brings the place and the conversation back', async () => {
  await using view = await open(`?q=${encodeURIComponent(QUESTION)}`, NARROW);
  const { page } = view;
  await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'a page' }));
  await page.getByText('Let the top two centimetres dry out first.').waitFor();
  await page.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
  const asked = server.asked.length;
  await page.locator('.result').nth(6).scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate<number>('scrollY');
  await eventually(async () => (await scrolled()) > 300);
  await eventually(async () => (await page.evaluate<number>('history.state?.scroll ?? 0')) > 300);
  const place = await scrolled();

  await page.locator('.result').nth(6).getByRole('link').first().click();
  await page.waitForURL('https://garden.example/**');
  await page.goBack();

  await page.getByText('Let the top two centimetres dry out first.').waitFor();
  await eventually(async () => Math.abs((await scrolled()) - place) <= 50);
  expect(server.asked.length).toBe(asked);
});

test('a page behind the last one says so and leads there', async () => {
  await using view = await open('?q=alpine&page=9');
  const { page } = view;

  await page.getByText('There is no page 9: the results end on page 3.').waitFor();
  await page.getByRole('link', { name: 'Go to the last page' }).press('Enter');

  await statusOf(page, '21–23 of 23 results');
});

test('keys lead to the box and through the hits, and a link past the head', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');
  const focused = () => page.locator(':focus');

  await page.keyboard.press('Tab');
  expect(await focused().textContent()).toBe('Skip to the results');
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  await page.keyboard.press('/');
  await page.locator('#query:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await focused().textContent()).toBe('Alpine house reopens after the winter');
  await page.keyboard.press('ArrowDown');
  expect(await focused().textContent()).toBe('Growing alpine plants in troughs');
  await page.keyboard.press('Control+k');
  await page.locator('#query:focus').waitFor();
});

test('recent and suggested searches stand under the empty box where the engine allows it', async () => {
  const instantSuggestionsConfiguration = JSON.stringify({
    suggestions: ['opening hours', 'alpine house'],
    limit: 5,
    showRecentSearches: true,
  });
  const { settings } = server.behaviour;
  server.behaviour.settings = { ...settings, instantSuggestionsConfiguration };
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');

  // It is kept when the public settings have come.
  await eventually(() => page.evaluate<boolean>('localStorage.length > 0'));
  await page.goto(server.origin);
  await page.getByRole('list', { name: 'Recent searches' }).getByRole('link', { name: 'alpine' }).waitFor();
  const suggested = page.getByRole('list', { name: 'Suggested searches' }).getByRole('link');
  expect(await suggested.allTextContents()).toEqual(['opening hours', 'alpine house']);
  await checkAccess(page, 'start with suggestions');
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  expect(await page.getByRole('list', { name: 'Recent searches' }).count()).toBe(0);
  server.behaviour.settings = settings;
});

test('a slow search says that it takes long, and can be cancelled', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');
  const { promise, resolve } = deferred();
  server.behaviour.holdSearches = promise;
  await page.clock.install();

  await page.locator('#query').fill('trogh');
  await page.keyboard.press('Enter');
  await page.clock.runFor(2_100);
  await statusOf(page, 'Searching …');
  await page.clock.runFor(8_000);
  await page.getByText('This takes longer than usual.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByText('The search was cancelled.').waitFor();
  expect(await page.locator('#query').inputValue()).toBe('trogh');
  resolve();
});

test('an answer that is cut off says so, keeps what came, and can be asked for again', async () => {
  await using view = await open('');
  const { page } = view;
  await page.route('**/answer/stream', (route) => route.abort());

  await page.locator('#query').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page.getByText('The answer service could not be reached.').waitFor();
  await page.unroute('**/answer/stream');
  await page.getByRole('button', { name: 'Ask again' }).click();

  await page.getByText('Let the top two centimetres dry out first.').waitFor();
});

test('print shows results without controls', async () => {
  await using view = await open('?q=alpine');
  const { page } = view;
  await statusOf(page, '1–10 of 23 results');

  await page.emulateMedia({ media: 'print' });

  for (const hidden of ['#query', '.facets', '.pages'])
    expect(await page.locator(hidden).first().isVisible()).toBe(false);
  expect(await page.locator('.result').first().isVisible()).toBe(true);
});

test.each([
  [401, 'This page is not allowed to search.'],
  [429, 'Too many searches at once. Try again in 1 s.'],
  [500, 'Something went wrong on our side.'],
  [0, 'The search service could not be reached.'],
])(
  'status %d of a search is said in words, nothing typed is lost, and it can be tried again',
  async (status, words) => {
    await using view = await open('');
    const { page } = view;
    if (status === 0) await page.route('**/search', (route) => route.abort());
    else server.behaviour.status = status;

    await page.locator('#query').fill('alpine');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    expect(await page.locator('#query').inputValue()).toBe('alpine');
    server.behaviour.status = 200;
    await page.unroute('**/search');
    await page.getByRole('button', { name: 'Try again' }).click();

    await statusOf(page, '1–10 of 23 results');
  },
);

test('a phone searches, narrows and opens by touch', async () => {
  await using view = await openOnPhone('');
  const { page } = view;
  await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'a page' }));

  await page.locator('#query').tap();
  await page.keyboard.type('alpine');
  await page.getByRole('option', { name: 'alpine house' }).tap();
  await statusOf(page, '1–10 of 23 results');
  await page.getByRole('button', { name: /^Filters/ }).tap();
  await page.getByRole('checkbox', { name: /Guides/ }).tap();
  await statusOf(page, '7 results');
  await page.getByRole('link', { name: 'Growing alpine plants in troughs' }).first().tap();

  await page.waitForURL('https://garden.example/**');
});
