import { expect, test } from 'vitest';
import { pageTexts } from '../../../scripts/evaluate/page-texts.ts';
import { storedDocuments } from '../../../scripts/evaluate/relevance/corpus.ts';

function textsOf(fields: Readonly<Record<string, readonly string[]>>) {
  return storedDocuments([{ id: 'boats', language: 'en', fields }]).map(pageTexts);
}

test('other engines are given the title, all headings, and the description before the text', () => {
  const fields = {
    Title: ['Boats'],
    Headings: ['Sails', 'Oars'],
    Content: ['How to row.'],
    Description: ['On boats.'],
  };
  expect(textsOf({ ...fields, Url: ['https://site.example/boats'] })).toEqual([
    { id: 'boats', title: 'Boats', headings: 'Sails\nOars', content: 'On boats.\nHow to row.' },
  ]);
});

test('fields that a page has not are empty', () => {
  expect(textsOf({ Content: ['Rowing'] })).toEqual([{ id: 'boats', title: '', headings: '', content: 'Rowing' }]);
});

test('texts of links that lead to a page are not among them', () => {
  const rows = storedDocuments([{ id: 'boats', language: 'en', fields: { Title: ['Boats'] } }]);
  const linked = rows.map((row) => ({ ...row, linkTexts: [{ text: 'rowing', pages: 3 }] }));
  expect(linked.map(pageTexts)).toEqual([{ id: 'boats', title: 'Boats', headings: '', content: '' }]);
});
