import { describe, expect, test } from 'vitest';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { printMatch } from '../../helpers/print-match.ts';

// Contract: 2.9, 10.3.
const GROUPS = [
  ['en', 'power', 'electricity'],
  ['en', 'heat pump', 'heater', 'air source unit'],
  ['en', 'pump', 'compressor'],
  ['en', 'point of sale', 'till'],
  ['en', 'IT', 'computing'],
  ['EN', 'wi-fi', 'wireless'],
  ['en', '???', 'blank'],
  ['da', 'bil', 'vogn'],
].map(([language = '', ...words], id) => ({ id, customerId: 3, language, words }));

const fields = [{ name: 'Title', type: 'text', documents: 1 }] as const;

function read(text: string, operator: 'AND' | 'OR' = 'OR', languages = ['en']) {
  const synonyms = compileSynonyms(GROUPS, languages);
  const { match, expansions } = readQuery(text, { operator, language: 'en', fields, synonyms });
  return [printMatch(match), expansions.map((expansion) => expansion.text)] as const;
}

describe('one word takes alternatives, in both directions', () => {
  test.each([
    ['electricity', 'electricity<power*0.8>', ['power']],
    ['Power', 'power<electricity*0.8>', ['electricity']],
    ['powers', 'powers<electricity*0.8>', ['electricity']],
    ['heater', 'heater<heat_pump*0.8 air_source_unit*0.8>', ['heat pump', 'air source unit']],
    ['wifi', 'wifi<wireless*0.8>', ['wireless']],
    ['wireless', 'wireless<wifi*0.8>', ['wi-fi']],
    ['wi-fi', 'or(wifi<wireless*0.8> "wi fi")', ['wireless']],
    ['+power solar', 'some(power<electricity*0.8> | solar)', ['electricity']],
    ['power^3', 'power^3<electricity*0.8>', ['electricity']],
    ['power AND till', 'and(power<electricity*0.8> till<point_of_sale*0.8>)', ['electricity', 'point of sale']],
    ['blank', 'blank', []],
  ])('%s', (text, match, expansions) => {
    expect(read(text)).toEqual([match, expansions]);
  });
});

describe('words side by side are looked up together, longest first', () => {
  test.each([
    ['cheap heat pumps', 'and(cheap or(and(heat pumps) heater^0.8 "air source unit"^0.8))'],
    ['heat and pump', 'and(heat ~and pump<compressor*0.8>)'],
    ['point of sale', 'or(and(point ~of sale) till^0.8)'],
    ['(heat pump)^2 x', 'and(or(and(heat^2 pump^2) heater^1.6 "air source unit"^1.6) x)'],
  ])('under AND: %s', (text, match) => {
    expect(read(text, 'AND')[0]).toBe(match);
  });

  test.each([
    ['cheap heat pumps', 'or(cheap heat pumps heater^0.8 "air source unit"^0.8)'],
    ['heat pump power', 'or(heat pump heater^0.8 "air source unit"^0.8 power<electricity*0.8>)'],
    ['the pump', 'or(~the pump<compressor*0.8>)'],
    ['heat -pump', 'and(heat not(pump))'],
    ['heat "x" pump', 'or(heat x pump<compressor*0.8>)'],
  ])('under OR: %s', (text, match) => {
    expect(read(text)[0]).toBe(match);
  });
});

test.each([['"power"'], ['"heat pump"'], ['Title:power'], ['wind -power'], ['power*'], ['power~1']])(
  '%s is left as it is',
  (text) => {
    expect(read(text)[1]).toEqual([]);
  },
);

test('a stop word among content brings no alternatives', () => {
  expect(read('it support')[1]).toEqual([]);
  expect(read('it')).toEqual(['~it<computing*0.8>', ['computing']]);
});

test('groups count in the languages of the documents only', () => {
  expect(read('bil')[0]).toBe('bil');
  expect(read('bil power', 'OR', ['da', 'en'])[0]).toBe('or(bil<vogn*0.8> power<electricity*0.8>)');
});

test('an expansion is named once', () => {
  expect(read('power solar powers')[1]).toEqual(['electricity']);
});

test('a word has at most 32 alternatives', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`);
  const synonyms = compileSynonyms([{ language: 'en', words }], ['en']);

  const { expansions } = readQuery('word0', { operator: 'OR', language: 'en', fields: [], synonyms });

  expect(expansions).toHaveLength(32);
});

test('a group of many entries costs no more than its entries', () => {
  // The pairs of these entries would not fit into the memory of a process.
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}`);
  const table = compileSynonyms([{ language: 'en', words }], ['en']);

  const others = table.findAt(['w0'], 0)?.others.map(({ text }) => text);

  expect(others).toEqual(words.slice(1, 33));
});
