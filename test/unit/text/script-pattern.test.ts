import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerTableOf } from '../../../src/text/languages/packs.ts';
import { isAsciiText, scriptPattern } from '../../../src/text/script-pattern.ts';

/** Classes inside and outside of brackets, beside escapes and brackets that are letters. */
const SOURCES = [
  String.raw`(?<![\p{L}\p{N}])(?:so that|supports?|lut\p{L}{1,3})(?![\p{L}\p{N}])`,
  String.raw`\p{Lu}[\p{L}.'’-]+ (?:\p{Ll}{1,4} )?\p{Lu}`,
  String.raw`\[\p{N}\]|\p{Ll}\p{Lu}|[^\p{L}\]]x`,
];
const PIECES = ['so that', 'support', 'luty', 'Ann', 'of', 'Lee', '[5]', '[', ']', 'aB', '7', ' ', '.', '-x', 'x'];

test.each(SOURCES)('in ASCII texts %s finds the same by its shorter classes', (source) => {
  const pattern = scriptPattern(source);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(pattern(text, true)).toBe(new RegExp(source, 'u').test(text));
    }),
  );
});

test('the lists of answer signs hold no class that has no ASCII range', () => {
  const lists = Object.values(answerTableOf('answerSigns')).flatMap((signs) => Object.values(signs));
  expect(lists.flatMap((list) => list.match(/\\p\{(?!(?:L|Lu|Ll|N)\})[^}]*\}/g) ?? [])).toEqual([]);
});

test.each([
  ['a text', true],
  ['', true],
  ['a tëxt', false],
])('"%s" is ASCII: %s', (text, isAscii) => {
  expect(isAsciiText(text)).toBe(isAscii);
});
