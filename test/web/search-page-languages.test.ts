import { expect, test } from 'vitest';
import { statusOf, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();

test.each([
  {
    code: 'de',
    direction: 'ltr',
    title: 'alpine – Suche – Lindenholm Garden',
    found: '11–20 von 23 Ergebnissen',
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
  },
  {
    code: 'fa',
    direction: 'rtl',
    title: '\u2068alpine\u2069 – جستجو – \u2068Lindenholm Garden\u2069',
    found: '\u2068۱۱\u2069 تا \u2068۲۰\u2069 از \u2068۲۳\u2069 نتیجه',
    previous: 'صفحهٔ قبلی',
    next: 'صفحهٔ بعدی',
  },
])('a page speaks the language of its engine and runs in its direction ($code)', async (expected) => {
  await using server = await startSearchPageServer({ language: expected.code });
  await using view = await openPage(`${server.origin}/?q=alpine&page=2`, { viewport: WIDE });
  const { page } = view;

  await statusOf(page, expected.found);

  const html = page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual([
    expected.code,
    expected.direction,
  ]);
  expect(await page.title()).toBe(expected.title);
  const left = async (name: string) => (await page.getByRole('link', { name, exact: true }).boundingBox())?.x ?? 0;
  const isRightward = (await left(expected.previous)) < (await left(expected.next));
  expect(isRightward).toBe(expected.direction === 'ltr');
  await checkAccess(page, `results ${expected.code}`);
});
