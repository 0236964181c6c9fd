import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUnits, encodeInto, sortByCodePoint } from '../../../../src/search-index/embedded/bytes/text-order.ts';

const texts = fc.string({ unit: fc.constantFrom('a', 'é', '한', '𐐷', '\uffff'), maxLength: 8 });

test('units come back from bytes, and what stands behind them is not read', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = new Uint8Array(40).fill(0x7a);
      const units = new Uint16Array(40);

      const size = decodeUnits(bytes, encodeInto(text, bytes), units);

      expect(String.fromCharCode(...units.subarray(0, size))).toBe(text);
    }),
  );
});

test('texts are sorted by code point, however many there are', () => {
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 100 }), (list) => {
      expect(sortByCodePoint([...list])).toEqual([...list].sort(compare));
    }),
  );
});
