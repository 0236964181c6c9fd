import { expect, test } from 'vitest';
import { gatherReads } from '../../../src/crawl/gather-reads.ts';

test('what is asked for in one turn is read together, and each has its own answer', async () => {
  const reads: (readonly number[])[] = [];
  const double = gatherReads(async (keys: readonly number[]) => {
    reads.push(keys);
    return keys.map((key) => key * 2);
  });

  const answers = await Promise.all([double(1), double(2)]);
  const later = await double(3);

  expect([answers, later]).toEqual([[2, 4], 6]);
  expect(reads).toEqual([[1, 2], [3]]);
});

test('a read that fails fails for all who asked, and the next one is made anew', async () => {
  let isBroken = true;
  const read = gatherReads(async (keys: readonly number[]) => {
    if (isBroken) throw new Error('broken');
    return keys;
  });

  const failed = await Promise.allSettled([read(1), read(2)]);
  isBroken = false;

  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read(1)).toBe(1);
});
