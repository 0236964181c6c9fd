import { expect, test } from 'vitest';
import { FieldColumnsWriter } from '../../../../src/search-index/embedded/columns/field-writer.ts';

test('a field with one value takes little room until it has more', () => {
  const before = process.memoryUsage().arrayBuffers;
  const columns = Array.from({ length: 2_000 }, () => new FieldColumnsWriter(true));
  for (const column of columns) column.add(0, ['one']);

  const bytesPerField = (process.memoryUsage().arrayBuffers - before) / columns.length;

  expect(bytesPerField).toBeLessThan(2_000);
  expect(columns.every(({ keyword }) => keyword.count === 1)).toBe(true);
});
