import { expect, test } from 'vitest';
import { lanesFor } from '../../../src/crawl/rules/politeness.ts';

test.each([
  ['one new host', [1], 1],
  ['one host that bears eight fetches', [8], 1],
  ['ten new hosts', Array(10).fill(1), 2],
  ['three hosts that bear eight', [8, 8, 8], 3],
  ['a hundred hosts', Array(100).fill(4), 4],
])('%s: lanes by the slots of the hosts', (_name, slots, lanes) => {
  expect(lanesFor(slots)).toBe(lanes);
});
