import { expect, test } from 'vitest';
import { returnedFields } from '../../../src/search/read-hits.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const fields = {
  Content: 'Text',
  Category: ['A', 'B'],
  Url: 'https://example.com/',
  Id: 'wrong',
  _type: 'wrong',
  Note: [],
};
const page = storedDocument({ rid: 1, fields });

function namesOf(document: typeof page, named: readonly string[]): readonly string[] {
  return returnedFields(document, named).map(({ name }) => name);
}

test('without names every stored field and the five that are always there', () => {
  expect(returnedFields(page, [])).toEqual([
    { name: 'Id', values: ['doc-1'] },
    { name: 'Title', values: [] },
    { name: 'Url', values: ['https://example.com/'] },
    { name: 'Description', values: [] },
    { name: '_type', values: ['PageContent'] },
    { name: 'Content', values: ['Text'] },
    { name: 'Category', values: ['A', 'B'] },
  ]);
});

test('with names those that the document has, and Id and Url', () => {
  expect(namesOf(page, ['Category', 'Title', 'Nope', 'category'])).toEqual(['Id', 'Url', 'Category']);
  expect(namesOf(storedDocument({ rid: 1 }), ['_type'])).toEqual(['Id', 'Url', '_type']);
});

test('files carry copies of title and content', () => {
  const file = storedDocument({ rid: 2, kind: 'FileContent', fields: { Title: 'T', Content: 'C' } });

  expect(returnedFields(file, [])).toEqual(
    expect.arrayContaining([
      { name: 'fc_Title', values: ['T'] },
      { name: 'fc_Content', values: ['C'] },
    ]),
  );
  expect(namesOf(file, ['fc_Title'])).toEqual(['Id', 'Url', 'fc_Title']);
  expect(namesOf(page, ['fc_Title'])).toEqual(['Id', 'Url']);
});
