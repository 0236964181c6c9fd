import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  bind,
  boolean,
  integer,
  listOf,
  mapOf,
  members,
  oneOf,
  scalarText,
  scalarTexts,
  text,
  textLike,
} from '../../../src/api/binding.ts';
import { AppError } from '../../../src/core/errors.ts';

const REQUEST = members(
  {
    query: text({ max: 5 }),
    page: integer({ min: 1, max: 10 }).optional(),
    highlight: boolean().optional(),
    operator: oneOf(['AND', 'OR']).optional(),
    sources: listOf(members({ id: text({ min: 1 }) }), { max: 2 }).optional(),
    sort: mapOf(scalarText()).optional(),
    sessionId: textLike(/^[a-z]+$/, 'must be lower-case letters').optional(),
  },
  { text: 'query' },
);

function problemsOf(value: unknown): readonly { path: string; message: string }[] {
  try {
    bind(REQUEST, value);
  } catch (error) {
    if (error instanceof AppError) return error.options.problems ?? [];
    throw error;
  }
  return [];
}

test('member names match in any case, at every level', () => {
  expect(bind(REQUEST, { QUERY: 'x', Page: 2, Sources: [{ ID: 'a' }] })).toMatchObject({
    query: 'x',
    page: 2,
    sources: [{ id: 'a' }],
  });
});

test('of two spellings the later wins, and the member wins over its alias', () => {
  expect(bind(REQUEST, { query: 'a', Query: 'b' }).query).toBe('b');
  expect(bind(REQUEST, { query: 'a', text: 'b' }).query).toBe('a');
  expect(bind(REQUEST, { TEXT: 'b' }).query).toBe('b');
});

test('null is absent, and unknown members are dropped', () => {
  const bound = bind(REQUEST, { query: 'x', page: null, sources: null, brandNew: { a: [1] }, __proto__: { page: 3 } });

  expect(bound.page).toBeUndefined();
  expect(Object.keys(bound)).not.toContain('brandNew');
});

test('names of a map are kept as they are, prototype names too', () => {
  const sort = JSON.parse('{"price":"1","Price":2,"__proto__":true,"constructor":"x","gone":null}');

  expect([...(bind(REQUEST, { query: 'x', sort }).sort ?? [])]).toEqual([
    ['price', '1'],
    ['Price', '2'],
    ['__proto__', 'true'],
    ['constructor', 'x'],
  ]);
});

test.each([
  [true, true],
  ['TRUE', true],
  ['false', false],
])('the boolean %j is %s', (sent, bound) => {
  expect(bind(REQUEST, { query: 'x', highlight: sent }).highlight).toBe(bound);
});

test.each([
  [2, 2],
  [2.0, 2],
  ['2', 2],
  ['0000000002', 2],
])('the integer %j is %s', (sent, bound) => {
  expect(bind(REQUEST, { query: 'x', page: sent }).page).toBe(bound);
});

test.each([['and'], ['AND'], ['And']])('the word %s is AND', (sent) => {
  expect(bind(REQUEST, { query: 'x', operator: sent }).operator).toBe('AND');
});

test('an empty array stands for an empty map', () => {
  expect(bind(REQUEST, { query: 'x', sort: [] }).sort?.size).toBe(0);
});

test('lengths count code points', () => {
  expect(bind(REQUEST, { query: '😀😀😀😀😀' }).query).toBe('😀😀😀😀😀');
  expect(problemsOf({ query: '😀😀😀😀😀😀' })).toHaveLength(1);
});

test.each([
  ['a missing member', {}, 'query', '"query" is required'],
  ['a null member', { query: null }, 'query', '"query" is required'],
  ['a number as text', { query: 5 }, 'query', '"query" must be text and has at most 5 characters'],
  ['a fraction', { query: 'x', page: 1.5 }, 'page', '"page" must be an integer from 1 to 10'],
  ['a word as integer', { query: 'x', page: 'abc' }, 'page', '"page" must be an integer from 1 to 10'],
  ['an integer out of bounds', { query: 'x', page: 11 }, 'page', '"page" must be an integer from 1 to 10'],
  ['eleven digits', { query: 'x', page: '00000000002' }, 'page', '"page" must be an integer from 1 to 10'],
  ['an object as boolean', { query: 'x', highlight: {} }, 'highlight', '"highlight" must be true or false'],
  ['one as boolean', { query: 'x', highlight: 1 }, 'highlight', '"highlight" must be true or false'],
  ['an unknown word', { query: 'x', operator: 'XOR' }, 'operator', '"operator" must be one of AND, OR'],
  ['a wrong form', { query: 'x', sessionId: 'A' }, 'sessionId', '"sessionId" must be lower-case letters'],
  ['a list that is none', { query: 'x', sources: 'a' }, 'sources', '"sources" must be an array'],
  ['an item that is no object', { query: 'x', sources: ['a'] }, 'sources[0]', '"sources[0]" must be an object'],
  ['a null item', { query: 'x', sources: [null] }, 'sources[0]', '"sources[0]" must be an object'],
  ['an item without its member', { query: 'x', sources: [{}] }, 'sources[0].id', '"sources[0].id" is required'],
  [
    'too many items',
    { query: 'x', sources: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    'sources',
    '"sources" may have at most 2 items',
  ],
  ['a filled array as map', { query: 'x', sort: ['a'] }, 'sort', '"sort" must be an object'],
  ['an object in a map', { query: 'x', sort: { a: {} } }, 'sort.a', '"sort.a" must be text, a number, true or false'],
  ['no object at all', [], '', 'The body must be an object'],
  ['nothing', undefined, '', 'The body is required'],
])('%s is told with its path', (_case, value, path, message) => {
  expect(problemsOf(value)).toEqual([{ path, message }]);
});

test('all faults are listed', () => {
  const paths = problemsOf({ page: 0, highlight: 'x', sources: [{ id: '' }, {}] }).map(({ path }) => path);

  expect(paths).toEqual(['query', 'page', 'highlight', 'sources[0].id', 'sources[1].id']);
});

test.each([
  ['a list', listOf(text()), new Array(300_000).fill(1)],
  ['a list of scalars', scalarTexts(), new Array(300_000).fill({})],
  ['a map', mapOf(text()), Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]))],
  ['a list of lists', listOf(listOf(text())), new Array(60).fill(new Array(60).fill(1))],
])('of %s at most 100 faults are listed', (_, schema, value) => {
  expect(() => bind<unknown>(schema, value)).toThrow(
    expect.objectContaining({ options: { problems: expect.toSatisfy((problems) => problems.length === 100) } }),
  );
});

test('a path that the caller made long is cut', () => {
  const [problem] = problemsOf({ query: 'x', sort: { ['n'.repeat(5_000)]: {} } });

  expect(problem?.message.length).toBeLessThan(200);
});

test('whatever is sent is bound or refused with problems', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        bind(REQUEST, value);
      } catch (error) {
        expect(error).toMatchObject({ code: 'request.invalid' });
        expect((error as AppError).options.problems?.length).toBeGreaterThan(0);
      }
    }),
  );
});

test.each([undefined, null, 'x', {}, [], ['a', 1, true], ['a', null, {}], [[]], [1, 2, 3, 4], ['', -0.5, 1e21]])(
  'a list of scalars reads %j as a list of single ones does',
  (sent) => {
    const read = (schema: z.ZodType) => {
      const { success, data, error } = schema.safeParse(sent);
      return { success, data, issues: error?.issues.map(({ path }) => path) };
    };
    const alone = listOf(scalarText(), { max: 3 });

    expect(read(scalarTexts({ max: 3 }))).toEqual(read(alone));
  },
);
