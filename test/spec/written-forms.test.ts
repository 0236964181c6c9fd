import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.2. Words are found however they are written.
const DOCUMENTS = [
  { id: 'resume', fields: { Language: 'en', Content: 'Send your résumé to the office.' } },
  { id: 'musée', fields: { Language: 'fr', Content: 'Le musée de la société est fermé.' } },
  { id: 'città', fields: { Language: 'it', Content: 'La quantità e la qualità della città.' } },
  { id: 'acessível', fields: { Language: 'pt', Content: 'O parque é acessível.' } },
  { id: 'co2', fields: { Language: 'en', Content: 'Emissions of CO₂ and H₂O.' } },
  { id: 'phone', fields: { Language: 'en', Content: 'A case for the iPhone 15 with a battery of 18 V.' } },
  { id: 'numbers', fields: { Language: 'en', Content: 'An iPhone for 15 of us; 18 were here, and V left.' } },
  { id: 'part', fields: { Language: 'en', Content: 'Bags for the XY1234 and a 36V charger.' } },
];

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const put = await product.put('/api/v4/3/index/17/documents?refresh=wait', DOCUMENTS);
  expect(put.status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

test.each([
  ['resume', 'resume', 'résumé'],
  ['résumé', 'resume', 'résumé'],
  ['musee', 'musée', 'musée'],
  ['musees', 'musée', 'musée'],
  ['ferme', 'musée', 'fermé'],
  ['quantita', 'città', 'quantità'],
  ['acessivel', 'acessível', 'acessível'],
  ['CO2', 'co2', 'CO₂'],
  ['h₂o', 'co2', 'H₂O'],
  ['iphone15', 'phone', 'iPhone</b> <b>15'],
  ['18v', 'phone', '18</b> <b>V'],
  ['xy 1234', 'part', 'XY1234'],
  ['xy AND 1234', 'part', 'XY1234'],
  ['36 V charger', 'part', '36V'],
])('%s finds %s by %s', async (query, id, marked) => {
  const { body } = await product.post('/api/v4/3/6/search', { query, operator: 'AND', highlight: true }, SITE_KEY);

  expect(body.TypedDocuments.map(({ Id }: { Id: string }) => Id)).toEqual([id]);
  expect(body.FixedQuery).toBe('');
  expect(body.TypedDocuments[0].Highlight.Content).toContain(`<b>${marked}</b>`);
});
