import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery, type QueryNode } from '../../../src/search/query/parse-query.ts';
import { rangeFilter } from '../../../src/search/query/read-query.ts';
import { matchOfText } from '../../helpers/match-of-text.ts';
import { printMatch } from '../../helpers/print-match.ts';
import { printQuery } from '../../helpers/print-query.ts';

// Contract: 2.2.
const TYPES = { Title: 'text', Content: 'text', Price: 'number', Day: 'date', Place: 'geo' } as const;
const fields = Object.entries(TYPES).map(([name, type]) => ({ name, type, documents: 1 }));

function match(text: string, operator: 'AND' | 'OR' = 'OR'): string {
  return printMatch(matchOfText(text, { operator, language: 'en', fields }));
}

describe('patterns stand for surface forms', () => {
  test.each([
    ['solar*', 'solar*'],
    ['wo?d', 'wo?d'],
    ['*word', '*word'],
    ['?ord', '?ord'],
    ['s*r*', 's*r*'],
    ['Sol\u00c4r*', 'solar*'],
    ['ＳＯ*', 'so*'],
    ['**xy**', '*xy*'],
    ['Title:so*', 'Title:so*'],
    ['Title:(so* wind)', 'or(Title:so* Title:wind)'],
    ['wi-f*', 'and(wi f*)'],
    ['so*~1', 'so*'],
    ['sol\\*', 'sol'],
    ['a\\*b*', 'and(a b*)'],
    ['-so* x', 'and(x not(so*))'],
    ['手*', '手*'],
    ['*', '*'],
    ['**', 'none'],
    ['*k*', 'k'],
    ['?k', 'k'],
    ['*ab', '*ab'],
    ['*電*', '*電*'],
    ['*é', '*e'],
    ['b*', 'b*'],
    ['-*', 'none'],
  ])('%s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });

  test.each([
    ['what is solar?', 'or(~what ~is solar)'],
    ['solar???', 'solar'],
    ['so?ar?', 'so?ar'],
    ['Title:solar?', 'Title:solar'],
  ])('a question mark at the end of a word is punctuation: %s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });
});

describe('fuzzy words', () => {
  test.each([
    ['word~', 'word~1'],
    ['inverter~', 'inverter~2'],
    ['word~0', 'word~0'],
    ['word~2', 'word~2'],
    ['W\u00d6rd~1', 'word~1'],
    ['Title:word~1', 'Title:word~1'],
    ['wi-fi~1', 'wifi~1'],
    ['word~3', 'or(word 3)'],
    ['~1', '1'],
    ['word\\~1', 'or(word 1)'],
  ])('%s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });
});

describe('ranges by the type of the field', () => {
  test.each([
    ['Price:[1 TO 20]', '{Price 1..20}'],
    ['price:[-1.5 TO *]', '{Price -1.5..Infinity}'],
    ['Price:[* TO 1e3]', '{Price -Infinity..1000}'],
    ['Price:{1 TO 2}', '{Price 1.0000000000000002..1.9999999999999998}'],
    ['Price:{0 TO 0}', '{Price 5e-324..-5e-324}'],
    ['Price:{-1 TO 3]', '{Price -0.9999999999999999..3}'],
    ['Price:["1" TO "2"]', '{Price 1..2}'],
    ['Price:[1 TO 2]^3', '{Price 1..2}^3'],
    ['Price:[ 1  TO  2 ] x', 'or({Price 1..2} x)'],
    ['-Price:[1 TO 2] x', 'and(x not({Price 1..2}))'],
    ['Day:[2026 TO 2026-02]', '{Day 2026-01-01T00:00:00.000Z..2026-02-28T23:59:59.999Z}'],
    ['Day:{2026-01-01 TO 2026-01-03}', '{Day 2026-01-02T00:00:00.000Z..2026-01-02T23:59:59.999Z}'],
    ['Day:["2026-01-01 10:00" TO *]', '{Day 2026-01-01T10:00:00.000Z..}'],
    ['Day:[2026-01-01T10:00:00Z TO *]', '{Day 2026-01-01T10:00:00.000Z..}'],
    ['Title:[a TO b}', '{Title gte a & Title lt b}'],
    ['Title:{"a b" TO *]', '{Title gt a b}'],
    ['Title:[* TO *]', '{Title exists}'],
    ['Place:*', '{Place exists}'],
  ])('%s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });

  test.each([
    ['Price:[a TO 2]', 'or(price ~a ~to 2)'],
    ['Day:[2026-02-30 TO *]', 'or(day or(20260230 "2026 02 30") ~to)'],
    ['Place:[1 TO 2]', 'or(place 1 ~to 2)'],
    ['[1 TO 2]', 'or(1 ~to 2)'],
    ['Price:[1 TO]', 'or(price 1 ~to)'],
    ['Price:[1 2]', 'or(price 1 2)'],
    ['Price:[1 TO 2', 'or(price 1 ~to 2)'],
    ['Nope:*', 'nope'],
  ])('%s is a syntax error', (text, expected) => {
    expect(match(text)).toBe(expected);
  });
});

describe('factors', () => {
  test.each([
    ['solar^2 wind', 'or(solar^2 wind)'],
    ['solar^0.5', 'solar^0.5'],
    ['"solar wind"~2^3', '"solar wind"~2^3'],
    ['(solar wind)^2 x', 'or(or(solar^2 wind^2) x)'],
    ['(solar^3 wind)^2', 'or(solar^6 wind^2)'],
    ['Title:solar^2', 'Title:solar^2'],
    ['Title:(solar)^2', 'Title:solar^2'],
    ['so*^2 word~1^3', 'or(so*^2 word~1^3)'],
    ['+solar^2 x', 'some(solar^2 | x)'],
    ['(((x^999999)^999999)^999999)', 'x^1000000'],
    ['((x^0.0001)^0.0001)', 'x^0.000001'],
    ['solar^', 'solar'],
    ['solar^x', 'or(solar x)'],
    ['solar\\^2', 'or(solar 2)'],
    ['solar ^2', 'or(solar 2)'],
    ['solar^0 -x', 'or(solar 0 x)'],
    ['solar^0.0', 'or(solar or(00 "0 0"))'],
  ])('%s', (text, expected) => {
    expect(match(text)).toBe(expected);
  });
});

describe('limits', () => {
  test('four patterns are one query, five are plain words', () => {
    const patterns = (count: number) => Array.from({ length: count }, (_, i) => `so${i}*`);

    expect(match(patterns(4).join(' '))).toBe(`or(${patterns(4).join(' ')})`);
    expect(match(patterns(5).join(' '))).toBe(`or(${patterns(5).join(' ').replaceAll('*', '')})`);
  });

  test('two patterns may begin with less than two letters', () => {
    expect(match('*ab z* kl*z')).toBe('or(*ab z* kl*z)');
    expect(match('*ab z* y*')).toBe('or(ab z y)');
  });
});

test('near words may stand for plain words of an OR that have no digit', () => {
  const fuzzy = (text: string, operator: 'AND' | 'OR' = 'OR') => {
    const found: string[] = [];
    JSON.stringify(matchOfText(text, { operator, language: 'en', fields }), (_, value) => {
      if (value?.fuzzy === 'when-absent') found.push(value.text);
      return value;
    });
    return found;
  };

  expect(fuzzy('solar park the ab12 "wind" so* inv~1 Title:x wi-fi (deep)')).toEqual(['solar', 'park', 'deep']);
  expect(fuzzy('+must wind -not')).toEqual(['wind']);
  expect(fuzzy('a1 AND wind park')).toEqual(['park']);
  expect(fuzzy('(x AND (y OR z)) w')).toEqual(['w']);
  expect(fuzzy('solar park', 'AND')).toEqual([]);
});

const parse = (text: string, operator: 'AND' | 'OR') =>
  parseQuery(text, {
    operator,
    resolveField: (name) => (name in TYPES ? name : undefined),
    rangeFilter: (field, range) => rangeFilter(field, range, TYPES[field as keyof typeof TYPES]),
    hasContent: (words) => words !== 'x',
  });

/** The tree without places in the text. */
function shape(node: QueryNode): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === 'start' || key === 'end' ? undefined : value)));
}

const PIECES = [
  ...['x', 'solar', 'Title:', 'Price:', 'Day:', '"a b"', '"', '(', ')', '-', '+', '!', 'AND', 'OR', 'NOT', '&&', '||'],
  ...['[1 TO 2]', '{* TO 2026}', '[', ']', '{', '}', 'TO', '*', '?', 's*', '*r', 'w?d', '~', '~1', '~2', '^2', '^0.5'],
  ...[' ', ' ', ' ', '\\', ':', 'wi-fi', '手机', '\ud800', '\t'],
];
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const operator = fc.constantFrom('AND' as const, 'OR' as const);

/** `GRAMMAR_RUNS=100000` is the thorough run. */
const RUNS = Number(process.env['GRAMMAR_RUNS'] ?? 3_000);

test('a printed query is read as the tree it was printed from', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(text, operator, (query, between) => {
      const tree = parse(query, between);
      // Words that are no word are printed as they stand and may then be one: only read trees are compared.
      if (tree.kind !== 'list') return;
      const printed = printQuery(tree);

      expect(shape(flat(parse(printed, between)))).toEqual(shape(flat(tree)));
    }),
    { numRuns: RUNS },
  );
});

/** A list of one plain clause is that clause. */
function flat(node: QueryNode): QueryNode {
  if (node.kind !== 'list') return node;
  const clauses = node.clauses.map((clause) => ({ ...clause, node: flat(clause.node) }));
  const [only] = clauses;
  if (clauses.length === 1 && only?.sign === 'none' && only.boost === 1) return only.node;
  return { ...node, clauses };
}

test('no text makes parser or planner fail', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(text, operator, (query, between) => {
      expect(matchOfText(query, { operator: between, language: 'en', fields }).kind).toEqual(expect.any(String));
    }),
    { numRuns: RUNS },
  );
});

test('every word of a tree stands where it says', () => {
  fc.assert(
    fc.property(text, operator, (query, between) => {
      const visit = (node: QueryNode): void => {
        if (node.kind === 'list') for (const clause of node.clauses) visit(clause.node);
        if (node.kind === 'words' && !query.includes('\\')) {
          expect(query.slice(node.start, node.end).length).toBe(node.text.length);
        }
      };
      visit(parse(query, between));
    }),
    { numRuns: 1_000 },
  );
});
