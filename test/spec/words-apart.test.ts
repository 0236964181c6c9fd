import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.2. What some write as one word, others write as two.
const PAGES = [
  { id: 'toolboxes', Title: 'Toolboxes of the yard', Content: 'Where they are kept, and who cleans them.' },
  { id: 'lunch', Title: 'Eating on board', Content: 'A lunch box is in every boat, filled before it leaves.' },
  { id: 'lunchbox', Title: 'Prices', Content: 'One lunchbox costs nothing.' },
  { id: 'feet', Title: 'Measures', Content: 'Boats are measured in feet here.' },
  { id: 'tooth', Title: 'Saws', Content: 'Each tooth is sharpened by hand.' },
  { id: 'wrote', Title: 'History', Content: 'The founders wrote few rules.' },
];
const OTHERS = Array.from({ length: 60 }, (_, i) => ({
  id: `other-${i}`,
  Title: `Notes ${i}`,
  Content: `A tool and a box of yard ${i}: the lunch is early, the box is full, and no tool is lost.`,
}));

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const documents = [...PAGES, ...OTHERS].map(({ id, ...fields }) => ({ id, fields: { Language: 'en', ...fields } }));
  const put = await product.put('/api/v4/3/index/17/documents?refresh=wait', documents);
  expect(put.status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

async function search(query: string, operator = 'OR') {
  const body = { query, operator, perPage: 100, highlight: true };
  const answer = await product.post('/api/v4/3/6/search', body, SITE_KEY);
  expect(answer.status).toBe(200);
  const hits: readonly { Id: string; Highlight: Record<string, string> }[] = answer.body.TypedDocuments;
  return { ids: hits.map(({ Id }) => Id), highlights: hits.map(({ Highlight }) => Highlight) };
}

test.each([['OR'], ['AND']])('neighbours are found where they are one word, under %s', async (operator) => {
  const { ids, highlights } = await search('tool box', operator);

  expect(ids[0]).toBe('toolboxes');
  expect(highlights[0]?.['Title']).toBe('<b>Toolboxes</b> of the yard');
});

test.each([['lost in the tool box of the yard'], ['tool-box yard']])('also in longer queries: %s', async (query) => {
  expect((await search(query)).ids[0]).toBe('toolboxes');
});

test.each([['lunchbox'], ['lunchbox prices']])('a word is found where it is written as two: %s', async (query) => {
  const { ids } = await search(query);

  expect(ids.slice(0, 2)).toEqual(['lunchbox', 'lunch']);
  expect(ids).toHaveLength(2);
});

test('words that are no neighbours, or are quoted, stay apart', async () => {
  expect((await search('tool "box"', 'AND')).ids).not.toContain('toolboxes');
  expect((await search('tool yard box', 'AND')).ids).not.toContain('toolboxes');
  expect((await search('"lunchbox"')).ids).toEqual(['lunchbox']);
});

test.each([
  ['foot', 'feet'],
  ['teeth', 'tooth'],
  ['written rules', 'wrote'],
])('irregular forms are found: %s', async (query, id) => {
  const { ids, highlights } = await search(query, 'AND');

  expect(ids).toEqual([id]);
  expect(highlights[0]?.['Content']).toContain(`<b>${id}</b>`);
});

test('a quoted word has no other forms', async () => {
  expect((await search('"foot"')).ids).toEqual([]);
});
