import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../../../src/core/compare-text.ts';

test('the order is that of UTF-8 bytes', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '\uff5e', '\u{1F600}', '\u{10FFFF}', '\ud7ff') });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('code points above U+FFFF come last, which code units would not say', () => {
  expect(['\u{1F600}', '\uff5e', 'a'].toSorted(compareCodePoints)).toEqual(['a', '\uff5e', '\u{1F600}']);
});
