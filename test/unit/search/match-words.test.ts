import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MatchNode } from '../../../src/search-index/query-plan.ts';
import { matchOfText } from '../../helpers/match-of-text.ts';
import { printMatch as print } from '../../helpers/print-match.ts';

const fields = ['Title', 'Url', 'Content', 'twin', 'TWIN'].map(
  (name) => ({ name, type: 'text', documents: 1 }) as const,
);

function matchOf(text: string, operator: 'AND' | 'OR'): MatchNode {
  return matchOfText(text, { operator, language: 'en', fields });
}

describe('words under OR', () => {
  test.each([
    ['solar', 'solar'],
    ['Solar Panels', 'or(solar panels)'],
    ['the solar of', 'or(~the solar ~of)'],
    ['the', '~the'],
    ['wi-fi', 'or(wifi "wi fi")'],
    ['solar-panel', 'or(solar panel)'],
    ['c++', 'c++'],
    ['a AND b', 'and(~a b)'],
    ['x && y z', 'or(and(x y) z)'],
    ['x y AND z', 'or(x and(y z))'],
    ['x OR y || z', 'or(x y z)'],
    ['x -yy', 'and(x not(yy))'],
    ['-yy x', 'and(x not(yy))'],
    ['x NOT y', 'and(x not(y))'],
    ['x !y z', 'and(or(x z) not(y))'],
    ['+x y z', 'some(x | y z)'],
    ['+x +y', 'and(x y)'],
    ['+the x', 'some(the | x)'],
    ['+x y AND z', 'some(x | and(y z))'],
    ['(x y) AND z', 'and(or(x y) z)'],
    ['(x AND (y OR z)) w', 'or(and(x or(y z)) w)'],
    ['x - y', 'or(x y)'],
    ['"solar panels"', '"solar panels"'],
    ['"Solar"', 'solar'],
    ['"the wi-fi"~3 x', 'or("the wi fi"~3 x)'],
    ['title:solar', 'Title:solar'],
    ['Title:(solar wind)', 'or(Title:solar Title:wind)'],
    ['Title:"solar wind"', 'Title:"solar wind"'],
    ['url:example.com', 'or(Url:example Url:com)'],
    ['-Url:example x', 'and(x not(Url:example))'],
    ['Title:the', 'Title:the'],
    ['solar* wi?d inv~1 power^2', 'or(solar* wi?d inv~1 power^2)'],
    ['("x y")^3 z', 'or("x y"^3 z)'],
    ['\\-xx "a\\"b"', 'or(xx "a b")'],
    ['???', 'none'],
    ['x AND ???', 'x'],
  ])('%s', (text, expected) => {
    expect(print(matchOf(text, 'OR'))).toBe(expected);
  });
});

test('stop words are those of the language that most words fit', () => {
  expect(print(matchOf('was ist eine solaranlage', 'OR'))).toBe('or(~was ~ist ~eine solaranlage)');
  expect(print(matchOf('die hard', 'OR'))).toBe('or(die hard)');
});

describe('what looks like an operator and is text', () => {
  test.each([
    ['--skip-hooks', 'or(skip hooks)'],
    ['lumo build --verbose', 'or(lumo build verbose)'],
    ['dpkg -i', 'or(dpkg ~i)'],
    ['make -j8', 'and(make not(j8))'],
    ['cc -DNAME=one', 'or(cc or(dname ~one))'],
    ['rm -電', 'or(rm 電)'],
    ['a - b', 'or(~a b)'],
    ['x --"solar wind"', 'or(x "solar wind")'],
    ['-xx', 'xx'],
    ['-xx -yy', 'or(xx yy)'],
    ['!xx OR -yy', 'or(xx yy)'],
    ['-xx the', 'or(xx ~the)'],
    ['NOT EMPTY', 'or(~not empty)'],
    ['NOT solar wind', 'or(~not solar wind)'],
    ['IS NOT NULL', 'or(~is ~not null)'],
    ['boats x IS NOT NULL', 'or(boats x ~is ~not null)'],
    ['boats NOT IN', 'or(boats ~not ~in)'],
    ['boats AND NOT red', 'and(boats not(red))'],
    ['(boats) NOT red', 'and(boats not(red))'],
    ['"the" NOT red', 'and(the not(red))'],
    ['SELECT * FROM boats', 'or(select ~from boats)'],
    ['count(*)', 'count'],
    ['count(*) boats -red', 'and(or(count boats) not(red))'],
    ['x +* -(*) z', 'or(x z)'],
    ['x *^2 y^3', 'or(x y^3)'],
    ['* -the', '~the'],
    ['* *', 'none'],
    ['Title:* x', 'or({Title exists} x)'],
  ])('%s', (text, expected) => {
    expect(print(matchOf(text, 'OR'))).toBe(expected);
  });

  test.each([
    ['solar', '-wind', 'and(solar not(wind))'],
    ['"solar"', '-wind', 'and(solar not(wind))'],
    ['sol*', '-wind', 'and(sol* not(wind))'],
    ['Title:the', '-wind', 'and(Title:the not(wind))'],
    ['sun~1', '-wind', 'and(sun~1 not(wind))'],
  ])('%s selects, so that %s excludes', (selecting, excluding, expected) => {
    expect(print(matchOf(`${selecting} ${excluding}`, 'OR'))).toBe(expected);
  });
});

describe('a word weighs as often as it is written, saturated', () => {
  test.each([
    ['solar solar', 1.89],
    ['solar SOLAR solar', 2.68],
    [Array.from({ length: 20 }, () => 'solar').join(' '), 9.44],
    ['solar solar -wind', 1.89],
    ['solar^2 solar', 2.91],
  ])('%s', (text, weight) => {
    const [, boost] = /solar\^([0-9.]+)/.exec(print(matchOf(text, 'OR'))) ?? [];
    expect(Number(boost)).toBeCloseTo(weight, 2);
  });

  test.each([
    ['wi-fi wi-fi', 'or(wifi^2 "wi fi"^2)'],
    ['"solar wind" x "solar wind"', 'or("solar wind"^2 x)'],
    ['(x y) (x y)', 'or(x^2 y^2)'],
    ['-xx -xx y', 'and(y not(xx^2))'],
  ])('%s', (text, expected) => {
    expect(print(matchOf(text, 'OR')).replace(/\^1\.8\d+/g, '^2')).toBe(expected);
  });
});

describe('words under AND', () => {
  test.each([
    ['solar panels', 'and(solar panels)'],
    ['x OR y', 'or(x y)'],
    ['x y OR z', 'or(and(x y) z)'],
    ['x -yy', 'and(x not(yy))'],
    ['x OR -yy', 'and(x not(yy))'],
    ['+x y', 'some(x | y)'],
    ['solar-panel', 'and(solar panel)'],
    ['(x OR y) z', 'and(or(x y) z)'],
    ['the solar', 'and(~the solar)'],
  ])('%s', (text, expected) => {
    expect(print(matchOf(text, 'AND'))).toBe(expected);
  });
});

describe('a syntax error makes the whole text plain words', () => {
  test.each([
    ['title:"solar" AND (((', 'or(title solar)'],
    ['"solar park', 'or(solar park)'],
    ['(solar park', 'or(solar park)'],
    ['solar) park', 'or(solar park)'],
    ['solar AND', 'solar'],
    ['AND solar', 'solar'],
    ['solar AND OR park', 'or(solar park)'],
    ['NOT', '~not'],
    ['OR', '~or'],
    ['()', 'none'],
    ['nope:solar -park', 'or(nope solar park)'],
    ['twiN:solar', 'or(twin solar)'],
    ['Title:Url:x', 'or(title url x)'],
    ['https://example.com', 'or(https example com)'],
    ['Price:[1 TO 2]', 'or(price 1 ~to 2)'],
    ['{x', 'x'],
    ['c++ (intro', 'or(c++ intro)'],
    [`${'('.repeat(17)}x${')'.repeat(17)}`, 'x'],
    [`${'('.repeat(16)}x${')'.repeat(16)}`, 'x'],
  ])('%s', (text, expected) => {
    expect(print(matchOf(text, 'OR'))).toBe(expected);
  });

  test('over 64 clauses', () => {
    const words = Array.from({ length: 70 }, (_, i) => `w${i}`);
    const match = matchOf(`${words.join(' ')} -xx`, 'OR');

    expect(print(match)).toBe(`or(${words.slice(0, 64).join(' ')})`);
  });
});

test('no text makes the parser fail or nest deeply', () => {
  const pieces = fc.constantFrom(
    'x',
    'solar',
    ' ',
    ' ',
    '"',
    '(',
    ')',
    '-',
    '+',
    '!',
    'AND',
    'OR',
    'NOT',
    '&&',
    '||',
    ':',
    'Title:',
    '~2',
    '^2',
    '*',
    '?',
    '\\',
    '[',
    ']',
    '{',
    'TO',
    '手机',
    '\ud800',
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );
  const depth = (node: MatchNode): number => {
    if (node.kind === 'some') return 1 + Math.max(...[...node.must, ...node.should].map(depth));
    return 'of' in node ? 1 + Math.max(0, ...node.of.map(depth)) : 1;
  };
  fc.assert(
    fc.property(text, fc.constantFrom('AND' as const, 'OR' as const), (query, operator) => {
      expect(depth(matchOf(query, operator))).toBeLessThan(100);
    }),
    { numRuns: 5_000 },
  );
});
