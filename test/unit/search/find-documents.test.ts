import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../src/core/document.ts';
import { findDocuments } from '../../../src/search/read-hits.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from '../../helpers/no-tools.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const page = (rid: number, id: string, url: string, crawlerId = 17): StoredDocument => ({
  ...storedDocument({ rid, id, fields: { Title: 'T', Url: url, Content: 'Text.' } }),
  crawlerId,
});
const ROWS = [
  page(1, 'https://a.test/', 'https://a.test/'),
  page(2, 'item-2', 'https://b.test/'),
  page(3, 'https://b.test/', 'https://c.test/'),
  page(4, 'item-2', 'https://d.test/', 18),
];

async function find(names: readonly string[], gone: readonly number[] = []) {
  await using index = createInMemoryIndex();
  const writer = index.writer(6);
  writer.apply(ROWS);
  await writer.refresh();
  const readDocuments = async (_engineId: number, rids: readonly number[]) =>
    rids.map((rid) => ROWS.find((row) => row.rid === rid && !gone.includes(rid)));
  const signal = AbortSignal.timeout(5_000);
  const found = await findDocuments(
    { searchIndex: index, readDocuments, tools: NO_TOOLS.tools },
    { engine: { id: 6, customerId: 3 }, names, signal },
  );
  return found.map(({ name, document }) => [name, document.rid]);
}

test.each<[string, readonly string[], readonly (readonly [string, number])[]]>([
  [
    'ids, in their order',
    ['item-2', 'https://a.test/'],
    [
      ['item-2', 2],
      ['https://a.test/', 1],
    ],
  ],
  ['an address', ['https://d.test/'], [['https://d.test/', 4]]],
  ['an id before an address', ['https://b.test/'], [['https://b.test/', 3]]],
  ['two names of one document once', ['https://c.test/', 'https://b.test/'], [['https://c.test/', 3]]],
  ['what is unknown not at all', ['nothing', 'item-2', 'item-2', ''], [['item-2', 2]]],
])('documents are found by %s', async (_what, names, found) => {
  expect(await find(names)).toEqual(found);
});

test('a row that has just gone is not found', async () => {
  expect(await find(['https://a.test/'], [1])).toEqual([]);
});
