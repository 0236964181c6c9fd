import { expect, test } from 'vitest';
import { definitionOf, namesOf } from '../../../src/search-index/document-names.ts';
import { NAME_PREFIX, nameTerm } from '../../../src/text/term-keys.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const names = (document: Parameters<typeof storedDocument>[0]) =>
  namesOf(storedDocument(document)).map(({ term, textClass }) => `${textClass} ${term.slice(NAME_PREFIX.length)}`);

test.each([
  ['data type', 'DataType'],
  ['lumo_open', 'lumo open'],
  ['Übergröße', 'ubergrosse'],
  ['LUMO-READY()', 'lumoready'],
  ['ＡＢ１２', 'ab12'],
])('%s and %s are one name', (one, other) => {
  expect(nameTerm(one)).toBe(nameTerm(other));
});

test.each([[''], ['¶ ()'], ['x'.repeat(65)], ['x '.repeat(1_000)]])('%s is no name', (text) => {
  expect(nameTerm(text)).toBeUndefined();
});

test.each([
  ['23.6. Tablespaces', ['a 236tablespaces', 'a tablespaces']],
  ['Contact | Town of Lyngby', ['a contacttownoflyngby', 'a contact']],
  ['Contact', ['a contact']],
])('the title %s has the names %s', (Title, expected) => {
  expect(names({ rid: 1, fields: { Title } })).toEqual(expected);
});

test('a text of links counts by the pages that have it, up to three times', () => {
  const linkTexts = [1, 2, 7, 8, 1_000].map((pages) => ({ text: `open${pages}(path)`, pages }));

  expect(names({ rid: 1, linkTexts })).toEqual([
    'b open1',
    ...['b open2', 'b open2', 'b open7', 'b open7'],
    ...['b open8', 'b open8', 'b open8', 'b open1000', 'b open1000', 'b open1000'],
  ]);
});

test('definitions are known by their last parts too, and by what they show', () => {
  const definitions = [
    { anchor: 'lumo.Yard.moor', text: 'moor(boat, rope=None)' },
    { anchor: 'Lumo::Yard::size', text: '' },
    { anchor: 'GUC-WORK', text: 'work_mem (integer)' },
    { anchor: 'open(java.lang.String,int)', text: '' },
  ];
  const structure = { version: 1, sections: [], surroundings: '', definitions } as const;

  expect(names({ rid: 1, structure })).toEqual([
    ...['b lumoyardmoor', 'b yardmoor', 'b moor', 'b lumoyardsize', 'b yardsize', 'b size', 'b gucwork', 'b workmem'],
    'b open',
  ]);
});

test('a page with a whole name is called so, and what it defines by both', () => {
  const definitions = [
    { anchor: '', text: 'lumo.yard.Boat' },
    { anchor: 'moor(int)', text: '' },
    { anchor: '', text: '--verbose' },
  ];
  const structure = { version: 1, sections: [], surroundings: '', definitions } as const;

  const found = names({ rid: 1, structure });

  expect(found.filter((name) => name.startsWith('a '))).toEqual(['a lumoyardboat', 'a yardboat', 'a boat']);
  expect(found).toEqual(expect.arrayContaining(['b lumoyardboatmoor', 'b boatmoor', 'b moor', 'b verbose']));
});

test('a place of a page with a whole name is found by what belongs together', () => {
  const moor = { anchor: 'moor(int)', text: '' };
  const structure = {
    version: 1,
    sections: [],
    surroundings: '',
    definitions: [{ anchor: '', text: 'lumo.Boat' }, moor],
  } as const;
  const document = storedDocument({ rid: 1, structure });

  for (const name of ['moor', 'Boat.moor', 'lumo.Boat#moor()']) {
    expect(definitionOf(document, [nameTerm(name.replace('()', '')) ?? '']), name).toEqual(moor);
  }
  expect(definitionOf(document, [nameTerm('lumo.Boat') ?? ''])).toBeUndefined();
});

test('of several names the likeliest that is defined has the place, and the fullest of one', () => {
  const [queue, filter, turn] = ['Queue.filter', 'filter', 'turn'].map((anchor) => ({ anchor, text: '' }));
  const definitions = [turn, queue, filter].filter((definition) => definition !== undefined);
  const document = storedDocument({ rid: 1, structure: { version: 1, sections: [], surroundings: '', definitions } });
  const place = (...texts: readonly string[]) =>
    definitionOf(
      document,
      texts.map((text) => nameTerm(text) ?? ''),
    );

  expect(place('unheard', 'filter', 'turn')).toEqual(filter);
  expect(place('Queue.filter', 'filter')).toEqual(queue);
  expect(place('turn', 'filter')).toEqual(turn);
  expect(place('unheard')).toBeUndefined();
});

test('a page of endless definitions has a bounded number of names', () => {
  const definitions = Array.from({ length: 10_000 }, (_, i) => ({ anchor: `a.b${i}`, text: '' }));
  const structure = { version: 1, sections: [], surroundings: '', definitions } as const;

  expect(names({ rid: 1, structure })).toHaveLength(2_000);
});
