import { expect, test } from 'vitest';
import { createHashTable } from '../../../src/text/stem-hashes.ts';
import { seededRandom } from '../../helpers/random.ts';

test('a table of hashes holds what a map holds, however it grows', () => {
  const random = seededRandom(7);
  const table = createHashTable(20_000);
  const map = new Map<number, number>([[0, 5]]);
  table.set(0, 5);
  const unknown: unknown[] = [];
  const wasFull: boolean[] = [];
  while (map.size < 20_000) {
    // Many share their low bits.
    const key = (random.whole(0, 2 ** 20) * 2 ** 12 + random.whole(2, 5)) >>> 0;
    if (map.has(key)) continue;
    unknown.push(table.get(key));
    wasFull.push(table.isFull());
    map.set(key, (key ^ 9) >>> 0);
    table.set(key, (key ^ 9) >>> 0);
  }

  expect(unknown.every((value) => value === undefined)).toBe(true);
  expect(wasFull).not.toContain(true);
  expect(table.isFull()).toBe(true);
  expect(map.entries().every(([key, value]) => table.get(key) === value)).toBe(true);
});
