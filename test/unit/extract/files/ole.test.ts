import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOle } from '../../../../src/extract/files/legacy/ole.ts';
import { oleOf } from '../../../helpers/ole-file.ts';

const long = Buffer.from(Array.from({ length: 9_000 }, (_, i) => i & 255));
const short = Buffer.from('a short stream '.repeat(20));

test('streams are read by name, short and long ones', () => {
  const file = openOle(
    oleOf([
      { name: 'WordDocument', content: long },
      { name: 'Short', content: short },
    ]),
  );
  expect(file?.names).toEqual(new Set(['WordDocument', 'Short']));
  expect(Buffer.from(file?.streamOf('WordDocument') ?? []).equals(long)).toBe(true);
  expect(Buffer.from(file?.streamOf('Short') ?? []).toString()).toBe(short.toString());
  expect(file?.streamOf('Other')).toBeUndefined();
});

test('names of other storages are not those of the root', () => {
  const entries = [{ name: 'Pool', child: 2, right: 0xffffffff }, { name: 'Workbook' }];
  expect(openOle(oleOf(entries))?.names).toEqual(new Set(['Pool']));
});

test('siblings that point at each other end', () => {
  const entries = [
    { name: 'A', left: 2, right: 1 },
    { name: 'B', left: 1, right: 2, child: 1 },
  ];
  expect(openOle(oleOf(entries))?.names).toEqual(new Set(['A', 'B']));
});

test.each([
  ['no bytes', Buffer.alloc(0)],
  ['other bytes', Buffer.alloc(2_000, 7)],
  ['a header alone', oleOf([{ name: 'A' }]).subarray(0, 512)],
])('is none: %s', (_, bytes) => {
  expect(openOle(bytes)).toBeUndefined();
});

test('mutated files end, with no stream longer than the file', () => {
  const source = oleOf([
    { name: 'WordDocument', content: long },
    { name: 'Short', content: short },
  ]);
  const change = fc.tuple(fc.oneof(fc.nat(600), fc.nat(source.length - 1)), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), fc.nat(source.length), (changes, size) => {
      const bytes = Buffer.from(source);
      for (const [at, value] of changes) bytes[at] = value;
      const file = openOle(bytes.subarray(0, Math.max(size, 512)));
      for (const name of file?.names ?? []) expect(file?.streamOf(name)?.length ?? 0).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 500 },
  );
});
