import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { expect, test } from 'vitest';
import { HOSTILE_DOCUMENTS } from '../helpers/hostile-texts.ts';
import { startProduct } from '../helpers/product.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Points at and focuses every link; gives the protocols that they lead to. */
const TOUCH_LINKS = `[...document.querySelectorAll('a')].map((link) => {
  for (const type of ['mouseover', 'focus']) link.dispatchEvent(new Event(type, { bubbles: true }));
  return link.href === '' ? 'none' : link.protocol;
})`;

// Contract: 2.11.
test('a browser that writes an answer of type JsonHtml into a page runs no script of 100 hostile documents', async () => {
  const executablePath = [process.env['CHROMIUM_PATH'], ...CHROMIUM].find((path) => path && existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run npm run setup');
  await using product = await startProduct();
  await product.put('/api/v4/3/index/17/documents?refresh=wait', HOSTILE_DOCUMENTS);
  const search = { query: 'solar', responseType: 'JsonHtml', highlight: true, perPage: 200 };
  const { body } = await product.post('/api/v4/3/6/search', search);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  await using _closing = { [Symbol.asyncDispose]: () => browser.close() };
  const page = await browser.newPage();
  let fired = 0;
  await page.exposeFunction('fired', () => fired++);
  /** After all that a page has begun to load or run. */
  const settled = async () => {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
    return { fired };
  };

  await page.setContent(`<!doctype html><main>${body.SearchResult}</main><nav>${body.Facets}</nav>`);
  const anchors = await page.evaluate<readonly string[]>(TOUCH_LINKS);
  const { fired: firedBySearch } = await settled();

  expect(firedBySearch).toBe(0);
  expect(await page.locator('script, img, svg, iframe, object, style, math').count()).toBe(0);
  expect(anchors.length).toBeGreaterThan(150);
  expect(new Set(anchors)).toEqual(new Set(['none', 'https:', 'about:']));

  // The same texts without care: this page does notice scripts.
  await page.setContent(HOSTILE_DOCUMENTS.map(({ fields }) => fields.Title).join('\n'));
  expect((await settled()).fired).toBeGreaterThan(10);
});
