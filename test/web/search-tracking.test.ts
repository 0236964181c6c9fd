import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { NARROW, statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage } = useBrowser();

const FOLDER = '/api/v3/3/6/search/pushstat';

/** Answers for every page that results lead to. */
async function standInForSite(page: Page) {
  await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'The page that was clicked' }));
}

test('committed queries and clicks are logged, keystrokes are not', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  await page.locator('#query').pressSequentially('alpine');
  await page.getByText('1–10 of 23 results').waitFor();
  expect(server.events).toEqual([]);

  const logged = page.waitForResponse('**/querylog');
  await page.keyboard.press('Enter');
  await logged;
  await standInForSite(page);
  await page.getByRole('link', { name: 'Edelweiss', exact: true }).first().press('Enter');
  await page.waitForURL('https://garden.example/**');

  const [query, click] = await eventually(async () => (server.events.length === 2 ? server.events : undefined));
  const { qid, sid } = query!.body;
  expect(query).toEqual({
    address: `${FOLDER}/querylog`,
    body: { sw: 'alpine', qid, rc: '23', fquery: '', rt: '4', dt: 'desktop', sid, qsid: sid },
  });
  expect(qid).toMatch(/^0192f6a0-/);
  expect(sid).toMatch(/^[0-9a-f]{32}$/);
  expect(click).toEqual({
    address: `${FOLDER}/clicklog`,
    body: {
      sw: 'alpine',
      qid,
      ls: 'searchresult',
      cli: '4',
      title: 'Edelweiss',
      clurl: 'https://garden.example/plants/edelweiss.html',
      dt: 'desktop',
      sid,
      qsid: sid,
    },
  });
});

test('whoever follows a result of what was left standing has searched, and the back button leads to the results', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  await standInForSite(page);
  await page.locator('#query').pressSequentially('alpine');
  await page.getByText('1–10 of 23 results').waitFor();

  await page.getByRole('link', { name: 'Edelweiss', exact: true }).first().click();
  await page.waitForURL('https://garden.example/**');

  await eventually(async () => (server.events.length === 2 ? true : undefined));
  const sent = server.events.map(({ address, body }) => [address, body['sw'], body['qid']]);
  const qid = server.events[0]!.body['qid'];
  expect(sent.toSorted()).toEqual([
    [`${FOLDER}/clicklog`, 'alpine', qid],
    [`${FOLDER}/querylog`, 'alpine', qid],
  ]);

  await page.goBack();
  await statusOf(page, '1–10 of 23 results');
  expect(new URL(page.url()).search).toBe('?q=alpine');
  expect(server.events.length).toBe(2);
});

test('a document that is offered while typing is a click, what was typed is no search', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;
  await standInForSite(page);
  await page.locator('#query').pressSequentially('edelw');
  await page.getByRole('link', { name: 'Edelweiss', exact: true }).click();
  await page.waitForURL('https://garden.example/**');

  await eventually(async () => (server.events.length === 1 ? true : undefined));
  expect(server.events[0]).toMatchObject({
    address: `${FOLDER}/clicklog`,
    body: {
      sw: 'edelw',
      qid: '0192f6a0-0000-7000-8000-000000000001',
      ls: 'autocomplete',
      cli: '1',
      title: 'Edelweiss',
      clurl: 'https://garden.example/plants/edelweiss.html',
    },
  });
});

test('pages and filters belong to the search that was logged', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });
  const { page } = view;
  await standInForSite(page);
  await statusOf(page, '1–10 of 23 results');
  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await statusOf(page, '11–20 of 23 results');

  await page.locator('.result a').first().click();
  await page.waitForURL('https://garden.example/**');

  const [query, click] = await eventually(async () => (server.events.length === 2 ? server.events : undefined));
  expect([query!.address, click!.address]).toEqual([`${FOLDER}/querylog`, `${FOLDER}/clicklog`]);
  expect(click!.body).toMatchObject({ qid: query!.body['qid'], cli: '11' });
});

test('a page that the browser reloads logs its query no second time', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=alpine`, { viewport: WIDE });
  const { page } = view;
  await eventually(async () => (server.events.length === 1 ? true : undefined));

  await page.reload();
  await statusOf(page, '1–10 of 23 results');
  await page.getByRole('link', { name: 'edelweiss', exact: true }).last().click();
  await page.waitForURL('**/?q=edelweiss');

  await eventually(async () => (server.events.length >= 2 ? true : undefined));
  expect(server.events.map(({ body }) => body['sw'])).toEqual(['alpine', 'edelweiss']);
});

test.each([
  ['a banner', 'Winter in the garden', { ls: 'banner', cloi: '4', clurl: 'https://garden.example/winter' }],
  [
    'a quick link',
    'opening hours',
    { ls: 'quicklink', ql: '2', clurl: 'https://garden.example/visit/opening-hours', title: 'opening hours' },
  ],
])('a click on %s is logged as such', async (_what, name, values) => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}/?q=opening+hours`, { viewport: WIDE });
  const { page } = view;
  await standInForSite(page);

  await page.getByRole('link', { name, exact: true }).first().press('Enter');
  await page.waitForURL('https://garden.example/**');

  const [query, click] = await eventually(async () => (server.events.length === 2 ? server.events : undefined));
  expect(click).toMatchObject({ address: `${FOLDER}/clicklog`, body: { ...values, qid: query!.body['qid'] } });
});

const EVENT = { sw: 'alpine', rc: '23', fquery: '', rt: '4' };
const ANONYMOUS = { ...EVENT, ip: 'none' };

test.each([
  ['without cookie tracking: no session', { optOutCookieTracking: true }, 200, { ...EVENT, dt: 'mobile' }],
  ['anonymous: nothing, and no address', { enableAnonymousTracking: true }, 200, ANONYMOUS],
  ['both: nothing', { optOutCookieTracking: true, enableAnonymousTracking: true }, 200, ANONYMOUS],
  ['settings unknown: nothing', {}, 500, ANONYMOUS],
])('the public settings say what events tell about a visitor (%s)', async (_name, settings, status, told) => {
  await using server = await startSearchPageServer();
  Object.assign(server.behaviour.settings, settings);
  server.behaviour.settingsStatus = status;
  const phone = { viewport: NARROW, screen: NARROW, hasTouch: true, isMobile: true };
  await using view = await openPage(`${server.origin}/?q=alpine`, phone);

  const [event] = await eventually(async () => (server.events.length === 1 ? server.events : undefined));
  const { qid: _, ...body } = event!.body;
  expect(body).toEqual(told);
  expect(await view.page.context().cookies()).toEqual([]);
  expect(await view.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
});
