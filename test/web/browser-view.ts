import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { chromiumPath } from '../helpers/chromium-path.ts';

export const WEB_FOLDER = join(import.meta.dirname, '../../web/dist');
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 780 };

type Look = Parameters<Browser['newContext']>[0];

/** One Chromium for a test file. `SCREENSHOTS` names a folder that keeps a picture of what `checkAccess` saw. */
export function useBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    if (!existsSync(join(WEB_FOLDER, 'search/index.html'))) throw new Error('web/dist is missing: run npm run setup');
    browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  return {
    openPage: (address: string, options: Look, told?: RegExp) => openPage(browser, { address, options, told }),
    checkAccess,
  };
}

/** Waits for what a screen reader is told about the results. */
export async function statusOf(page: Page, text: string) {
  await page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
}

/** What the browser reports, too, when a page tells its visitor that a request failed. */
const TOLD_TO_VISITORS =
  /status of (?:400|401|412|429|50[02])|ERR_FAILED|ERR_INTERNET_DISCONNECTED|blocked by CORS policy|valid digest/;

/** A page that fails the test when the browser reports an error: a broken script or a breach of the page's policy. */
async function openPage(
  browser: Browser,
  { address, options, told = TOLD_TO_VISITORS }: { address: string; options: Look; told: RegExp | undefined },
) {
  const context = await browser.newContext({ colorScheme: 'light', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !told.test(message.text()))
      faults.push(`${message.text()} ${message.location().url}`);
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

/** What the colour scheme changes: it is made of colours alone. */
const COLOUR_RULES: axe.RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };
/**
 * What a frame shows is looked at where it is a page of its own. Of elements that break no rule nothing is collected.
 */
const VIOLATIONS_ALONE: axe.RunOptions = { iframes: false, resultTypes: ['violations'] };

/** No accessibility rule is broken by what the page shows now, light or dark. It is light afterwards. */
async function checkAccess(page: Page, name: string) {
  await page.evaluate(axe.source);
  await keepPicture(page, `${name} light`);
  await expectNoViolation(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await keepPicture(page, `${name} dark`);
  await expectNoViolation(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNoViolation(page: Page, rules: axe.RunOptions = {}) {
  const options = JSON.stringify({ ...VIOLATIONS_ALONE, ...rules });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** A picture of what is seen now, where `SCREENSHOTS` names a folder. */
export async function keepPicture(page: Page, name: string) {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name.replaceAll(/[ ,]+/g, '-')}.png`) });
}
