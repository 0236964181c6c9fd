import { expect, test } from 'vitest';
import { membersOf } from '../../../src/cli/command.ts';

test.each<[words: string[], members: object]>([
  [[], {}],
  [['name=Main site'], { name: 'Main site' }],
  [['perPage=20', 'aiEnabled=true'], { perPage: 20, aiEnabled: true }],
  [['facets=[{"name":"A","field":"B"}]'], { facets: [{ name: 'A', field: 'B' }] }],
  [['perPage='], { perPage: null }],
  [['limits.depth=3', 'limits.pages=10'], { limits: { depth: 3, pages: 10 } }],
  [['a=x=y'], { a: 'x=y' }],
  [['name="20"'], { name: '20' }],
])('%j are the members %j', (words, members) => {
  expect(membersOf(words)).toEqual(members);
});

test('a name that objects inherit is a member like any other', () => {
  expect(Object.entries(membersOf(['__proto__.x=1']))).toEqual([['__proto__', { x: 1 }]]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test.each(['name', '=value'])('%j is wrong usage', (word) => {
  expect(() => membersOf([word])).toThrow('must have the form member=value');
});
