import { expect, test } from 'vitest';
import { definedTerm } from '../../../src/text/definitions.ts';

test.each([
  ['en', 'A depot is a place where parcels wait.', 'A depot'],
  ['en', 'The depot (north), is a place where parcels wait.', 'The depot'],
  ['de', 'Das Depot ist ein Ort für Pakete.', 'Das Depot'],
  ['bg', 'Депото представлява място за пратки.', 'Депото'],
  ['ja', '倉庫とは荷物を置く場所です。', '倉庫'],
])('in %s, “%s” says what “%s” is', (language, sentence, term) => {
  expect(definedTerm(sentence, language)).toBe(term);
});

test.each([
  ['en', 'These depots are places where parcels wait.'],
  ['en', 'What to do when a depot is closed.'],
  ['en', 'A depot is opened at seven.'],
  ['de', 'Wenn das Depot ist wie immer.'],
  ['bg', 'Елате утре.'],
  ['xx', 'A depot is a place where parcels wait.'],
])('in %s, “%s” says of nothing what it is', (language, sentence) => {
  expect(definedTerm(sentence, language)).toBeUndefined();
});
