import { expect, test } from 'vitest';
import { closestName } from '../../../src/core/rule-words.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

const KNOWN = ['id', 'name', 'perPage', 'facets', 'fieldMode', 'language', 'publicSettings', 'aiEnabled'];

test.each<[what: string, name: string, meant: string | undefined]>([
  ['other case', 'perpage', 'perPage'],
  ['other case of a short name', 'ID', 'id'],
  ['a letter too many', 'faceets', 'facets'],
  ['a letter left out', 'facts', 'facets'],
  ['another letter', 'nane', 'name'],
  ['two letters swapped', 'langauge', 'language'],
  ['two mistakes in a long name', 'publcSetings', 'publicSettings'],
  ['three mistakes in a long name', 'publcSetins', undefined],
  ['two mistakes in a short name', 'nam3s', undefined],
  ['something else', 'colour', undefined],
  ['a name too short to guess from', 'x', undefined],
  ['nothing', '', undefined],
])('%s: %s means %s', (_what, name, meant) => {
  expect(closestName(name, KNOWN)).toBe(meant);
});

test('of two close names the closer one is meant', () => {
  expect(closestName('include', ['exclude', 'included'])).toBe('included');
});

test('a name as long as a request may be costs nothing', () => {
  const name = 'x'.repeat(1_000_000);

  expect(closestName(name, KNOWN)).toBeUndefined();
  expect(cpuMs(() => closestName(name, KNOWN))).toBeLessThan(1_000);
});
