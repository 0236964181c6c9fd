import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from '../../../src/extract/patterns/linear-pattern.ts';

const all = () => true;

function match(source: string, text: string) {
  return compilePattern(source)(text, { from: 0, spend: all });
}

/** As the language itself matches it. */
function native(source: string, text: string) {
  const found = new RegExp(source, 'u').exec(text);
  if (found === null) return undefined;
  const [whole, ...groups] = found;
  const named = new Map(Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined));
  return { start: found.index, end: found.index + whole.length, groups, named };
}

describe('what is matched is what the language matches', () => {
  test.each([
    ['a literal', 'cat', 'a cat'],
    ['nothing', 'dog', 'a cat'],
    ['an empty expression', '', 'abc'],
    ['a group', String.raw`Price: (\d+)`, 'Price: 499 kr'],
    ['a named group', String.raw`(?<year>\d{4})-(?<month>\d\d)`, 'on 2026-11-20'],
    ['an option that is left out', '(a)?(b)', 'b'],
    ['alternatives, the first one first', '(a|ab)(c|bcd)?', 'abcd'],
    ['alternatives without group', '^(?:foo|bar)$', 'bar'],
    ['a lazy repetition', '<(.+?)>', '<a><b>'],
    ['a greedy repetition', '<(.+)>', '<a><b>'],
    ['a counted one', 'a{2,3}', 'aaaa'],
    ['a counted one, lazy', 'a{2,3}?', 'aaaa'],
    ['a counted one without end', 'a{2,}', 'caaaa'],
    ['a counted group', '(?:ab){2}', 'ababab'],
    ['a class', '[a-c_-]+', 'x_ab-c.'],
    ['a class that is turned around', String.raw`[^\s,]+`, ' one,two'],
    ['a class with a bracket', String.raw`[\]x]+`, 'a]x]'],
    ['letters of any script', String.raw`\p{L}+`, '12 Ærø'],
    ['beyond the basic plane', '😀+(.)', 'a😀😀🎉'],
    ['escapes', String.raw`\u{1f600}|\x41|\u0042|\t|\/`, 'xxB'],
    ['a pair of surrogates', String.raw`\ud83d\ude00`, 'x😀'],
    ['no line break', 'a.c', 'a\nc abc'],
    ['borders of words', String.raw`\bcat\b`, 'concat cat'],
    ['no border of a word', String.raw`\Bcat`, 'cat concat'],
    ['both ends', '^$', ''],
    ['an inner end', 'a$', 'ab'],
    ['a loop over nothing', '(?:a*)*b', 'aab'],
  ])('%s', (_, source, text) => {
    expect(match(source, text)).toEqual(native(source, text));
  });

  test('any expression on any text', () => {
    const character = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', String.raw`\w`);
    const container = fc.constantFrom('^', '$', String.raw`\b`);
    const sign = fc.constantFrom('', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}');
    const join = (separator: string) => (parts: readonly string[]) => parts.join(separator);
    const { expression } = fc.letrec<{ expression: string; part: string; repeated: string }>((tie) => ({
      expression: fc
        .array(fc.array(tie('part'), { maxLength: 3 }).map(join('')), { minLength: 1, maxLength: 2 })
        .map(join('|')),
      // What is repeated takes a character: for rounds that take none the two differ.
      repeated: fc.array(fc.tuple(character, tie('part')).map(join('')), { minLength: 1, maxLength: 2 }).map(join('|')),
      part: fc.oneof(
        { depthSize: 'small' },
        character,
        container,
        fc.tuple(tie('repeated'), sign).map(([inner, times]) => `(?:${inner})${times}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 8 });
    fc.assert(
      fc.property(expression, text, (source, input) => {
        const found = match(source, input);
        const wanted = native(source, input);
        expect([found?.start, found?.end]).toEqual([wanted?.start, wanted?.end]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what has no bound, or is none, is refused', () => {
  test.each([
    ['look-ahead', 'a(?=b)', 'at character'],
    ['look-behind', '(?<!a)b', 'look-around'],
    ['a flag within', '(?i:a)', 'look-around and flags'],
    ['a reference', String.raw`(a)\1`, 'references to groups'],
    ['a named reference', String.raw`(?<x>a)\k<x>`, 'references to groups'],
    ['an open group', '(a', 'Invalid regular expression'],
    ['a needless escape', String.raw`\-`, 'Invalid regular expression'],
    ['many repetitions', '(?:a{100}){100}', 'is too long'],
  ])('%s', (_, source, message) => {
    expect(() => compilePattern(source)).toThrow(message);
  });
});

test.each(['^(a+)+$', '^(a|aa)+$', '(.*a){12}$', '(?:a?){30}a{30}b', String.raw`\s*(\d+)\s*kr`])(
  'the time of %s grows with the text only',
  (source) => {
    const pattern = compilePattern(source);
    const steps = (text: string) => {
      let count = 0;
      const spend = (more: number) => {
        count += more;
        return true;
      };
      pattern(text, { from: 0, spend });
      return count;
    };

    expect(steps(`${'a'.repeat(2_000)}!`)).toBeLessThan(2.1 * steps(`${'a'.repeat(1_000)}!`));
    expect(steps(' '.repeat(2_000))).toBeLessThan(2.1 * steps(' '.repeat(1_000)));
  },
);

test('a search ends when it may not spend more', () => {
  let left = 100;
  const spend = (steps: number) => {
    left -= steps;
    return left >= 0;
  };

  expect(compilePattern('b')(`${'a'.repeat(1_000)}b`, { from: 0, spend })).toBeUndefined();
  expect(left).toBeGreaterThan(-10);
});
