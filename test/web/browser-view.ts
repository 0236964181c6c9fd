import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { chromiumPath } from '../helpers/chromium-path.ts';

export const WEB_FOLDER = join(import.meta.dirname, '../../web/dist');
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** One Chromium for a test file. `SCREENSHOTS` names the folder that keeps the pictures of `checkAccess`. */
export function useBrowser() {
  let browser: Browser;
  let pictures: string;
  beforeAll(async () => {
    if (!existsSync(join(WEB_FOLDER, 'search/index.html'))) throw new Error('web/dist is missing: run npm run setup');
    browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
    pictures = process.env['SCREENSHOTS'] ?? (await mkdtemp(join(tmpdir(), 'fossick-search-page-')));
  });
  afterAll(() => browser?.close());
  return {
    openPage: (address: string, options: Parameters<Browser['newContext']>[0]) => openPage(browser, address, options),
    checkAccess: (page: Page, name: string) => checkAccess(page, join(pictures, fileName(name))),
  };
}

/** Waits for what a screen reader is told about the results. */
export async function statusOf(page: Page, text: string) {
  await page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
}

/** A page that fails the test when the browser reports an error: a broken script or a breach of the page's policy. */
async function openPage(browser: Browser, address: string, options: Parameters<Browser['newContext']>[0]) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const isExpected = /status of 500|ERR_FAILED/.test(message.text());
    if (message.type() === 'error' && !isExpected) faults.push(message.text());
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

async function checkAccess(page: Page, picture: string) {
  await page.screenshot({ path: picture });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

function fileName(name: string): string {
  return `${name.replaceAll(/[ ,]+/g, '-')}.png`;
}
