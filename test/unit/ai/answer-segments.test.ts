import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentSplitter, MAX_SEGMENT_CHARS } from '../../../src/ai/buffered-lead-ins.ts';

function unitsOf(text: string, language = 'en', cuts: readonly number[] = []): readonly string[] {
  const reader = createSegmentSplitter(language);
  const edges = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  const segments = edges.slice(1).flatMap((end, i) => reader.push(text.slice(edges[i], end)));
  return [...segments, ...reader.end()].map((segment) => segment.text);
}

describe('segments of an answer', () => {
  test.each([
    ['sentences', 'en', 'One is here. Two is there! Is three?', ['One is here. ', 'Two is there! ', 'Is three?']],
    ['markers behind the stop', 'en', 'One. [1] Two.[2][3] Three.', ['One. [1] ', 'Two.[2][3] ', 'Three.']],
    ['lenticular markers', 'en', 'One【1†x】. Two.', ['One【1†x】. ', 'Two.']],
    ['marker with words', 'en', 'One. [1|"a. b c d"] Two.', ['One. [1|"a. b c d"] ', 'Two.']],
    ['brackets that are no markers', 'en', 'One. [See] Two.', ['One. ', '[See] Two.']],
    ['lines', 'en', 'Do this:\n\n- one\n- two\n', ['Do this:\n\n', '- one\n', '- two\n']],
    ['abbreviations', 'en', 'See e.g. Two of Dr. Lind. Then go.', ['See e.g. Two of Dr. Lind. ', 'Then go.']],
    ['a bare no', 'en', 'No. You cannot.', ['No. ', 'You cannot.']],
    ['ordinals', 'de', 'Am 14. August kam sie. Dann ging sie.', ['Am 14. August kam sie. ', 'Dann ging sie.']],
    ['ordinals', 'da', 'Barnet går i 1. klasse. Det er godt.', ['Barnet går i 1. klasse. ', 'Det er godt.']],
    ['decimals', 'en', 'It is 3.5 wide. Yes.', ['It is 3.5 wide. ', 'Yes.']],
    ['items with numbers', 'en', '1. One is here.\n2. Two.', ['1. One is here.\n', '2. Two.']],
    ['scripts without blanks', 'ja', '一です。二です。', ['一です。', '二です。']],
    ['quotes', 'en', '"One." Two.', ['"One." ', 'Two.']],
    [
      'rows',
      'en',
      'One. | It is. So is. | Two [1]\nIt is. So.',
      ['One. | It is. So is. | Two [1]\n', 'It is. ', 'So.'],
    ],
    ['a row with an empty cell', 'en', '| It is. So is. | Two\nOne.', ['| It is. So is. | Two\n', 'One.']],
    ['a row up to its markers', 'en', 'One | Two. [1] It is. So.', ['One | Two. [1] ', 'It is. ', 'So.']],
    ['choices of a command', 'en', 'Set { ON | OFF }. Then go.', ['Set { ON | OFF }. ', 'Then go.']],
    ['bars without blanks', 'en', 'Use one|two. Then go.', ['Use one|two. ', 'Then go.']],
    [
      'a fenced block',
      'en',
      'Run:\n\n```sh\na. b\n\nc\n```\n\nDone.',
      ['Run:\n\n', '```sh\na. b\n\nc\n```\n\n', 'Done.'],
    ],
  ])('%s (%s)', (_, language, text, segments) => {
    expect(unitsOf(text, language)).toEqual(segments);
  });

  test('a text without a full stop is cut at a blank, and nowhere inside a surrogate pair', () => {
    const words = unitsOf('word '.repeat(1000));
    const smiles = unitsOf('😀'.repeat(2000));

    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(MAX_SEGMENT_CHARS + 1);
    expect(words.every((segment) => segment.endsWith('word '))).toBe(true);
    expect(smiles.every((segment) => segment.isWellFormed())).toBe(true);
  });

  test('any split of a text gives the same segments', () => {
    const part = fc.constantFrom(
      ...[
        'Books can be lent',
        '. ',
        '.',
        '\n',
        '\n\n',
        ' [1]',
        '[2]',
        '[',
        ']',
        '【1†x】',
        ' | ',
        '|',
        '{',
        '}',
        ' [1|"a b. c"]',
        '- ',
        'e.g. ',
        '```',
        '\n```\n',
      ],
      ...['`', '。', '! ', '?', '3.5', ' ', '[1](https://a.test/b)', '[[1]]', '😀', 'word '.repeat(300)],
    );
    const text = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, numbers) => {
        const cuts = numbers.map((number) => number % (whole.length + 1));
        expect(unitsOf(whole, 'en', cuts)).toEqual(unitsOf(whole));
        expect(unitsOf(whole).join('')).toBe(whole);
      }),
      { numRuns: 1500 },
    );
  });

  test('holds back one segment at most', () => {
    const reader = createSegmentSplitter('en');

    const first = reader.push('One is here. Two is there. Th');

    expect(first.map(({ text }) => text)).toEqual(['One is here. ', 'Two is there. ']);
  });
});
