import { expect, test } from 'vitest';
import { FieldColumnsWriter } from '../../../../src/search-index/embedded/columns/field-writer.ts';

/** Bytes of the array buffers that an object reaches by its own members. */
function bufferBytes(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return bufferBytes(value.buffer, seen);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return value.byteLength;
  return Object.values(value).reduce<number>((sum, member) => sum + bufferBytes(member, seen), 0);
}

test('a field with one value takes little room until it has more', () => {
  const column = new FieldColumnsWriter(true);
  column.add(0, ['one']);

  expect(column.keyword.count).toBe(1);
  expect(bufferBytes(column)).toBeGreaterThan(0);
  expect(bufferBytes(column)).toBeLessThan(2_000);
});
