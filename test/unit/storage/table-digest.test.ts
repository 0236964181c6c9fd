import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MovedColumn, MovedRow } from '../../../src/storage/move/store-tables.ts';
import { digestOfTable } from '../../../src/storage/move/table-digest.ts';

const COLUMNS: readonly MovedColumn[] = [
  { name: 'n', type: 'integer', isHidden: false },
  { name: 'r', type: 'real', isHidden: false },
  { name: 't', type: 'text', isHidden: false },
  { name: 'u', type: 'text', isHidden: false },
  { name: 'b', type: 'bytes', isHidden: false },
];

function digest(rows: readonly MovedRow[]): string {
  const table = digestOfTable(COLUMNS);
  table.add(rows);
  return table.result().hash;
}

const rowOf = fc.tuple(
  fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
  fc.option(fc.double({ noNaN: true })),
  fc.option(fc.string({ unit: 'binary' })),
  fc.option(fc.string({ unit: 'binary' })),
  fc.option(fc.uint8Array()),
);

test('rows in any order, in batches of any size, have the same digest', () => {
  fc.assert(
    fc.property(fc.array(rowOf), fc.nat(), (rows, at) => {
      const table = digestOfTable(COLUMNS);
      const turned = [...rows.slice(at % (rows.length + 1)), ...rows.slice(0, at % (rows.length + 1))];
      for (const row of turned) table.add([row]);

      expect(table.result()).toEqual({ rows: rows.length, hash: digest(rows), withHidden: false });
    }),
  );
});

test('the same number has the same digest, whichever type a driver gives it', () => {
  expect(digest([[7, 0.5, 'a', 'b', null]])).toBe(digest([[7n, 0.5, 'a', 'b', null]]));
});

const ROW: MovedRow = [1n, 1.5, 'a', 'bc', Buffer.from('x')];
test.each<[what: string, other: MovedRow]>([
  ['a number above 2^53 that is one more', [2n ** 53n + 1n, 1.5, 'a', 'bc', Buffer.from('x')]],
  ['NULL in place of a number', [null, 1.5, 'a', 'bc', Buffer.from('x')]],
  ['a float that differs in its last bit', [1n, 1.5000000000000002, 'a', 'bc', Buffer.from('x')]],
  ['a letter that has moved to the next column', [1n, 1.5, 'ab', 'c', Buffer.from('x')]],
  ['an empty text in place of NULL', [1n, 1.5, '', 'bc', Buffer.from('x')]],
  ['a text with U+0000', [1n, 1.5, 'a\0', 'bc', Buffer.from('x')]],
  ['other bytes', [1n, 1.5, 'a', 'bc', Buffer.from('y')]],
])('%s has another digest', (_what, other) => {
  const before = [ROW, [2n ** 53n, 1.5, null, 'bc', null]] as const;

  expect(digest([other])).not.toBe(digest([ROW]));
  expect(digest([...before, other])).not.toBe(digest([...before, ROW]));
});

test('minus zero, which SQLite does not know, is zero', () => {
  expect(digest([[1n, -0, 'a', 'b', null]])).toBe(digest([[1n, 0, 'a', 'b', null]]));
});

test('a row that is there twice counts twice', () => {
  expect(digest([ROW, ROW])).not.toBe(digest([ROW]));
});
