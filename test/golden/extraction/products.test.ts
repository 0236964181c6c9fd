import { expect, test } from 'vitest';
import { productPages } from '../../../scripts/evaluate/products/product-pages.ts';
import { firstValue } from '../../../src/core/document.ts';
import { extractHtml } from '../../helpers/extract-html.ts';

/** Two pages of each shop: a product, and its list of products. */
const PAGES = Map.groupBy(productPages().filter(({ isUnseen }) => !isUnseen), ({ url }) => new URL(url).host);
const SHOPS = [...PAGES].map(([host, pages]) => [pages[0]?.theme ?? '', host, [pages[0], pages[4]]] as const);

test.each(SHOPS)('%s of %s has the facts of its product, and its list none', async (_, _host, pages) => {
  for (const page of pages.filter((one) => one !== undefined)) {
    const { fields } = await extractHtml(page.html, { url: page.url });
    const numbered = (name: string, value: string) => (name.endsWith('_number') && value !== '' ? String(Number(value)) : value);
    const read = (name: string) => numbered(name, firstValue(fields, name));

    const names = ['Price_number', 'Price_currency', 'Availability', 'Brand', 'Sku', 'Rating_number', 'Item_type'] as const;
    const wanted = names.map((name) => [name, page.facts.get(name) ?? '']);
    expect(names.map((name) => [name, read(name)])).toEqual(wanted);
  }
});
