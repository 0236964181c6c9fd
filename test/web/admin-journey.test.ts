import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookReceiver } from '../helpers/alert-receivers.ts';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { type Route, type SiteServer, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { keepPicture, NARROW, useBrowser, WIDE } from './browser-view.ts';

const OPERATOR = 'olga@example.org';
const EDITOR = 'emil@example.org';
const READER = 'rosa@example.org';
const PASSWORD = 'correct horse battery';
/** From the link of the banner to the first page that visitors find pinned. */
const MAX_CLICKS = 25;
const QUERY = 'boat';

const { openPage } = useBrowser();
const stack = new AsyncDisposableStack();
let folder: string;
let product: RunningProduct;
let site: SiteServer;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;

beforeAll(async () => {
  folder = join(stack.use(await temporaryFolder()).path, 'data');
  site = stack.use(await startSiteServer(museum()));
  receiver = stack.use(await startWebhookReceiver((response) => response.end()));
  product = stack.use(await startProcesses({ dataDir: folder }));
}, 120_000);
afterAll(() => stack.disposeAsync());

const PAGES = [
  ['/', 'Harbour Museum', 'The museum of the old harbour shows ships, tools and the people who worked with them.'],
  ['/visit/tickets', 'Tickets and prices', 'A ticket for the museum costs nine crowns, with a tour by boat fifteen.'],
  ['/visit/opening-hours', 'Opening hours', 'The house is open from ten to five, the boat leaves at noon.'],
  ['/ships/steam-tug', 'The steam tug Ida', 'Ida is a boat of 1912 that pulled barges. Her engine runs on Sundays.'],
  ['/ships/pilot-boat', 'The pilot boat', 'The pilot boat brought pilots to ships that waited outside the harbour.'],
  ['/archive/1998', 'Annual report 1998', 'In 1998 the museum bought a boat and lost a roof in the October storm.'],
  ['/archive/1999', 'Annual report 1999', 'In 1999 the roof was mended, and the first tour by boat was sold.'],
] as const;

/** Seven pages, each of which links to all. */
function museum(): Readonly<Record<string, Route>> {
  const links = PAGES.map(([path, title]) => `<li><a href="${path}">${title}</a></li>`).join('');
  const pages = Object.fromEntries(
    PAGES.map(([path, title, text]) => [
      path,
      {
        body: `<!doctype html><html lang="en"><title>${title}</title><nav><ul>${links}</ul></nav>
          <main><h1>${title}</h1><p>${text}</p></main></html>`,
      },
    ]),
  );
  return { ...pages, '/favicon.ico': { headers: { 'content-type': 'image/x-icon' } } };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titles = (page: Page) => page.locator('.hit-title').allTextContents();

/** A picture of a step, in a wide and in a narrow window. */
async function keepStep(page: Page, name: string) {
  if (process.env['SCREENSHOTS'] === undefined) return;
  await keepPicture(page, `journey ${name} 1440`);
  await page.setViewportSize(NARROW);
  await keepPicture(page, `journey ${name} 360`);
  await page.setViewportSize(WIDE);
}

/** Counts every press of a mouse button, whatever the page does with it. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.context().exposeBinding('countClick', () => {
    clicks++;
  });
  await page.addInitScript("addEventListener('pointerdown', () => countClick(), true)");
  return () => clicks;
}

/** Somebody without a session, at the page that a link leads to. */
async function accept(page: Page, link: string, who: { readonly name: string; readonly email?: string }) {
  await page.goto(link);
  await heading(page, 'Welcome').waitFor();
  if (who.email !== undefined) await page.getByLabel('Mail address').fill(who.email);
  await page.getByLabel('Your name').fill(who.name);
  await page.getByLabel('Password').fill(PASSWORD);
  await keepStep(page, `welcome ${who.name}`);
  await button(page, 'Begin').click();
  await heading(page, 'Home').waitFor();
}

/** As a program with the operator token. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const token = await readFile(join(folder, 'operator-token'), 'utf8');
  const answer = await fetch(`${product.address}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** Somebody who has accepted an invitation, at a page. */
async function signIn(email: string, path: string) {
  const view = await openPage(`${product.address}${path}`, { viewport: WIDE });
  await view.page.getByLabel('Mail address').fill(email);
  await view.page.getByLabel('Password').fill(PASSWORD);
  await view.page.keyboard.press('Enter');
  return view;
}

type Change = { readonly actor: string; readonly action: string };

/** What the operator has changed, step by step. */
const CHANGES = [
  'accept-invitation',
  'put-engine',
  'put-crawler',
  'activate-crawler',
  'add-ranking',
  'add-banner',
  'add-synonym-group',
  'deactivate-crawler',
  'ask-backup',
  'put-alert-target',
] as const;

const audited = async (): Promise<readonly Change[]> => (await call('GET', '/audit?limit=100')).items;

test('the first link leads to a site of one’s own with a page pinned for its visitors, within few clicks', async () => {
  expect(product.stdout()).toContain('first-operator-link');
  const link = (await readFile(join(folder, 'first-operator-link'), 'utf8')).trim();
  await using view = await openPage('about:blank', { viewport: WIDE });
  const { page } = view;
  const clicks = await countClicks(page);

  await accept(page, link, { name: 'Olga', email: OPERATOR });
  await page.getByRole('link', { name: 'Sample site' }).waitFor();
  await keepStep(page, 'home');
  await page.getByRole('link', { name: 'Add a site' }).first().click();
  await page.getByLabel('Address of the site').fill(site.origin);
  await button(page, 'Look at it').click();
  await page.getByRole('link', { name: 'The steam tug Ida' }).waitFor();
  await keepStep(page, 'found');
  await page.getByLabel('Name').fill('Harbour Museum');
  await button(page, 'Add and crawl it').click();
  await page.getByText(/The site is being read|The site is in/).waitFor();
  await keepStep(page, 'live run');
  await page.getByText('The site is in').waitFor({ timeout: 60_000 });
  await page.getByText('7 pages can be searched.').waitFor();
  await keepStep(page, 'run ended');
  await page.getByRole('main').getByRole('link', { name: 'Preview and tools' }).click();
  await page.getByLabel('Query of a visitor').fill(QUERY);
  await button(page, 'Preview').click();
  await page.locator('.hit').nth(3).waitFor();
  const last = (await titles(page)).at(-1) ?? '';
  await page.getByLabel(`Place of ${last}`).click();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await titles(page))[0]).toBe(last);
  await keepStep(page, 'pinned not saved');
  await button(page, 'Save').click();
  await page.getByText('1 change saved').waitFor();
  expect(clicks()).toBeLessThanOrEqual(MAX_CLICKS);
  const [pin] = (await call('GET', `/engines/2/pins?query=${QUERY}`)).items;
  expect(pin).toMatchObject({ title: last, place: 1 });
});

test('a banner and synonyms reach the visitor, whose search and click are in the statistics', async () => {
  await using view = await signIn(OPERATOR, `/admin/engines/2/preview?q=${QUERY}`);
  const { page } = view;
  const dialog = page.getByRole('dialog');

  await button(page, 'Add a banner').click();
  await dialog.getByLabel('Name').fill('Season');
  await dialog.getByLabel('Text').fill('<p>Tours by boat begin in May.</p>');
  await keepStep(page, 'banner');
  await button(page, 'Preview').last().click();
  await button(page, 'Add synonyms').click();
  await dialog.getByLabel('Words').fill('boat\nvessel');
  await keepStep(page, 'synonyms');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('2 unsaved changes').waitFor();
  await keepStep(page, 'tools not saved');
  await button(page, 'Save').click();
  await page.getByText('2 changes saved').waitFor();

  const { page: searchPage } = (await call('GET', '/home')).engines.find(({ id }: { id: number }) => id === 2);
  await using visitor = await openPage(`${product.address}${searchPage}`, { viewport: WIDE });
  await visitor.page.locator('#query').fill('vessel');
  await visitor.page.locator('#query').press('Enter');
  await visitor.page.getByText('Also searched for boat').waitFor();
  await visitor.page.locator('#query').fill(QUERY);
  await visitor.page.locator('#query').press('Enter');
  await visitor.page.getByText('Tours by boat begin in May.').waitFor();
  await keepStep(visitor.page, 'visitor');
  await visitor.page.getByRole('link', { name: 'The pilot boat' }).first().click();
  await visitor.page.getByRole('heading', { name: 'The pilot boat' }).waitFor();

  await section(page, 'Visitors').click();
  await page.getByRole('link', { name: QUERY, exact: true }).first().waitFor();
  await keepStep(page, 'visitors');
  await page.getByRole('link', { name: QUERY, exact: true }).first().click();
  await page.getByRole('cell', { name: 'The pilot boat' }).waitFor();
  await keepStep(page, 'visitors query');
});

test('why a page is in the search and where, and what would leave is shown before a section is excluded', async () => {
  await using view = await signIn(OPERATOR, '/admin/engines/2/why');
  const { page } = view;
  const question = page.getByLabel('URL or query', { exact: true });

  await question.fill(`${site.origin}/archive/1998`);
  await question.press('Enter');
  await page.getByText('Visitors can find it').waitFor();
  await keepStep(page, 'why url');
  await question.fill(QUERY);
  await question.press('Enter');
  await page.getByText(`Word “${QUERY}”`).first().waitFor();
  await keepStep(page, 'why query');

  await section(page, 'Sites').click();
  await page.getByRole('link', { name: 'Harbour Museum' }).click();
  await keepStep(page, 'site');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByLabel('Exclude').first().fill('/archive/**');
  await button(page, 'Look and save').click();
  await page.getByText('2 documents will leave the search').waitFor();
  await keepStep(page, 'exclude preview');
  expect((await call('GET', '/crawlers/2')).exclude).toEqual([]);
  await button(page, 'Save, and remove 2 documents').click();
  await page.getByText('The settings are saved. The next run applies them').waitFor();
  await keepStep(page, 'settings saved');
  await button(page, 'Run now').click();
  await eventually(async () => (await call('GET', '/crawlers/2')).status.documents === 5, 30_000);

  await button(page, 'Deactivate').click();
  await keepStep(page, 'deactivate');
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await button(page, 'Activate').waitFor();
  await keepStep(page, 'inactive');
});

test('a backup is written, and an alert target receives its test', async () => {
  await using view = await signIn(OPERATOR, '/admin');
  const { page } = view;
  const dialog = page.getByRole('dialog');

  await heading(page, 'Home').waitFor();
  await section(page, 'System').click();
  await heading(page, 'System').waitFor();
  await keepStep(page, 'system');
  await page.getByRole('link', { name: 'Backups' }).click();
  await keepStep(page, 'backups none');
  await button(page, 'Back up now').first().click();
  await page.getByRole('cell', { name: 'done' }).waitFor({ timeout: 60_000 });
  await keepStep(page, 'backups');
  await page.getByRole('link', { name: 'Alerts' }).click();
  await button(page, 'Add a target').first().click();
  await dialog.getByLabel('Kind').selectOption('webhook');
  await dialog.getByLabel('Name').fill('Duty');
  await dialog.getByLabel('Address').fill(receiver.url);
  await keepStep(page, 'alert target');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Duty' }).getByRole('button', { name: 'Test' }).click();
  await page.getByText(/^Taken after \d+ ms/).waitFor();
  await keepStep(page, 'alerts');
  expect(receiver.received).toHaveLength(1);
});

test('the log of changes names the person of each, in its page and in the API', async () => {
  await using view = await signIn(OPERATOR, '/admin/system/audit');
  const { page } = view;

  await page.getByRole('cell', { name: 'add-ranking' }).waitFor();
  await keepStep(page, 'audit');
  const byPerson = Map.groupBy<string, Change>(await audited(), ({ actor }) => actor.replace(/^person:\d+ /, ''));
  const actions = new Set(byPerson.get(OPERATOR)?.map(({ action }) => action));
  expect([...actions]).toEqual(expect.arrayContaining([...CHANGES]));
  expect([...byPerson.keys()].toSorted()).toEqual(['first-start', OPERATOR]);
});

test('an editor sees the own customer alone, and a reader its statistics alone', async () => {
  await call('POST', '/customers', { id: 7, name: 'Rival' });
  await call('POST', '/engines', { id: 70, customer: 7, name: 'Rival site' });
  await using operator = await signIn(OPERATOR, '/admin/system/people');
  const dialog = operator.page.getByRole('dialog');
  const invite = async (email: string, role: string) => {
    await button(operator.page, 'Invite a person').first().click();
    await dialog.getByLabel('Mail address').fill(email);
    await dialog.getByLabel('Role').selectOption(role);
    await keepStep(operator.page, `invite ${role}`);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = (await dialog.locator('code').textContent()) ?? '';
    await keepStep(operator.page, `link ${role}`);
    await dialog.getByRole('button', { name: 'Done' }).click();
    return link;
  };

  const links = { editor: await invite(EDITOR, 'editor'), reader: await invite(READER, 'reader') };
  await keepStep(operator.page, 'people');
  // The pages say that something is not there when the API does.
  await using editor = await openPage('about:blank', { viewport: WIDE }, /status of 404/);
  await accept(editor.page, links.editor, { name: 'Emil' });
  await editor.page.getByRole('link', { name: 'Harbour Museum' }).waitFor();
  await keepStep(editor.page, 'editor home');
  expect(await editor.page.getByText('Rival').count()).toBe(0);
  const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  expect(await sections(editor.page).allTextContents()).not.toContain('System');
  for (const path of ['/admin/system', '/admin/system/people', '/admin/engines/70/preview', '/admin/sites/70']) {
    await editor.page.goto(`${product.address}${path}`);
    await editor.page.getByText('There is no such').waitFor();
    await keepStep(editor.page, `editor ${path.replaceAll('/', '-')}`);
  }
  await editor.page.goto(`${product.address}/admin/engines/2/preview?q=${QUERY}`);
  await editor.page.locator('.hit').first().waitFor();

  await using reader = await openPage('about:blank', { viewport: WIDE });
  await accept(reader.page, links.reader, { name: 'Rosa' });
  expect(await sections(reader.page).allTextContents()).toEqual(['Home', 'Visitors']);
  await section(reader.page, 'Visitors').click();
  await heading(reader.page, 'Visitors').waitFor();
  await keepStep(reader.page, 'reader visitors');
});

test('what is exported makes the same on an empty installation, people and tools included', async () => {
  const fossick = async (words: readonly string[], of: { readonly dataDir: string; readonly address: string }) => {
    const environment = { DATA_DIR: of.dataDir, PORT: new URL(of.address).port };
    const { code, out, err } = await runCli(words, { environment });
    expect({ code, err: err.replaceAll(/^warning: .*\n/gm, '') }).toEqual({ code: 0, err: '' });
    return out;
  };
  const exported = await fossick(['export'], { dataDir: folder, address: product.address });
  await using other = await temporaryFolder();
  const [file, dataDir] = [join(other.path, 'fossick.config.yaml'), join(other.path, 'data')];
  // A secret is exported as `set`: who applies the file elsewhere gives it anew.
  await writeFile(file, exported.replace('url: set', `url: ${receiver.url}`));

  // The start applies it.
  await using made = await startProcesses({ dataDir, environment: { CONFIG_FILE: file } });

  for (const word of [EDITOR, READER, OPERATOR, 'Season', 'vessel', 'Duty', 'Rival', '/archive/**']) {
    expect(exported).toContain(word);
  }
  expect(exported).not.toContain(receiver.url);
  expect(await fossick(['export'], { dataDir, address: made.address })).toBe(exported);
  expect(await fossick(['apply', file], { dataDir, address: made.address })).toBe(
    'Everything is as the file wants it\n',
  );
});
