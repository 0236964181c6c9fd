import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FilterNode } from '../../../src/core/filters.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { planOf } from '../../helpers/query-plans.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

// Contract: 2.2. Which words of a query under OR a document must have.
const ENGINE = 6;
const TEXTS = [
  'LUMO_READY is set when the lamp glows',
  'lumo is the name of the lamp',
  ...Array.from({ length: 6 }, (_, i) => `ready for harbour ${i}`),
  'The class Boat, with rent() and moor()',
  'A boat in the yard',
  ...Array.from({ length: 9 }, (_, i) => `rent a bicycle in street ${i}`),
  'rent a boat in the harbour of the old yard',
];

let index: ReturnType<typeof createInMemoryIndex>;
beforeAll(async () => {
  index = createInMemoryIndex();
  const writer = index.writer(ENGINE);
  writer.apply(
    TEXTS.map((Content, i) =>
      storedDocument({ rid: i + 1, fields: { Content, Category: i % 2 === 0 ? 'even' : 'odd' } }),
    ),
  );
  await writer.refresh();
});
afterAll(() => index[Symbol.asyncDispose]());

type Asked = { readonly dropWordsBelow?: number; readonly filter?: FilterNode; readonly postFilter?: FilterNode };

async function search(text: string, { dropWordsBelow, ...filters }: Asked = {}) {
  const synonyms = compileSynonyms([], ['en']);
  const { found, fixedQuery } = await runQuery(
    { searchIndex: index },
    {
      engineId: ENGINE,
      text,
      operator: 'OR',
      dropWordsBelow,
      read: (query, operator) => readQuery(query, { operator, language: 'en', fields: [], synonyms }),
      toPlan: ({ match }) => planOf({ match, ...filters, limit: 50 }),
      signal: never(),
    },
  );
  return { total: found.total, first: TEXTS[(found.hits[0]?.rid ?? 0) - 1] ?? '', fixedQuery };
}

test.each([
  ['LUMO_READY', 1, 'LUMO_READY'],
  ['lumo_ready()', 1, 'LUMO_READY'],
  ['Boat.rent', 2, 'The class Boat'],
  ['Boat::moor', 1, 'The class Boat'],
  ['Boat#moor bicycle', 10, 'The class Boat'],
])('a name in parts is found where all of its parts stand: %s', async (query, total, first) => {
  const found = await search(query);

  expect(found.total).toBe(total);
  expect(found.first).toContain(first);
});

test.each([
  ['LUMO_HARBOUR', 9],
  ['lumo ready', 8],
  ['lumo . ready', 8],
])(
  'words that no document has together, or that are written apart, need not stand together: %s',
  async (query, total) => {
    expect(await search(query)).toMatchObject({ total, fixedQuery: '' });
  },
);

test.each([
  [1, 1],
  [2, 2],
  [3, 12],
])('fewer than %i results drop the most frequent words, one after the other', async (dropWordsBelow, total) => {
  // "yard" stands in 2 documents, "boat" in 3, "rent" in 11.
  expect(await search('rent a boat in the yard', { dropWordsBelow })).toMatchObject({ total });
});

test('without a bound any word is enough', async () => {
  expect((await search('rent a boat in the yard')).total).toBe(12);
});

test('words that no document has are not required', async () => {
  expect((await search('rent a boat unheard', { dropWordsBelow: 1 })).total).toBe(2);
});

test('filters count, choices among the results do not', async () => {
  const odd: FilterNode = { kind: 'value', field: 'Category', values: ['odd'] };

  expect((await search('lumo lamp glows', { dropWordsBelow: 1 })).total).toBe(1);
  expect((await search('lumo lamp glows', { dropWordsBelow: 1, filter: odd })).total).toBe(1);
  expect((await search('lumo lamp glows', { dropWordsBelow: 1, postFilter: odd })).total).toBe(0);
});
