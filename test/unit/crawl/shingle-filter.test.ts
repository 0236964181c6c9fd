import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShingleFilter } from '../../../src/crawl/visit/url-template-statistics.ts';

test('letters and numbers of any script are words, whatever stands between them', () => {
  const part = fc.constantFrom(
    'word',
    'Straße',
    'नमस्ते',
    '𐐷𐐨',
    '語',
    '12',
    '٣',
    '𝟘',
    ' ',
    ', ',
    '. ',
    '\n',
    '🙂',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const words = text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
      expect(new ShingleFilter().add(text).runs).toBe(words.length);
    }),
  );
});

test('a page that repeats another, with other numbers, says nothing new', () => {
  const seen = new ShingleFilter();
  expect(seen.add('On May 3 we met. It rained!').fresh).toBeGreaterThan(5);
  expect(seen.add('It rained! On may 2042 we met.').fresh).toBe(0);
});
