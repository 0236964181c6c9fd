import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.2. What people paste: options of commands, statements, code.
const PAGES = {
  hooks: 'Use the option --skip-hooks to build without hooks.',
  verbose: 'The command lumo build --verbose NAME prints each step, lumo build -q none.',
  install: 'Run dpkg -i lumo.deb, or apt-get --no-install-recommends install lumo.',
  define: 'Compile with cc -DLUMO_READY=1 main.c to have it ready.',
  select: 'SELECT * FROM boats WHERE name IS NOT NULL lists the boats that have a name.',
  count: 'The function sum(*) adds what count(*) would count, in one table.',
  empty: 'IS NOT EMPTY is true when a list holds something, NOT EMPTY in short.',
  corvid: 'A corvid sits on the roof of the old warehouse and looks at the water.',
  lantern: 'The lantern burns.',
  once: 'The boats lie at the quay behind the old tunnel, and boats again.',
};
/** Pages that speak of data and types, and the one that is called so. */
const NAMED = [
  { id: 'called', fields: { Language: 'en', Title: 'DataType — of the yard', Content: 'What a hull is made of.' } },
  ...Array.from({ length: 5 }, (_, i) => ({
    id: `speaks-${i}`,
    fields: { Language: 'en', Title: `Hulls ${i}`, Headings: ['Types of data'], Content: 'Each type has its data.' },
  })),
];
const FILLERS = Array.from({ length: 60 }, (_, i) => ({
  id: `filler-${i}`,
  fields: { Language: 'en', Title: `Notes ${i}`, Content: `Mended the tunnel of yard ${i}, and swept its floor.` },
}));

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const pages = Object.entries(PAGES).map(([id, Content]) => ({ id, fields: { Language: 'en', Content } }));
  const put = await product.put('/api/v4/3/index/17/documents?refresh=wait', [...pages, ...NAMED, ...FILLERS]);
  expect(put.status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

async function search(query: string) {
  const { status, body } = await product.post('/api/v4/3/6/search', { query, operator: 'OR' }, SITE_KEY);
  expect(status).toBe(200);
  const hits: readonly { readonly Id: string }[] = body.TypedDocuments;
  return { first: hits[0]?.Id, total: body.TotalDocument as number, ids: hits.map(({ Id }) => Id) };
}

test.each([
  ['--skip-hooks', 'hooks'],
  ['lumo build --verbose', 'verbose'],
  ['lumo build -q', 'verbose'],
  ['dpkg -i', 'install'],
  ['apt-get --no-install-recommends install', 'install'],
  ['-DLUMO_READY=1', 'define'],
  ['cc -DLUMO_READY=1', 'define'],
  ['SELECT * FROM boats', 'select'],
  ['boats WHERE name IS NOT NULL', 'select'],
  ['sum(*)', 'count'],
  ['count(*)', 'count'],
  ['NOT EMPTY', 'empty'],
  ['IS NOT EMPTY', 'empty'],
])('%s finds %s first, and hardly anything else', async (query, id) => {
  const { first, total } = await search(query);

  expect(first).toBe(id);
  expect(total).toBeLessThan(6);
});

test.each([['data type'], ['DataType'], ['data_type'], ['DATA-TYPE']])(
  '%s is the name of a page, which is first',
  async (query) => {
    expect((await search(query)).first).toBe('called');
  },
);

test.each([
  ['boats -null', ['once']],
  ['boats NOT null', ['once']],
  ['boats !null', ['once']],
  ['boats -"IS NOT NULL"', ['once']],
  ['tunnel -notes -quay', []],
])('%s excludes', async (query, ids) => {
  expect((await search(query)).ids).toEqual(ids);
});

test('only what is excluded: words that are searched', async () => {
  expect((await search('-quay')).ids).toEqual(['once']);
  expect((await search('-quay -dpkg')).ids.toSorted()).toEqual(['install', 'once']);
});

test('a word that is typed again weighs again', async () => {
  expect((await search('corvid lantern')).ids).toEqual(['lantern', 'corvid']);
  expect((await search('corvid corvid lantern')).ids).toEqual(['corvid', 'lantern']);
  expect((await search('corvid lantern corvid -quay')).ids).toEqual(['corvid', 'lantern']);
  expect((await search('corvid lantern corvid lantern')).ids).toEqual(['lantern', 'corvid']);
});
