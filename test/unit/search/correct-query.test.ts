import { describe, expect, test } from 'vitest';
import { correctQuery } from '../../../src/search/query/correct-query.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

// Contract: 2.9.
const TEXTS = [
  'Solar panels and a solar park',
  'Solar park for wind',
  'Polar bears',
  'Sunlight and moonlight',
  'The inverter AB12 of the heat pump',
  'Wireless power',
  'Grüne Wärme',
];
const FIELDS = [{ name: 'Title', type: 'text', documents: TEXTS.length }] as const;
const GROUP = { id: 1, customerId: 3, language: 'en', words: ['electrcity', 'power'] };

async function corrected(
  text: string,
  operator: 'AND' | 'OR' = 'OR',
  texts = TEXTS,
  language = 'en',
): Promise<string | undefined> {
  await using index = createInMemoryIndex();
  const writer = index.writer(6);
  writer.apply(texts.map((Content, i) => storedDocument({ rid: i + 1, language, fields: { Title: 'x', Content } })));
  await writer.refresh();
  const synonyms = compileSynonyms([GROUP], ['en']);
  const read = (query: string, between: 'AND' | 'OR') =>
    readQuery(query, { operator: between, language: 'en', fields: FIELDS, synonyms });
  const query = read(text, operator);
  return (await correctQuery({ searchIndex: index }, { engineId: 6, query, read, operator, signal: never() }))?.text;
}

describe('absent words give way to near ones', () => {
  test.each([
    ['invertr', 'inverter'],
    ['INVERTR', 'INVERTER'],
    ['Invertr', 'Inverter'],
    ['  invertr ', '  inverter '],
    ['solr parkk', 'solar park'],
    ['sloar', 'solar'],
    ['grüme', 'grüne'],
    ['grume', 'grüne'],
    ['invertr -bears', 'inverter -bears'],
    ['(invertr) xyzzyqqq', '(inverter) xyzzyqqq'],
    ['+invertr', '+inverter'],
    ['how to do invertr', 'how to do inverter'],
  ])('%s is %s', async (text, expected) => {
    expect(await corrected(text)).toBe(expected);
  });

  test('a word that documents have with other accents is the one that was meant', async () => {
    const texts = ['Kütüphane her gün', 'Kutuphana', 'Kutuphana', 'Kutuphana'];

    expect(await corrected('kutuphane', 'OR', texts, 'tr')).toBe('kütüphane');
    expect(await corrected('KUTUPHANE', 'AND', texts, 'tr')).toBe('KÜTÜPHANE');
  });

  test('what would be stop words only is no correction', async () => {
    const texts = ['Open for all', 'Made for two', 'Good for a floor', 'Which floor'];

    expect(await corrected('foor', 'OR', texts)).toBe('floor');
    expect(await corrected('foor', 'OR', texts.slice(0, 2))).toBeUndefined();
    expect(await corrected('wich flor', 'OR', texts)).toBe('which floor');
  });

  test('the candidate that stands with the other words wins, not the most frequent one', async () => {
    expect(await corrected('solr bears', 'AND', [...TEXTS, 'molar bears', 'solar', 'solar'])).toBeUndefined();
    expect(await corrected('polr bears', 'AND', [...TEXTS, 'polar', 'poler', 'poler', 'poler'])).toBe('polar bears');
  });
});

describe('a word within one edit', () => {
  const repeated = (times: number, text: string) => Array.from({ length: times }, () => text);
  const rotations = [...repeated(60, 'The rotation of Add-ons'), ...repeated(6, 'All rotations')];

  test('goes before two words, one of which no document has but as a stem', async () => {
    expect(await corrected('rotatons', 'OR', rotations)).toBe('rotations');
    expect(await corrected('rotatons', 'AND', rotations)).toBe('rotations');
    expect(await corrected('rotatons', 'OR', rotations.slice(0, 60))).toBe('rotation');
  });

  test('goes before two written words when five documents have it', async () => {
    const apart = repeated(20, 'Is there form enough');

    expect(await corrected('thereform', 'OR', [...apart, ...repeated(5, 'therefore')])).toBe('therefore');
    expect(await corrected('thereform', 'OR', [...apart, 'therefore'])).toBe('there form');
    expect(await corrected('thereform', 'OR', [...repeated(20, 'The form is there'), 'therefore'])).toBe('therefore');
    expect(await corrected('thereform', 'OR', repeated(20, 'The form is there'))).toBe('there form');
  });

  test('is the most frequent one, and goes before words two edits away', async () => {
    const texts = [...repeated(3, 'harbour'), ...repeated(9, 'harbours'), ...repeated(40, 'arbours')];

    expect(await corrected('hharbour', 'OR', texts)).toBe('harbour');
    expect(await corrected('haarbours', 'OR', texts)).toBe('harbours');
    expect(await corrected('harboxr', 'OR', [...texts, 'harboor'])).toBe('harbour');
  });
});

describe('blanks too many or too few', () => {
  test.each([
    ['solarpanels', 'solar panels'],
    ['sun light', 'sunlight'],
    ['sun light -bears', 'sunlight -bears'],
    ['solarpanels solr', 'solar panels solar'],
  ])('%s is %s', async (text, expected) => {
    expect(await corrected(text)).toBe(expected);
  });
});

test('a compound that no document has is its parts, in any form', async () => {
  const texts = ['En forening kan få et tilskud', 'Tilskud til foreningen'];

  expect(await corrected('foreningstilskud', 'OR', texts, 'da')).toBe('forenings tilskud');
});

describe('never touched', () => {
  test.each([
    ['"invertr"'],
    ['Title:invertr'],
    ['invertr*'],
    ['inv?rtr'],
    ['ab13'],
    ['solar -invertr'],
    ['sol'],
    ['xyzzyqqq'],
    ['electrcity'],
    ['\\invertr'],
    ['invertr solr prk bers'],
  ])('%s', async (text) => {
    expect(await corrected(text)).toBeUndefined();
  });

  test('words that documents have, although no document has all of them', async () => {
    expect(await corrected('polar inverter', 'AND')).toBeUndefined();
    expect(await corrected('polr inverter', 'AND')).toBeUndefined();
  });
});
