import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../../../src/crawl/dry-run/field-diff.ts';

const text = (lines: string) => lines.split(' ').join('\n');

test.each([
  ['a b c', 'a b c', []],
  ['a b c', 'a x c', ['  a', '- b', '+ x', '  c']],
  ['a b', 'a b c', ['  a', '  b', '+ c']],
  ['', 'a', ['- ', '+ a']],
  ['1 2 3 4 5 6 7', '1 2 3 4 5 6 x', ['…', '  5', '  6', '- 7', '+ x'].slice(1)],
])('%j to %j', (before, after, expected) => {
  expect(diffLines(text(before), text(after)).filter((line) => line !== '…')).toEqual(expected);
});

test('what is kept and added is the text after, what is kept and removed the text before', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before.join('\n'), after.join('\n'));
      const changed = diff.filter((line) => line !== '…' && !line.startsWith(' '));
      const removed = changed.filter((line) => line.startsWith('-')).length;
      const added = changed.filter((line) => line.startsWith('+')).length;
      return before.length - removed === after.length - added;
    }),
  );
});

test('a long diff is cut', () => {
  const before = Array.from({ length: 500 }, (_, at) => `old ${at}`).join('\n');

  const lines = diffLines(before, 'new');

  expect(lines).toHaveLength(200);
  expect(lines.at(-1)).toBe('…');
});
