import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../../../../src/core/compare-text.ts';
import { sortByCodePoint } from '../../../../src/search-index/embedded/bytes/text-order.ts';
import { FrontCodedList } from '../../../../src/search-index/embedded/term-dictionary/front-coded-list.ts';
import { FrontCodingWriter } from '../../../../src/search-index/embedded/term-dictionary/front-coding-writer.ts';

function listOf(texts: readonly string[]): FrontCodedList {
  const writer = new FrontCodingWriter();
  for (const text of texts) writer.push(text);
  return new FrontCodedList(writer.finish(), texts.length);
}

const unit = fc.constantFrom('a', 'b', 'ab', 'é', '€', '\u{1f600}', '\u{ffff}');
const text = fc.string({ unit, maxLength: 8 });
const distinct = fc.uniqueArray(text, { maxLength: 400 }).map((texts) => texts.toSorted(compareCodePoints));

test('a walk beside the list finds what looking each text up finds', () => {
  fc.assert(
    fc.property(distinct, distinct, (all, wanted) => {
      const list = listOf(all);
      const found: number[] = [];
      list.findEach(wanted, (position) => void found.push(position));

      expect(found).toEqual(wanted.map((item) => list.find(item)).filter((position) => position >= 0));
    }),
    { numRuns: 300 },
  );
});

test('a walk beside a long list skips what lies between', () => {
  const all = Array.from({ length: 5_000 }, (_, i) => `text ${String(i).padStart(5, '0')}`);
  const list = listOf(all);
  const places = [0, 15, 16, 17, 31, 32, 700, 701, 2_047, 2_048, 4_992, 4_999];
  const wanted = [...places.map((place) => all[place]!), 'text 00020a', 'text 04999a', 'a', 'zz'].sort();
  const found: number[] = [];
  list.findEach(wanted, (position) => void found.push(position));

  expect(found).toEqual(places);
});

test('code units and hashes of texts at any positions are those of the texts', () => {
  const positions = fc.uniqueArray(fc.nat(400), { maxLength: 60 });
  fc.assert(
    fc.property(distinct, positions, (all, asked) => {
      const list = listOf(all);
      const at = Uint32Array.from(asked.filter((position) => position < all.length)).sort();
      const texts: string[] = [];
      list.visitUnits(at, (units, length) => void texts.push(String.fromCharCode(...units.subarray(0, length))));
      const hashes = { a: new Uint32Array(at.length), b: new Uint32Array(at.length) };
      list.hashEach(at, hashes);
      const alone = { a: new Uint32Array(1), b: new Uint32Array(1) };

      expect(texts).toEqual(Array.from(at, (position) => all[position]));
      for (const [i, position] of at.entries()) {
        listOf([all[position]!]).hashEach(new Uint32Array(1), alone);
        expect([hashes.a[i], hashes.b[i]]).toEqual([alone.a[0], alone.b[0]]);
      }
    }),
    { numRuns: 200 },
  );
});

test('different words have different hashes', () => {
  const words = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36).padStart(6, '-')}`).sort();
  const hashes = { a: new Uint32Array(words.length), b: new Uint32Array(words.length) };
  listOf(words).hashEach(
    Uint32Array.from(words, (_, i) => i),
    hashes,
  );

  expect(new Set(Array.from(hashes.a, (a, i) => `${a} ${hashes.b[i]}`)).size).toBe(words.length);
});

test.each(['', 'value 12 ', '\u{1f600}', '\u{1f600}x'])(
  'many texts that begin with "%s" are sorted by code point',
  (head) => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 64, maxLength: 150 }), (tails) => {
        const texts = tails.map((tail) => head + tail);

        expect(sortByCodePoint([...texts])).toEqual(texts.toSorted(compareCodePoints));
      }),
      { numRuns: 100 },
    );
  },
);
