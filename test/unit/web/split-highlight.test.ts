import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml } from '../../../src/core/escape-html.ts';
import { decodeEntities, splitHighlight } from '../../../web/parts/split-highlight.ts';

/** What could be taken for markup or an entity, among ordinary characters. */
const SIGNS = fc.constantFrom(
  '&',
  '<',
  '>',
  '"',
  "'",
  ';',
  '#',
  '/',
  '<b>',
  '</b>',
  '&amp;',
  '&#39;',
  'a',
  ' ',
  'é',
  '🐧',
);

test.each([
  ['no match at all', [['no match at all', false]]],
  [
    'the <b>alpine</b> house',
    [
      ['the ', false],
      ['alpine', true],
      [' house', false],
    ],
  ],
  [
    '<b>alpine</b><b>plants</b>',
    [
      ['alpine', true],
      ['plants', true],
    ],
  ],
  [
    'never <b>closed',
    [
      ['never ', false],
      ['closed', true],
    ],
  ],
  ['a stray</b> end', [['a stray</b> end', false]]],
  ['&lt;b&gt;not a tag&lt;/b&gt;', [['<b>not a tag</b>', false]]],
  ['<i onclick=x>kept as text</i>', [['<i onclick=x>kept as text</i>', false]]],
  ['', []],
])('%s is split', (fragment, expected) => {
  const pieces = splitHighlight(fragment);

  expect(pieces.map(({ text, isMatch }) => [text, isMatch])).toEqual(expected);
});

test.each([
  ['&amp;amp;', '&amp;'],
  ['&quot;&#39;&#x27;&apos;', "\"'''"],
  ['&#128039;', '🐧'],
  ['&nbsp; &unknown; &#99999999; &', '&nbsp; &unknown; &#99999999; &'],
  ['&#x110000;', '&#x110000;'],
])('%s decodes to %s', (text, expected) => {
  expect(decodeEntities(text)).toBe(expected);
});

test('whatever the server escapes and marks is shown as it was', () => {
  const parts = fc.array(
    fc.record({ text: fc.string({ unit: SIGNS, minLength: 1, maxLength: 12 }), isMatch: fc.boolean() }),
  );
  fc.assert(
    fc.property(parts, (pieces) => {
      const fragment = pieces.map(({ text, isMatch }) => (isMatch ? `<b>${escapeHtml(text)}</b>` : escapeHtml(text)));
      const shown = splitHighlight(fragment.join(''));
      expect(shown.map(({ text }) => text).join('')).toBe(pieces.map(({ text }) => text).join(''));
    }),
  );
});
