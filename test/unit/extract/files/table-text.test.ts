import { expect, test } from 'vitest';
import { tableBlocksOf, tableRow } from '../../../../src/extract/files/table-text.ts';

test('a row of half a million cells is read', () => {
  const [block] = tableBlocksOf([tableRow(Array.from({ length: 500_000 }, () => 'x'))]);
  expect(block?.text).toHaveLength(500_000 + 499_999 * 3);
});

test('rows without text give no block', () => {
  expect(tableBlocksOf([tableRow(['', ' ']), new Map()])).toEqual([]);
});
