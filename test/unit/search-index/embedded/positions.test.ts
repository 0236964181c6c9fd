import { describe, expect, test } from 'vitest';
import { GrowableU8 } from '../../../../src/search-index/embedded/bytes/growable.ts';
import { codePositions, PositionReader } from '../../../../src/search-index/embedded/positions/coder.ts';
import { tfByte } from '../../../../src/search-index/relevance.ts';
import { seededRandom } from '../../../helpers/random.ts';

describe('positions', () => {
  test('come back at saturated counts, in any order of reading', () => {
    const random = seededRandom(7);
    const places: number[][] = Array.from({ length: 400 }, () => {
      const ofClass = (textClass: number, most: number) =>
        [...new Set(random.list(0, most, () => random.whole(0, 1_000_000)))]
          .sort((a, b) => a - b)
          .map((position) => ((textClass << 30) | position) >>> 0);
      return [...ofClass(0, 5), ...ofClass(1, 5), ...ofClass(2, random.pick([3, 12, 90])), (2 << 30) >>> 0].sort(
        (a, b) => a - b,
      );
    });
    const coded = new GrowableU8();
    const index: number[] = [];
    const tfBytes = Uint8Array.from(places, (own, i) => {
      if (i % 128 === 0) index.push(coded.length);
      return codePositions(Uint32Array.from(own), 0, own.length, { a: 0, b: 0, c: 0 }, coded);
    });
    const reader = new PositionReader();
    const sections = { positions: coded.view(), positionIndex: Uint32Array.from(index), bare: { from: 0, to: 0 } };
    reader.open(sections, tfBytes);
    for (const i of [...places.keys(), 3, 399, 130, 127, 128, 0]) {
      reader.read(i);
      const classOf = (at: number) => (at < reader.endA ? 0 : at < reader.endB ? 1 : 2);
      const back = Array.from(reader.positions.subarray(0, reader.end), (p, at) => ((classOf(at) << 30) | p) >>> 0);
      expect(back).toEqual(places[i]);
    }
  });

  test('of words beside the main text are none, and the others are found behind and between them', () => {
    const random = seededRandom(11);
    const bare = { from: 130, to: 300 };
    const places = Array.from({ length: 500 }, () =>
      random.list(1, 20, () => random.whole(0, 9_000)).sort((a, b) => a - b),
    );
    const coded = new GrowableU8();
    const index: number[] = [];
    const tfBytes = Uint8Array.from(places, (own, i) => {
      if (i % 128 === 0) index.push(coded.length);
      if (i >= bare.from && i < bare.to) return tfByte(0, 0, own.length);
      const inC = Uint32Array.from(own, (place) => ((2 << 30) | place) >>> 0);
      return codePositions(inC, 0, own.length, { a: 0, b: 0, c: 0 }, coded);
    });
    const reader = new PositionReader();
    reader.open({ positions: coded.view(), positionIndex: Uint32Array.from(index), bare }, tfBytes);

    for (const i of [0, 127, 129, 300, 301, 383, 384, 499, 300, 129, 310]) {
      reader.read(i);
      expect([...reader.positions.subarray(0, reader.end)]).toEqual(places[i]);
    }
    const { from, to } = reader.rangeOf(128, 174);
    const alone = [128, 129, 300, 301].map((i) => reader.rangeOf(i, 1));
    expect(to - from).toBe(alone.reduce((sum, own) => sum + own.to - own.from, 0));
  });
});
