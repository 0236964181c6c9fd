import { describe, expect, test } from 'vitest';
import { countOf, otherValues, readEventValues } from '../../../src/tracking/search-events.ts';

describe('the value of a member', () => {
  test.each([
    ['solar', 'solar'],
    [' solar ', ' solar '],
    [12, '12'],
    [1.5, '1.5'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    [['a', 1, true], 'a,1,true'],
    [['a', null, ['b']], 'a,,b'],
    [{ a: [1] }, '{"a":[1]}'],
    ['Null', 'Null'],
  ])('%j is stored as %j', (sent, stored) => {
    expect(readEventValues({ sw: sent }).get('sw')).toBe(stored);
  });

  test.each([[''], ['null'], ['undefined'], [null], [undefined], [[]]])('%j is absent', (sent) => {
    expect(readEventValues({ sw: sent }).has('sw')).toBe(false);
  });
});

test('known names are found in any case, the later of two spellings wins', () => {
  const values = readEventValues({ SW: 'first', Sw: 'second', RefUrl: '/' });

  expect([...values]).toEqual([
    ['sw', 'second'],
    ['refurl', '/'],
  ]);
});

test('unknown names are kept as sent, also those of every object', () => {
  const values = readEventValues(JSON.parse('{"qid":"q","MyName":"1","__proto__":"2","constructor":"3"}'));

  const rest = otherValues(values, ['qid']);

  expect(Object.entries(rest)).toEqual([
    ['MyName', '1'],
    ['__proto__', '2'],
    ['constructor', '3'],
  ]);
});

test.each([
  ['0', 0],
  ['12', 12],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['many', undefined],
  ['9999999999999999', undefined],
  [undefined, undefined],
])('the text %j counts as %j', (text, count) => {
  expect(countOf(text)).toBe(count);
});
