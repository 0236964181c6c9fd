import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { D1, D2, D3, D5, SITE_KEY } from '../helpers/fixture.ts';
import { logSearch } from '../helpers/log-search.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.1, 2.2, 2.8, 2.9, 10.3; cases 33, 34, 39, 40, 81.
const SEARCH = '/api/v4/3/6/search';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

async function search(body: object, path = SEARCH) {
  const answer = await product.post(path, body, SITE_KEY);
  expect(answer.status).toBe(200);
  return answer.body;
}

const idsOf = (body: { TypedDocuments: readonly { Id: string }[] }) => body.TypedDocuments.map(({ Id }) => Id).sort();

test('33 highlighting is off on v4 unless asked for, and on on v3', async () => {
  const query = 'battery';
  const asked = await search({ query, highlight: true });
  const [hit] = asked.TypedDocuments;
  const [plain] = (await search({ query })).TypedDocuments;
  const [old] = (await search({ query }, '/api/v3/3/6/search')).TypedDocuments;

  expect(hit.Highlight.Content).toContain('<b>Battery</b>');
  expect(hit.Highlight.Content).toContain('&amp;');
  expect(plain.Highlight).toEqual({});
  expect(old.Highlight).toEqual(hit.Highlight);
});

test('the copies that a file has of its title and text are marked like these', async () => {
  const [{ Highlight }] = (await search({ query: 'inverter', highlight: true })).TypedDocuments;

  expect(Highlight.fc_Title).toBe('<b>Inverter</b> manual');
  expect(Highlight.fc_Content).toBe(Highlight.Content);
});

test.each([
  [{ highlight: true }, true],
  [{ highlight: false }, false],
])('a matching title that is not returned is told with %j: %j', async (asked, told) => {
  const body = await search({ query: 'Title:inverter', fields: ['Category'], ...asked });

  expect(body.TypedDocuments[0].TitleHasHighlight).toBe(told);
});

test('34 a query without any match is corrected, one that only its filters empty is not', async () => {
  const fixed = await search({ query: 'invertr', highlight: true });
  const filtered = await search({ query: 'solr park', filters: { Category: ['None'] } });

  expect(fixed.FixedQuery).toBe('inverter');
  expect(idsOf(fixed)).toEqual([D5]);
  expect(fixed.TypedDocuments[0].Highlight.Content).toContain('<b>inverter</b>');
  expect(filtered).toMatchObject({ FixedQuery: '', TotalDocument: 0 });
});

test('34 a correction runs with all filters', async () => {
  const { FixedQuery, TotalDocument } = await search({ query: 'invertr', filters: { Category: ['News'] } });

  expect({ FixedQuery, TotalDocument }).toEqual({ FixedQuery: 'inverter', TotalDocument: 0 });
});

test.each([
  ['invrter solar', 'OR', '<b>inverter</b> feeds <b>solar</b>'],
  ['invert*', 'AND', '<b>inverter</b>'],
  ['invrter~', 'AND', '<b>inverter</b>'],
  ['"solar power"', 'OR', '<b>solar</b> <b>power</b>'],
])('a word that %s found is marked as it stands', async (query, operator, marked) => {
  const { TypedDocuments } = await search({ query, operator, highlight: true });
  const hit = TypedDocuments.find(({ Id }: { Id: string }) => Id === D5);

  expect(hit.Highlight.Content).toContain(marked);
});

test('39 camel case reaches every member', async () => {
  const body = await search(
    { query: 'solar', rangeFacets: { Size: { fieldName: 'Price_number', ranges: [{ to: 20 }] } }, highlight: true },
    `${SEARCH}?casing=camel`,
  );

  expect(body.typedDocuments[0].fields.Title.value).toEqual(expect.any(String));
  expect(Object.keys(body.rangeFacets)).toEqual(['Size']);
  expect(memberNames(body).filter((name) => /^[A-Z]/.test(name))).toEqual([]);
});

/** Names of members at any depth; the keys of maps are names of fields and labels. */
function memberNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isMap = ['fields', 'facets', 'rangeFacets', 'highlight'].includes(name);
    return [name, ...(isMap ? Object.values(inner ?? {}).flatMap(memberNames) : memberNames(inner))];
  });
}

test.each([
  ['title:"solar" AND (((', undefined],
  ['solar -park', [D1, D5]],
  ['Title:solar', [D1, D3]],
  ['Price_number:[10 TO 30] AND solar', [D1, D3]],
  ['Price_number:{10 TO 30] AND solar', [D3]],
  ['Published_date:[2026-01 TO 2026-02] AND power', [D1, D2]],
  ['invert*', [D5]],
  ['*verter', [D5]],
  ['inv?rter', [D5]],
  ['invrter~1', [D5]],
  ['sol* AND NOT park', [D1, D5]],
])('40 the query %s', async (query, ids) => {
  const body = await search({ query });

  if (ids !== undefined) expect(idsOf(body)).toEqual([...ids].sort());
  expect(body.FixedQuery).toBe('');
});

test('81 synonyms expand a query within a second, both ways, and go as fast', async () => {
  const made = await product.post('/api/synonymsgroup', { words: ['power', 'electricity'], language: 'en' });
  const { groupId } = made.body;
  const since = Date.now();

  const body = await eventually(async () => {
    const answer = await search({ query: 'electricity', highlight: true });
    return answer.TotalDocument === 3 ? answer : undefined;
  });

  expect(Date.now() - since).toBeLessThan(1_500);
  expect(groupId).toEqual(expect.any(Number));
  expect(idsOf(body)).toEqual([D1, D2, D5].sort());
  expect(body.Synonyms).toContain('power');
  for (const { Highlight } of body.TypedDocuments) expect(Highlight.Content).toContain('<b>power</b>');
  expect((await search({ query: '"electricity"' })).TotalDocument).toBe(0);

  await product.delete(`/api/synonymsgroup?groupIds=${groupId}`);
  const after = await eventually(async () => {
    const answer = await search({ query: 'electricity' });
    return answer.TotalDocument === 0 ? answer : undefined;
  });
  expect(after.Synonyms).toEqual([]);
});

test('queries of visitors are related searches and suggestions, in the form of the version', async () => {
  for (const text of [
    'solar park',
    'solar park',
    'solar panels',
    'solar panels',
    'solar',
    'once solar',
    'unicorn solar',
  ]) {
    await logSearch(product.systemStore, 6, { text });
  }
  await logSearch(product.systemStore, 6, { text: 'solar panels' });
  const asked = { query: 'solar', enableRelatedSearches: true };

  const v4 = await eventually(async () => {
    const body = await search(asked);
    return body.Suggestions.length > 0 ? body : undefined;
  });
  const v3 = await search(asked, '/api/v3/3/6/search');

  expect(v4.RelatedSearchDocuments).toEqual(['solar panels', 'solar park']);
  expect(v4.Suggestions.slice(0, 2)).toEqual(['solar panels', 'solar park']);
  expect(v3.RelatedSearchDocuments).toEqual([
    { SearchTerm: 'solar panels', DocsCount: 3 },
    { SearchTerm: 'solar park', DocsCount: 3 },
  ]);
  expect(v3.Suggestions[0]).toEqual({ Text: 'solar panels' });
  expect((await search({ query: 'solar' })).RelatedSearchDocuments).toEqual([]);
  expect((await search({ ...asked, query: '*' })).RelatedSearchDocuments).toEqual([]);
});

test.each([
  [{ searchContext: 'sayt' }],
  [{ searchContext: 'Search404' }],
  [{ isInternalSearch: true }],
  [{ enableHybridSearch: true }],
])('%j leaves ranking and response as they are', async (more) => {
  const comparable = ({ QueryId, ResponseTime, ...rest }: Record<string, unknown>) => rest;

  expect(comparable(await search({ query: 'solar guide', ...more }))).toEqual(
    comparable(await search({ query: 'solar guide' })),
  );
});

test('an engine may ask for all words first, and drop some while few results are left', async () => {
  await using own = await startProduct();
  const total = async (dropWordsBelow: number | undefined, more = {}) => {
    await own.changeSettings(6, { dropWordsBelow });
    const { body } = await own.post(SEARCH, { query: 'solar panels sunlight', ...more }, SITE_KEY);
    return body.TotalDocument;
  };

  expect([await total(undefined), await total(1), await total(99)]).toEqual([3, 1, 3]);
  expect(await total(1, { operator: 'OR' })).toBe(3);
});
