import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_DEFAULTS } from '../../src/accounts/hosted-page.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { statusOf, useBrowser, WEB_FOLDER } from './browser-view.ts';
import { type HostPage, serveHostPage } from './host-page.ts';

const { openPage, checkAccess } = useBrowser();

/** Of `3:6:SearchKey` and `3:7:SearchKey`. */
const KEY = 'Mzo2OlNlYXJjaEtleQ==';
const OTHER_KEY = 'Mzo3OlNlYXJjaEtleQ==';
const BUILD = JSON.parse(readFileSync(join(WEB_FOLDER, 'widget.json'), 'utf8')) as Record<string, string>;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 740 };

let product: Product;
beforeAll(async () => {
  product = await startProduct({ webFolder: WEB_FOLDER });
});
afterAll(() => product[Symbol.asyncDispose]());

type Opened = Partial<HostPage> & { readonly viewport?: typeof WIDE };

async function openHostPage({ viewport = WIDE, ...page }: Opened = {}) {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await serveHostPage({ product: product.origin, key: KEY, ...page }));
  const view = stack.use(await openPage(host.address, { viewport }));
  const owned = stack.move();
  return { page: view.page, address: host.address, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search pages and files' });
const noteEvents = (page: Page) =>
  page.evaluate(`window.heard = [];
    for (const name of ['open', 'search', 'select'])
      document.addEventListener('fossick:' + name, (event) => heard.push([name, event.detail]));`);

// Product findings 10.3.
test('a search goes by keyboard alone: open, type, go through everything, search, ask, follow up, rate, leave', async () => {
  await using view = await openHostPage({ attributes: 'data-theme="auto"' });
  const { page } = view;
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await page.getByRole('link', { name: 'a link' }).focus();

  // What is typed before the widget is there is not lost.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sol');
  await dialog.getByRole('link', { name: 'Solar panels guide' }).waitFor();
  expect(await boxOf(page).inputValue()).toBe('sol');
  await page.keyboard.press('ArrowDown');
  const first = await focused(page);
  expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).toBe('hidden');
  await checkAccess(page, 'widget typing');

  expect(await focused(page)).toBe(first);
  for (let steps = 0; (await focused(page)) !== 'Solar panels guide'; steps += 1) {
    expect(steps).toBeLessThan(20);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.type('ar');
  expect(await boxOf(page).inputValue()).toBe('solar');
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('Search for “solar”');
  await page.keyboard.press('Enter');
  await statusOf(page, '3 results');
  await checkAccess(page, 'widget found');

  await boxOf(page).fill('How long does a solar panel last?');
  await page.keyboard.press('Enter');
  const answer = dialog.getByRole('region', { name: 'Answer' });
  await answer.getByText('25 years').waitFor();
  await answer.getByRole('textbox', { name: 'Ask a follow-up question' }).fill('What do wind turbines do?');
  await page.keyboard.press('Enter');
  await answer.getByText('moving air').waitFor();
  const rated = page.waitForResponse('**/search/answer/feedback');
  await answer.getByRole('button', { name: 'Helpful', exact: true }).last().press('Enter');
  expect((await rated).status()).toBe(200);
  await answer.getByText('Thank you.').waitFor();
  await checkAccess(page, 'widget answer');

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('a link');
  await eventually(
    async () => (await page.evaluate('getComputedStyle(document.documentElement).overflow')) === 'visible',
  );
  const logged = await product.systemStore.listQueryEvents({ engineId: 6, limit: 10 });
  expect(logged.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['solar', 'How long does a solar panel last?']),
  );
});

/** The text of what has the focus inside the widget. */
async function focused(page: Page): Promise<unknown> {
  return page.evaluate(`document.querySelector('fossick-search').shadowRoot.activeElement?.textContent.trim()`);
}

test.each([
  { language: 'en', direction: 'ltr' },
  { language: 'fa', direction: 'rtl' },
])(
  'a narrow screen holds all of it in $language, and no accessibility rule is broken',
  async ({ language, direction }) => {
    const attributes = `data-theme="auto" data-language="${language}"`;
    await using view = await openHostPage({ attributes, viewport: NARROW });
    const { page } = view;
    const box = page.getByRole('textbox').first();

    await page.locator('fossick-search button').first().click();
    await box.fill('solar');
    await box.press('Enter');
    await page.getByRole('link', { name: 'Solar panels guide' }).waitFor();
    await page.getByRole('status').filter({ hasText: /[3۳]/ }).waitFor();

    const inside = `document.querySelector('fossick-search').shadowRoot`;
    expect(await page.evaluate(`[${inside}.firstElementChild.lang, ${inside}.firstElementChild.dir]`)).toEqual([
      language,
      direction,
    ]);
    const wider = `[...${inside}.querySelectorAll('.panel, .sheet')].filter((part) => part.scrollWidth > part.clientWidth).length`;
    expect(await page.evaluate(wider)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await checkAccess(page, `widget narrow ${language}`);
  },
);

test('a box in the page keeps its looks whatever the styles of the page are, and the page keeps its own', async () => {
  const style = `<style>html { font-size: 5px } * { color: red !important; letter-spacing: 1em; line-height: 4 }
    h2, li, ul { display: none !important } input { border: 9px solid red }</style>`;
  await using view = await openHostPage({
    attributes: 'data-mode="inline" data-target="#box" data-accent="#ffd400" data-placeholder="Find it"',
    body: `${style}<div id="box"></div><h2 id="own">Own</h2>`,
    policy: "style-src 'unsafe-inline'",
  });
  const { page } = view;

  await page.getByPlaceholder('Find it').fill('solar');
  await page.getByRole('link', { name: 'Solar panels guide' }).waitFor();
  const looks = `(({ fontSize, letterSpacing, color, borderTopWidth }) => ({ fontSize, letterSpacing, color, borderTopWidth }))(
    getComputedStyle(document.querySelector('fossick-search').shadowRoot.querySelector('input')))`;
  expect(await page.evaluate(looks)).toEqual({
    fontSize: '16px',
    letterSpacing: 'normal',
    color: 'rgb(28, 36, 38)',
    borderTopWidth: '0px',
  });
  expect(await page.evaluate(`getComputedStyle(document.querySelector('#own')).display`)).toBe('none');
  await boxOf(page).press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Solar panels guide' }).waitFor({ state: 'hidden' });
  expect(await focused(page)).toBe('');
  expect(await boxOf(page).inputValue()).toBe('solar');
});

test('the page of the engine gives the widget its colours and words, and the page around has the last word', async () => {
  const page = {
    ...PAGE_DEFAULTS,
    placeholder: 'Ask the garden',
    theme: { ...PAGE_DEFAULTS.theme, light: { ...PAGE_DEFAULTS.theme.light, accent: '#7a1fa2' } },
  };
  await product.changeSettings(7, { page });
  await product.narrowOrigins(7, []);
  const body = '<style>.other { --fossick-accent: #0b57d0 }</style><div id="box"></div>';
  const accentOf = (shown: Page) =>
    shown.evaluate(
      `getComputedStyle(document.querySelector('fossick-search').shadowRoot.querySelector('.fossick')).getPropertyValue('--accent')`,
    );
  const inline = {
    key: OTHER_KEY,
    attributes: 'data-mode="inline" data-target="#box" data-theme="light"',
    policy: "style-src 'unsafe-inline'",
  };
  await using own = await openHostPage({ ...inline, body });
  await using other = await openHostPage({ ...inline, body: body.replace('id="box"', 'id="box" class="other"') });

  await own.page.getByPlaceholder('Ask the garden').waitFor();
  await other.page.getByPlaceholder('Ask the garden').waitFor();

  expect(await accentOf(own.page)).toContain('#7a1fa2');
  expect(await accentOf(other.page)).toBe('#0b57d0');
});

test('boxes in the page break no accessibility rule', async () => {
  await using view = await openHostPage({
    attributes: 'data-mode="inline" data-target="#box"',
    body: '<div id="box"></div>',
  });
  await boxOf(view.page).fill('solar');
  await boxOf(view.page).press('Enter');
  await statusOf(view.page, '3 results');

  await checkAccess(view.page, 'widget inline');
});

test('results stand where the page wants them, and the page may follow them itself', async () => {
  await using view = await openHostPage({
    attributes: 'data-mode="results" data-target="#box" data-results="#found" data-answers="off"',
    body: '<div id="box"></div><hr><div id="found"></div>',
  });
  const { page, address } = view;
  await boxOf(page).fill('solar');
  await boxOf(page).press('Enter');
  await statusOf(page, '3 results');
  await checkAccess(page, 'widget results');
  await noteEvents(page);
  await page.evaluate(`document.addEventListener('fossick:select', (event) => event.preventDefault())`);

  const logged = page.waitForRequest('**/pushstat/clicklog');
  await page.locator('#found').getByRole('link', { name: 'Solar panels guide' }).click();

  expect((await logged).postDataJSON()).toMatchObject({ sw: 'solar', clurl: 'https://example.com/solar' });
  expect(await page.evaluate('heard')).toEqual([
    ['select', { url: 'https://example.com/solar', title: 'Solar panels guide', query: 'solar' }],
  ]);
  expect(page.url()).toBe(address);
  expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0);
});

test('the page opens, searches and closes it by script, and finds one name more', async () => {
  await using view = await openHostPage({
    attributes: 'data-trigger=".find"',
    body: '<p><a class="find" href="/find">Find</a></p>',
  });
  const { page } = view;
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const names = 'Object.getOwnPropertyNames(window)';
  await using bare = await openPage(`${product.origin}/docs`, {});
  await noteEvents(page);

  await page.evaluate(`fossick.open('inverter')`);
  await statusOf(page, '1 result');
  await page.evaluate('fossick.close()');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Find' }).click();
  await dialog.waitFor();

  expect(await boxOf(page).inputValue()).toBe('inverter');
  expect(await page.evaluate('heard')).toEqual([
    ['open', {}],
    ['search', { query: 'inverter', total: 1 }],
    ['open', {}],
  ]);
  expect(await page.getByRole('button', { name: 'Search', exact: true }).count()).toBe(0);
  const known = new Set(await bare.page.evaluate<string[]>(names));
  expect((await page.evaluate<string[]>(names)).filter((name) => !known.has(name))).toEqual(['fossick', 'heard']);
});

test('nothing of a document or banner runs, also where the page trusts types only', async () => {
  const title = 'Quokka <img src=x onerror="window.hacked = 1"> guide';
  await product.put('/api/v4/3/index/17/documents?refresh=wait', [
    {
      id: 'javascript:window.hacked=2',
      fields: { Title: title, Content: 'Quokka <script>window.hacked = 3</script>' },
    },
  ]);
  const htmlcode =
    '<p style="background-color: #fff3d6" onclick="window.hacked = 4">On <b>offer</b><script>window.hacked = 5</script></p>';
  await product.post('/api/banners', { name: 'Offer', htmlcode, websiteid: 6, bannerterms: [{ name: 'quokka' }] });
  await using view = await openHostPage({ policy: "require-trusted-types-for 'script'; trusted-types fossick" });
  const { page } = view;

  await page.keyboard.press('Control+k');
  await page.keyboard.type('quokka');
  await page.getByRole('region', { name: 'Best matches so far' }).getByText(title).waitFor();
  await page.keyboard.press('Enter');
  await statusOf(page, '1 result');

  const banner = page.getByRole('region', { name: 'Announcements' }).locator('p');
  await banner.click();
  expect(await banner.evaluate((part) => String(part.outerHTML))).not.toMatch(/script|onclick/);
  const ground = `getComputedStyle(document.querySelector('fossick-search').shadowRoot.querySelector('.banner p')).backgroundColor`;
  expect(await page.evaluate(ground)).toBe('rgb(255, 243, 214)');
  expect(await page.getByRole('link', { name: title }).count()).toBe(0);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
});

const withStatus = (status: number) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After', 'retry-after': '7' },
    json: { message: 'Something', requestId: 'request-17' },
  });

test.each([
  { name: 'a wrong key', key: 'bm9uZQ==', told: 'This page is not allowed to search.' },
  { name: 'an origin that the engine does not allow', key: OTHER_KEY, told: 'This page is not allowed to search.' },
  { name: 'too many searches', answer: withStatus(429), told: 'Try again in 7 s.' },
  { name: 'a fault of the service', answer: withStatus(500), told: 'Something went wrong on our side.' },
  { name: 'a lost connection', answer: (route: Route) => route.abort(), told: 'could not be reached' },
])('$name is told in the box, and nothing that was typed is lost', async ({ key = KEY, answer, told }) => {
  await product.narrowOrigins(7, ['https://www.example.com']);
  await using view = await openHostPage({ key });
  const { page } = view;
  if (answer !== undefined) {
    await page.route(/\/search$/, answer);
    await page.route('**/health/live', (route) => route.abort());
  }
  await page.getByRole('button', { name: 'Search' }).click();

  await boxOf(page).fill('solar');
  await boxOf(page).press('Enter');

  await page.getByRole('alert').getByText(told).waitFor();
  expect(await boxOf(page).inputValue()).toBe('solar');
  if (answer === undefined) return;
  await page.unroute(/\/search$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await statusOf(page, '3 results');
});

test('a slow search says so and can be cancelled, and a cut answer says so and can be asked for again', async () => {
  await using view = await openHostPage();
  const { page } = view;
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await page.keyboard.press('Control+k');
  await boxOf(page).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/search', async (route) => {
    await held.promise;
    // Its page has left it.
    await route.abort().catch(() => undefined);
  });
  await page.clock.install();

  await boxOf(page).fill('solar');
  await page.keyboard.press('Enter');
  await page.clock.runFor(10_100);
  await dialog.getByText('This takes longer than usual.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('The search was cancelled.').waitFor();
  expect(await boxOf(page).inputValue()).toBe('solar');
  held.resolve();
  await page.unroute('**/search');

  await page.route('**/answer/stream', (route) => route.abort());
  await boxOf(page).fill('How long does a solar panel last?');
  await page.keyboard.press('Enter');
  await dialog.getByText('The answer service could not be reached.').waitFor();
  await page.unroute('**/answer/stream');
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await dialog.getByText('A panel lasts 25 years.').first().waitFor();
  await dialog.getByRole('button', { name: 'Not helpful' }).waitFor();
});

test('a tag with a digest loads what was built, and nothing that was changed on the way', async () => {
  const tag = {
    path: `/widget/${BUILD['version']}/widget.js`,
    attributes: `integrity="${BUILD['integrity']}" crossorigin`,
  };
  await using whole = await openHostPage(tag);
  await whole.page.getByRole('button', { name: 'Search' }).waitFor();

  await using changed = await openHostPage({ ...tag, body: '<p id="late"></p>' });
  const { page } = changed;
  await page.route('**/app-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `window.hacked = 1;${await response.text()}` });
  });
  const told = page.waitForEvent('console', (message) => message.text().includes('could not be started'));
  await page.reload();
  await told;

  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('fossick-search').count()).toBe(0);
});

test('searching costs a page less than 25 kB, answers 12 kB more', () => {
  const folder = join(WEB_FOLDER, 'widget', BUILD['version'] ?? '');
  const bytesOf = (names: RegExp) =>
    readdirSync(folder)
      .filter((file) => names.test(file))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

  expect(bytesOf(/^(?:widget|app-.*|shared-.*)\.js$/)).toBeLessThan(25_000);
  expect(bytesOf(/^answers-.*\.js$/)).toBeLessThan(12_000);
});
