import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { freePort, type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NARROW, useBrowser, WIDE } from './browser-view.ts';

const TOKEN = 'operator-token-of-the-admin-web';
const EMAIL = 'anna@example.org';
const PASSWORD = 'correct horse battery';
const SETTINGS = '/admin/sites/1/settings';

const { openPage, checkAccess } = useBrowser();
const stack = new AsyncDisposableStack();
let product: RunningProduct;
/** Where the admin API and its pages are: on a port of their own. */
let origin: string;

/** The whole product with its sample site, and a person who was invited and has accepted. */
beforeAll(async () => {
  const folder = stack.use(await temporaryFolder());
  const port = await freePort();
  const environment = { ADMIN_PORT: String(port), OPERATOR_TOKEN: TOKEN };
  product = stack.use(await startProcesses({ dataDir: join(folder.path, 'data'), environment }));
  origin = `http://127.0.0.1:${port}`;
  await eventually(async () => (await call('GET', '/crawlers/1')).status.lastRun?.state === 'finished', 60_000);
  const { link } = await call('POST', '/people', { email: EMAIL, role: 'operator' });
  await using view = await openPage(`${origin}${link.path}`, { viewport: WIDE });
  const { page } = view;
  // The one field that is asked for has the focus.
  await page.getByLabel('Your name').waitFor();
  await page.keyboard.type('Anna');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}, 180_000);
afterAll(() => stack.disposeAsync());

/** As a program with the operator token. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** A page of the admin web, to which somebody signs in by keyboard alone. */
async function signIn(path: string, viewport = WIDE) {
  const view = await openPage(`${origin}${path}`, { viewport });
  await typeSignIn(view.page);
  // Where there is little room it is in the menu.
  await view.page.locator('[aria-label="Sign out"]').waitFor({ state: 'attached' });
  return view;
}

async function typeSignIn(page: Page) {
  await page.getByLabel('Mail address').waitFor();
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('who signs in by keyboard is at the page that was asked for, and signs out by keyboard', async () => {
  await using view = await signIn('/admin/sites');
  const { page } = view;

  await heading(page, 'Sites').waitFor();
  expect(page.url()).toBe(`${origin}/admin/sites`);
  await page.getByRole('button', { name: 'Sign out' }).focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Sign in').waitFor();
  await page.reload();
  await heading(page, 'Sign in').waitFor();
  await checkAccess(page, 'admin sign-in');
});

test('the pages are where the admin API is: not on the port of visitors', async () => {
  expect((await fetch(`${product.address}/admin`)).status).toBe(404);
  expect((await fetch(`${product.address}/admin/v1/status`)).status).toBe(404);
});

test('the operator token signs in, too, and is forgotten with the page', async () => {
  await using view = await openPage(`${origin}/admin`, { viewport: WIDE });
  const { page } = view;

  await page.getByRole('button', { name: 'Sign in with the operator token' }).click();
  await page.getByLabel('Operator token').fill('another token');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Operator token').fill(TOKEN);
  await page.keyboard.press('Enter');
  await heading(page, 'Home').waitFor();
  await page.getByText('Operator token').waitFor();
  await page.reload();
  await heading(page, 'Sign in').waitFor();
});

test('settings that remove documents say which before they are saved, and what was typed outlives session and connection', async () => {
  await using view = await signIn(`${SETTINGS}?find=exclude`);
  const { page } = view;
  const context = page.context();

  await page.getByLabel('Exclude').first().fill('/sample/plants/**');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Look and save' }).click();
  await page.getByText('The connection is lost').waitFor();
  await context.setOffline(false);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await typeSignIn(page);

  await page.getByText('11 documents will leave the search').waitFor();
  await page.getByRole('button', { name: 'Go on editing' }).click();
  expect(await page.getByLabel('Exclude').first().inputValue()).toBe('/sample/plants/**');
  expect((await call('GET', '/crawlers/1')).exclude).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('unsaved change').waitFor({ state: 'detached' });
});

test('a value that is refused shows why beside its field', async () => {
  await using view = await signIn(`${SETTINGS}?find=limits.depth`);
  const { page } = view;

  await page.getByLabel('Depth').fill('5000');
  await page.getByRole('button', { name: 'Look and save' }).click();

  const field = page.getByLabel('Depth');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  const described = (await field.getAttribute('aria-describedby')) ?? '';
  const fault = page.locator(`[id="${described.split(' ').at(-1)}"]`);
  expect(await fault.textContent()).toMatch(/1000|1,000/);
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('the second of two people sees what the first has saved, and saves over it only knowingly', async () => {
  await using first = await signIn(`${SETTINGS}?find=limits`);
  await using second = await signIn(`${SETTINGS}?find=limits`);
  const type = async (page: Page, label: string, value: string) => {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Look and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await second.page.getByLabel('Redirects', { exact: true }).waitFor();

  await type(first.page, 'Redirects', '8');
  await first.page.getByText('The settings are saved').waitFor();
  await type(second.page, 'Redirects', '6');

  const notice = second.page.getByRole('alert').filter({ hasText: 'Somebody else changed this' });
  await notice.getByText('limits.redirects').waitFor();
  expect(await notice.locator('del, ins, strong').allTextContents()).toEqual([
    'Somebody else changed this in the meantime',
    '10',
    '8',
    '6',
  ]);
  await notice.getByRole('button', { name: 'Take theirs' }).click();
  await second.page.getByText('unsaved change').waitFor({ state: 'detached' });
  await type(second.page, 'Depth', '12');
  await second.page.getByText('The settings are saved').waitFor();
  expect((await call('GET', '/crawlers/1')).limits).toMatchObject({ redirects: 8, depth: 12 });
});

test('a former state of settings is brought back from the history', async () => {
  await call('PATCH', '/crawlers/1', { limits: { linksPerPage: 77 } });
  await using view = await signIn('/admin/sites/1/history');
  const { page } = view;

  const before = page.getByRole('row').filter({ hasNotText: 'limits.linksPerPage' }).nth(1);
  await before.getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings are as they were then').waitFor();

  expect((await call('GET', '/crawlers/1')).limits.linksPerPage).toBe(10_000);
  const [change] = (await call('GET', '/audit?limit=1')).items;
  expect(change.actor).toMatch(new RegExp(`^person:\\d+ ${EMAIL}$`));
});

test('the audit log is narrowed down, and the address says how', async () => {
  await call('POST', '/customers', { name: 'Narrowed' });
  await call('PATCH', '/engines/1', { name: 'Sample site' });
  await using view = await signIn('/admin/system/audit');
  const { page } = view;

  await page.getByRole('searchbox', { name: 'Of' }).fill('customer:');
  await expect.poll(() => page.url()).toContain('target=customer');
  await expect.poll(() => page.getByRole('cell', { name: /^engine:/ }).count()).toBe(0);
  await page
    .getByRole('cell', { name: /^customer:/ })
    .first()
    .waitFor();
  await page.getByLabel('To', { exact: true }).fill('2000-01-01');
  await page.getByText('No change fits').waitFor();
  expect(page.url()).toContain('to=2000-01-01');
});

test('names of others are text wherever they are shown', async () => {
  const name = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
  await call('PATCH', '/engines/1', { name });
  await using view = await signIn('/admin/sites');
  const { page } = view;
  page.on('dialog', () => expect.fail('a script of a name has run'));

  await page.getByRole('link', { name }).click();
  await heading(page, name).waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  await call('PATCH', '/engines/1', { name: 'Sample site' });
});

test('a site is added by its address alone, read, and can be searched', async () => {
  await using view = await signIn('/admin/sites/add');
  const { page } = view;

  await page.getByLabel('Address of the site').waitFor();
  await page.keyboard.type(`${product.address}/sample/`);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Plan your visit' }).waitFor({ timeout: 60_000 });
  expect(await page.getByLabel('Name').inputValue()).toBe('Lindenholm Botanical Garden');
  await page.getByLabel('Name').fill('A second garden');
  await page.getByRole('button', { name: 'Add and crawl it' }).click();
  await page.getByText('The site is in').waitFor({ timeout: 60_000 });
  await page.getByText('78 pages can be searched.').waitFor();
  await page.getByRole('link', { name: 'Open the site' }).click();
  await heading(page, 'A second garden').waitFor();

  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  expect(await call('GET', '/crawlers?state=inactive')).toMatchObject({ items: [{ engine: 2 }] });
});

test('an invitation, a key, an alert target and a backup are made in the pages', async () => {
  await using view = await signIn('/admin/system/people');
  const { page } = view;
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Invite a person' }).click();
  await dialog.getByLabel('Mail address').fill('ben@example.org');
  await checkAccess(page, 'admin dialog');
  await dialog.getByLabel('Role').selectOption('editor');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText(/\/admin\/invitation#[\w-]{20,}/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').filter({ hasText: 'ben@example.org' }).getByText('Invited').waitFor();

  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Make a key' }).first().click();
  await dialog.getByLabel('Name').fill('Shop');
  await dialog.getByLabel('URLs: visit now').check();
  await dialog.getByRole('button', { name: 'Make it' }).click();
  expect(await dialog.locator('code').textContent()).toMatch(/^[\w-]{43}$/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').filter({ hasText: 'Shop' }).getByRole('cell', { name: 'urls' }).waitFor();

  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('button', { name: 'Add a target' }).first().click();
  await dialog.getByLabel('Kind').selectOption('webhook');
  await dialog.getByLabel('Name').fill('Chat');
  await dialog.getByLabel('Address').fill(`${product.address}/nobody`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Chat' }).getByRole('button', { name: 'Test' }).click();
  await page.getByText(/^Not taken after \d+ ms: 404/).waitFor();

  await page.getByRole('link', { name: 'Backups' }).click();
  await page.getByRole('button', { name: 'Back up now' }).first().click();
  await page.getByRole('cell', { name: 'done' }).waitFor({ timeout: 60_000 });
});

test('a customer is added, renamed and removed by keyboard', async () => {
  await using view = await signIn('/admin/system/customers');
  const { page } = view;
  const dialog = page.getByRole('dialog');
  const nameIs = async (name: string) => {
    await dialog.getByLabel('Name').fill(name);
    await page.keyboard.press('Enter');
  };
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  await page.getByRole('button', { name: 'Add a customer' }).first().press('Enter');
  await nameIs('Harbour');
  await row('Harbour').getByRole('button', { name: 'Rename' }).press('Enter');
  await nameIs('Yard');
  await row('Yard').getByRole('button', { name: 'Remove' }).press('Enter');
  await checkAccess(page, 'admin removal of a customer');
  expect(await dialog.getByRole('button', { name: 'Remove the customer' }).isDisabled()).toBe(true);
  await dialog.getByLabel(/to go on/).fill('Yard');
  await page.keyboard.press('Enter');
  await row('Yard').waitFor({ state: 'detached' });
  const { items } = await call('GET', '/customers');
  expect(items.map(({ name }: { name: string }) => name)).not.toContain('Yard');
});

test('an editor sees the sites of the own customers, and nothing that is the operator’s', async () => {
  const email = 'carla@example.org';
  const { link } = await call('POST', '/people', { email, role: 'editor', customers: [1] });
  await using view = await openPage(`${origin}${link.path}`, { viewport: WIDE });
  const { page } = view;
  await page.getByLabel('Your name').fill('Carla');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await heading(page, 'Home').waitFor();

  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  expect(await sections.allTextContents()).toEqual(expect.arrayContaining(['Home', 'Sites', 'Preview and tools']));
  expect(await sections.allTextContents()).not.toContain('System');
  expect(await page.getByRole('link', { name: 'Add a site' }).count()).toBe(0);
  await page.goto(`${origin}/admin/sites/1`);
  await heading(page, 'Sample site').waitFor();
  expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
  await page.goto(`${origin}/admin/system`);
  await heading(page, 'There is no such page').waitFor();
});

const PAGES = [
  { path: '/admin', name: 'Home' },
  { path: '/admin/sites', name: 'Sites' },
  { path: '/admin/sites/add', name: 'Add a site' },
  ...['', '/pages', '/removals', '/hosts', '/runs', '/runs?run=1', '/patterns', '/settings', '/engine', '/history'].map(
    (tab) => ({ path: `/admin/sites/1${tab}`, name: 'Sample site' }),
  ),
  ...['', '/queues', '/backups', '/log', '/alerts', '/people', '/customers', '/keys', '/audit', '/configuration'].map(
    (tab) => ({
      path: `/admin/system${tab}`,
      name: 'System',
    }),
  ),
  { path: '/admin/account', name: 'Account' },
  { path: '/admin/nowhere', name: 'There is no such page' },
];

test.each([
  { width: 'wide', viewport: WIDE, direction: 'ltr' },
  { width: 'narrow', viewport: NARROW, direction: 'rtl' },
])('no page breaks a rule of accessibility in a $width window, $direction, light or dark', async (look) => {
  await using view = await signIn('/admin', look.viewport);
  const { page } = view;

  for (const { path, name } of PAGES) {
    await page.goto(`${origin}${path}`);
    await heading(page, name).waitFor();
    await page.evaluate(`document.documentElement.dir = '${look.direction}'`);
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    await checkAccess(page, `admin${path.replaceAll(/\W+/g, '-')} ${look.width}`);
  }
});

test('no page is wider than its window, in either direction', async () => {
  await using view = await signIn('/admin', NARROW);
  const { page } = view;

  for (const { path, name } of PAGES) {
    await page.goto(`${origin}${path}`);
    await heading(page, name).waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate(`document.documentElement.dir = '${direction}'`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0);
    }
  }
});
