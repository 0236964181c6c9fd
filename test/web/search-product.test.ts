import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { statusOf, useBrowser, WEB_FOLDER, WIDE } from './browser-view.ts';

const { openPage, checkAccess } = useBrowser();

const BANNER =
  '<p style="background-color: #fff3d6" onclick="alert(1)">Panels are <b>on offer</b>. ' +
  '<img src="https://pictures.invalid/panel.png" alt="A panel"><script>alert(2)</script></p>';

async function addTools(product: Product) {
  const banner = { name: 'Offer', htmlcode: BANNER, websiteid: 6, bannerterms: [{ name: 'solar*' }] };
  const quicklink = { url: 'https://example.com/solar', websiteid: 6, terms: [{ name: 'solar' }] };
  const synonyms = { words: ['power', 'electricity'], language: 'en' };
  const answers = [
    await product.post('/api/banners', banner),
    await product.post('/api/quicklinks', quicklink),
    await product.post('/api/synonymsgroup', synonyms),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
}

// Contract: 2.6, 2.9, 2.10, 6.3.
test('the page shows what the product answers, and what is searched there comes back as related searches', async () => {
  await using product = await startProduct({ webFolder: WEB_FOLDER });
  await addTools(product);
  await using view = await openPage(product.origin, { viewport: WIDE });
  const { page } = view;
  await page.route('https://pictures.invalid/**', (route) => route.fulfill({ body: '' }));
  const box = page.locator('#query');
  const search = async (query: string) => {
    await box.fill(query);
    const logged = page.waitForResponse('**/querylog');
    await box.press('Enter');
    expect((await logged).status()).toBe(200);
  };

  const picture = page.waitForRequest('https://pictures.invalid/panel.png');
  await search('solar');
  await picture;
  const banners = page.getByRole('region', { name: 'Announcements' });
  await banners.getByText('on offer').waitFor();
  expect(await banners.locator('script, [onclick]').count()).toBe(0);
  const links = page.getByRole('list', { name: 'Quick links' }).getByRole('link');
  expect(await links.getAttribute('href')).toBe('https://example.com/solar');
  await checkAccess(page, 'product');

  await search('electricity');
  await page.getByText('Also searched for power.').waitFor();
  await search('invertr');
  await page.getByText('Showing results for inverter. Nothing matches “invertr”.').waitFor();

  await search('solar park');
  await search('solar');
  await search('solar park');
  await search('solar panels');
  await statusOf(page, 'results');
  const related = page.getByRole('list', { name: 'Others searched for' });
  await eventually(async () => (await related.getByRole('link').allTextContents()).includes('solar park'));

  const logged = await product.systemStore.listQueryEvents({ engineId: 6, limit: 10 });
  expect(logged.map(({ text }) => text).toReversed()).toEqual([
    ...['solar', 'electricity', 'invertr', 'solar park', 'solar', 'solar park', 'solar panels'],
  ]);
  const [session, ...otherSessions] = new Set(logged.map(({ querySessionId }) => querySessionId));
  expect(session).toMatch(/^[0-9a-f]{32}$/);
  expect(otherSessions).toEqual([]);
  expect(logged.map(({ device }) => device)).toEqual(logged.map(() => 'desktop'));
});
