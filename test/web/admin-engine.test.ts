import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnswerClient, createTrackedSearch } from '../../packages/client/src/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NARROW, useBrowser, WIDE } from './browser-view.ts';

const TOKEN = 'operator-token-of-the-engine-pages';
const ENGINE = '/admin/engines/1';
const QUERY = 'opening hours';

type Role = 'operator' | 'editor' | 'reader';

const { openPage, checkAccess } = useBrowser();
const stack = new AsyncDisposableStack();
const sessions = new Map<Role, string>();
let product: RunningProduct;

/** The whole product with its sample site, somebody of each role, and a few visitors. */
beforeAll(async () => {
  const folder = stack.use(await temporaryFolder());
  product = stack.use(
    await startProcesses({ dataDir: join(folder.path, 'data'), environment: { OPERATOR_TOKEN: TOKEN } }),
  );
  await eventually(async () => (await call('GET', '/crawlers/1')).status.lastRun?.state === 'finished', 60_000);
  for (const role of ['operator', 'editor', 'reader'] as const) sessions.set(role, await invite(role));
  await visit();
}, 180_000);
afterAll(() => stack.disposeAsync());

/** As a program with the operator token. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${product.address}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

/** The session of somebody new. */
async function invite(role: Role): Promise<string> {
  const customers = role === 'operator' ? {} : { customers: [1] };
  const { link } = await call('POST', '/people', { email: `${role}@example.org`, role, ...customers });
  const [, token] = link.path.split('#');
  const accepted = await fetch(`${product.address}/admin/v1/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.address },
    body: JSON.stringify({ token, name: `The ${role}`, password: 'correct horse battery' }),
  });
  const [, session = ''] = /fossick_session=([^;]+)/.exec(accepted.headers.get('set-cookie') ?? '') ?? [];
  return session;
}

/** Searches with and without results, a click, and a question that is refused. */
async function visit() {
  const engine = { baseUrl: product.address, customerId: 1, engineId: 1 };
  for (const query of ['tickets', 'tickets', 'orchids', 'xyzzy']) {
    const { search, logClick } = createTrackedSearch(engine);
    const [hit] = (await search({ query })).TypedDocuments;
    if (hit !== undefined) logClick(hit);
  }
  const { ask, rateAnswer } = createAnswerClient(engine);
  const { conversationId, exchangeId } = await ask({ question: 'Who is the president of France?' });
  await rateAnswer({ conversationId, exchangeId, rating: 'negative', comment: '<b>Not</b> what I asked' });
}

async function openAs(role: Role, path: string, viewport = WIDE) {
  const session = {
    name: 'fossick_session',
    value: sessions.get(role) ?? '',
    domain: '127.0.0.1',
    path: '/admin',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  };
  return openPage(`${product.address}${path}`, { viewport, storageState: { cookies: [session], origins: [] } });
}

const preview = (query: string) => `${ENGINE}/preview?${new URLSearchParams({ q: query })}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const hits = (page: Page) => page.locator('.hit-title').allTextContents();
const pinsOf = async (query: string) => {
  const { items } = await call('GET', `/engines/1/pins?${new URLSearchParams({ query })}`);
  return items.map(({ title, place }: { readonly title: string; readonly place: number | null }) => [title, place]);
};

test('an editor pins, moves and hides by keyboard, sees it before visitors do, saves it and takes it back', async () => {
  await using view = await openAs('editor', preview(QUERY));
  const { page } = view;
  await page.locator('.hit').nth(9).waitFor();
  const before = await hits(page);

  for (const key of ['j', 'j', 'j', '1']) await page.keyboard.press(key);
  await expect.poll(() => hits(page)).toEqual([before[2], before[0], before[1], ...before.slice(3)]);
  // The focus has gone with the page that was moved.
  expect(await page.evaluate('document.activeElement.textContent')).toBe(before[2]);
  await page.keyboard.press('j');
  await page.keyboard.press('h');
  await page.getByRole('button', { name: `Show ${before[0]} again` }).waitFor();
  expect(await pinsOf(QUERY)).toEqual([]);

  // The page reads what it has saved, which the undo removes again.
  const read = page.waitForResponse((answer) => /\/rankings\/\d+$/.test(answer.url()) && answer.ok());
  await page.keyboard.press('s');
  await page.getByText('2 changes saved').waitFor();
  await read;
  expect(await pinsOf(QUERY)).toEqual([
    [before[2], 1],
    [before[0], null],
  ]);
  const [change] = (await call('GET', '/audit?limit=1')).items;
  expect(change).toMatchObject({ action: 'add-ranking', actor: expect.stringContaining('editor@example.org') });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It is undone').waitFor();
  expect(await pinsOf(QUERY)).toEqual([]);
  await expect.poll(() => hits(page)).toEqual(before);
});

test('a page that is not among the hits is added by its words, and what is not saved outlives the page', async () => {
  await using view = await openAs('editor', preview('tickets'));
  const { page } = view;

  await page.getByRole('button', { name: 'Add a page' }).first().click();
  await page.getByLabel('URL or words of the page').fill('alpine compost');
  await page.locator('.pick').filter({ hasText: 'Gritty compost' }).click();
  await page.locator('.hit').first().getByText('Pinned, not saved').waitFor();
  await page.reload();
  await page.locator('.hit').first().getByText('Pinned, not saved').waitFor();
  await page.getByLabel('Without tools').check();
  await page.getByText('The search without any tool').waitFor();
  await expect.poll(async () => (await hits(page))[0]).not.toContain('Gritty compost');
  await page.getByLabel('Without tools').uncheck();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
});

test('the second of two editors sees what the first has pinned, and may keep both', async () => {
  await using view = await openAs('editor', preview('glasshouse'));
  const { page } = view;
  await page.locator('.hit').nth(4).waitFor();
  const titles = await hits(page);
  await page.getByRole('button', { name: `Pin here: ${titles[4]}`, exact: true }).click();
  await page.getByText('1 unsaved change').waitFor();
  const documentId = await page.locator('.hit').nth(2).getAttribute('data-document');
  await call('POST', '/engines/1/pins', { query: 'glasshouse', documentId, place: 1 });

  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`${titles[2]}: not pinned → place 1`).waitFor();
  await dialog.getByText(`${titles[4]}: not pinned → place 5`).waitFor();
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await page.getByText('1 unsaved change').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 change saved').waitFor();

  expect(await pinsOf('glasshouse')).toEqual([
    [titles[2], 1],
    [titles[4], 5],
  ]);
});

test('a banner, a quicklink and synonyms are put up for a query and saved together', async () => {
  const html = '<h2>Fair</h2><img src=x onerror="parent.ran=1"><script>parent.ran=1</script>';
  await using view = await openAs('editor', preview('volunteer'));
  const { page } = view;
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Add a banner' }).click();
  await dialog.getByLabel('Name').fill('<script>ran=1</script>');
  await dialog.getByLabel('Text').fill(html);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.frameLocator('.banner-frame iframe').getByRole('heading', { name: 'Fair' }).waitFor();
  await page.getByRole('button', { name: 'Add a quicklink' }).click();
  await dialog.getByLabel('Address').fill('/sample/about/volunteering.html');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Add synonyms' }).click();
  await dialog.getByLabel('Words').fill('volunteer\nhelper');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('3 unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3 changes saved').waitFor();

  expect(await page.evaluate('window.ran')).toBeUndefined();
  const counts = ['/engines/1/banners', '/engines/1/quicklinks', '/customers/1/synonyms'].map(
    async (path) => (await call('GET', path)).items.length,
  );
  expect(await Promise.all(counts)).toEqual([1, 1, 1]);
});

test('a tool is edited in its list, and removed with a way back', async () => {
  const { id } = await call('POST', '/engines/1/quicklinks', { url: '/sample/contact.html', queries: ['call us'] });
  await using view = await openAs('editor', `${ENGINE}/tools?kind=quicklinks&edit=${id}`);
  const { page } = view;

  await page.getByRole('dialog').getByLabel('Address').fill('/sample/faq.html');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: '/sample/faq.html' }).waitFor();
  await page.getByRole('button', { name: 'Remove /sample/faq.html' }).click();
  await page.getByText('The quicklink to /sample/faq.html is removed').waitFor();
  await page.getByRole('row').filter({ hasText: '/sample/faq.html' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('row').filter({ hasText: '/sample/faq.html' }).waitFor();
});

test('a URL tells what became of it, and a query what its hits are made of', async () => {
  await using view = await openAs('editor', `${ENGINE}/why`);
  const { page } = view;
  await page.getByLabel('URL or query', { exact: true }).waitFor();
  await page.keyboard.type(`${product.address}/sample/visit/tickets.html`);
  await page.keyboard.press('Enter');

  await page.getByText('Visitors can find it').waitFor();
  expect(await page.locator('.step').count()).toBe(13);
  await page.getByLabel('URL or query', { exact: true }).fill('tickets');
  await page.keyboard.press('Enter');
  await page.getByText('Word “tickets”').first().waitFor();
  await page.getByRole('button', { name: 'Choose the page' }).click();
  await page.getByLabel('URL or words of the page').fill('sphagnum');
  await page.locator('.pick').filter({ hasText: 'sphagnum' }).first().click();
  await page.getByText('The document lacks what the query asks').waitFor();
});

test('a query of visitors leads to its clicks and to its preview', async () => {
  await using view = await openAs('editor', `${ENGINE}/visitors`);
  const { page } = view;

  await page.getByRole('link', { name: 'xyzzy' }).first().waitFor();
  await page.getByRole('link', { name: 'tickets' }).first().click();
  await page.getByRole('cell', { name: 'Tickets and annual passes' }).waitFor();
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await page.locator('.hit').first().waitFor();
  await page.goto(`${product.address}${ENGINE}/visitors?view=answers&show=refused`);
  await page.getByText('<b>Not</b> what I asked').waitFor();
});

test('the looks of the search page show before they are saved', async () => {
  await using view = await openAs('editor', `${ENGINE}/embed?part=page`);
  const { page } = view;
  const frame = page.frameLocator('iframe.live-page');
  await frame.getByRole('button', { name: 'Search' }).waitFor();

  await page.getByLabel('Buttons and marks', { exact: true }).first().fill('#b3261e');
  const colour =
    'getComputedStyle(document.querySelector("iframe").contentDocument.querySelector("[type=submit]")).backgroundColor';
  await expect.poll(() => page.evaluate(colour)).toBe('rgb(179, 38, 30)');
  await page.getByLabel('Heading').fill('Ask the garden');
  await page.getByRole('button', { name: 'Save' }).click();
  await frame.getByText('Ask the garden').waitFor();
  await page.getByLabel('Texts', { exact: true }).first().fill('#fafafa');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('cannot be read').waitFor();
});

test('a reader sees statistics alone, and an editor deletes no document', async () => {
  await using reader = await openAs('reader', `${ENGINE}/visitors`);
  await heading(reader.page, 'Visitors').waitFor();
  const sections = reader.page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  expect(await sections.allTextContents()).toEqual(['Home', 'Visitors']);
  await reader.page.goto(`${product.address}${preview('tickets')}`);
  await heading(reader.page, 'There is no such page').waitFor();
  await using editor = await openAs('editor', `${ENGINE}/documents?text=orchids`);
  await editor.page.getByRole('row').nth(1).getByRole('link').first().click();
  await editor.page.getByText('About it').waitFor();
  expect(await editor.page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
});

const PAGES = [
  { path: '/preview', name: 'Preview and tools' },
  { path: '/preview?q=glasshouse', name: 'Preview and tools' },
  ...['rankings', 'banners', 'quicklinks', 'synonyms', 'hidden', 'broken'].map((kind) => ({
    path: `/tools?kind=${kind}`,
    name: 'All tools',
  })),
  { path: '/why?q=opening+hours', name: 'Why?' },
  ...['overview', 'queries', 'pages', 'banners', 'answers', 'gaps', 'golden', 'feedback'].map((part) => ({
    path: `/visitors?view=${part}`,
    name: 'Visitors',
  })),
  { path: '/visitors/query?query=tickets', name: '“tickets”' },
  { path: '/documents', name: 'Documents' },
  { path: '/documents/1', name: 'Lindenholm Botanical Garden' },
  ...['tag', 'page', 'origins', 'code'].map((part) => ({ path: `/embed?part=${part}`, name: 'Embed' })),
];

test.each([
  { width: 'wide', viewport: WIDE, direction: 'ltr' },
  { width: 'narrow', viewport: NARROW, direction: 'rtl' },
])(
  'no page of an engine breaks a rule of accessibility or its $width window, $direction, light or dark',
  async (look) => {
    await using view = await openAs('operator', '/admin', look.viewport);
    const { page } = view;

    for (const { path, name } of PAGES) {
      await page.goto(`${product.address}${ENGINE}${path}`);
      await heading(page, name).waitFor();
      await page.evaluate(`document.documentElement.dir = '${look.direction}'`);
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      await checkAccess(page, `engine${path.replaceAll(/\W+/g, '-')} ${look.width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0);
    }
  },
);
