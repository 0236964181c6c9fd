import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPENAPI } from '../helpers/described-answers.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { NARROW, useBrowser, WIDE } from './browser-view.ts';

const { openPage, checkAccess } = useBrowser();

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

let view: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  view = await openPage(`${product.origin}/docs`, { viewport: WIDE });
});
afterAll(() => view[Symbol.asyncDispose]());

test('every operation and every named schema has a place that a link can name', async () => {
  const ids = await view.page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  const links = await view.page
    .locator('a[href^="#"]')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  const operations = Object.values(OPENAPI.paths).flatMap((item) =>
    Object.values(item).map((each) => each.operationId),
  );
  const schemas = Object.keys(OPENAPI.components.schemas).map((name) => `schema-${name}`);

  expect([...operations, ...schemas].filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.filter((hash) => !ids.includes(hash.slice(1)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the description fits a narrow screen', async () => {
  await view.page.setViewportSize(NARROW);

  expect(await view.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await view.page.setViewportSize(WIDE);
});

test('the description asks for no other file, and its operations are reached by keyboard', async () => {
  await using view = await openPage('about:blank', { viewport: WIDE });
  const { page } = view;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${product.origin}/docs`);

  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('To the content');
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  await page.getByRole('link', { name: 'Searches an engine', exact: true }).focus();
  await page.keyboard.press('Enter');

  expect(new URL(page.url()).hash).toBe('#search');
  expect(await page.locator('article:target h3').textContent()).toBe('Searches an engine');
  expect(
    await page
      .locator('article:target')
      .getByRole('row', { name: /^query Required|^query/ })
      .count(),
  ).toBeGreaterThan(0);
  expect(asked.filter((path) => !['/docs', '/favicon.ico'].includes(path))).toEqual([]);
});

test('no accessibility rule is broken by the description, light or dark', async () => {
  // All operations and schemas are made by the same lines: every twentieth tells as much as all of them.
  await view.page.evaluate(`for (const places of ['main article', 'nav li'])
    document.querySelectorAll(places).forEach((place, index) => index % 20 === 0 || place.remove())`);

  await checkAccess(view.page, 'docs');
});
