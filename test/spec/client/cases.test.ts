import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Acceptance cases of contract 12. */
const CASES = 82;

/** Cases that no client can send, and why. */
const NOT_OF_CLIENTS: ReadonlyMap<number, string> = new Map([
  [1, 'browsers ask before they send, not the client'],
  [9, 'other spellings of a path'],
  [10, 'paths that do not exist'],
  [11, 'bodies that are no JSON'],
  [39, 'names in another case would be other types'],
  [41, 'v3'],
  [62, 'other credentials than the client sends'],
  [72, 'v3'],
]);

test('every acceptance case is asked by the client, or none of a client', () => {
  const files = globSync('*.test.ts', { cwd: import.meta.dirname }).filter((name) => name !== 'cases.test.ts');
  const tests = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
  const asked = tests.matchAll(/(?:test\(|\]\)\(|\[)\s*'(?<number>\d+)[ ']/g);
  const numbers = new Set([...[...asked].map(({ groups }) => Number(groups?.['number'])), ...NOT_OF_CLIENTS.keys()]);

  expect(Array.from({ length: CASES }, (_, index) => index + 1).filter((number) => !numbers.has(number))).toEqual([]);
});
