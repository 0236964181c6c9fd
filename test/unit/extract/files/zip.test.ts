import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openZip, type ZipArchive, zipNames } from '../../../../src/extract/files/zip.ts';
import { docxOf, paragraph, zipOf } from '../../../helpers/sample-files.ts';

const textZip = (...texts: string[]) =>
  zipOf(texts.map((text, i) => ({ name: `f${i}.xml`, content: Buffer.from(text) })));

function opened(bytes: Uint8Array): ZipArchive {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') throw new Error(archive.reason);
  return archive;
}

test('parts are read by name, decoded as they declare', () => {
  const utf16 = Buffer.from('\ufeff<a>\u00e6</a>', 'utf16le');
  const archive = opened(
    zipOf([
      { name: 'a\\b.xml', content: utf16 },
      { name: '/c.xml', content: Buffer.from('c') },
    ]),
  );
  expect([...archive.names]).toEqual(['a/b.xml', 'c.xml']);
  expect([archive.textOf('a/b.xml'), archive.textOf('c.xml'), archive.textOf('d')]).toEqual(['<a>æ</a>', 'c', '']);
});

test('bytes before the archive move everything', () => {
  const archive = opened(Buffer.concat([Buffer.from('#!/bin/sh\n'), textZip('text')]));
  expect(archive.textOf('f0.xml')).toBe('text');
});

test('a part that is longer than it declares is not read', () => {
  const bytes = textZip('x'.repeat(5_000));
  const place = bytes.lastIndexOf('PK\x01\x02');
  bytes.writeUInt32LE(100, place + 24);
  expect(opened(bytes).bytesOf('f0.xml')).toBeUndefined();
});

test.each<[string, Uint8Array, string]>([
  ['no directory', textZip('text').subarray(0, 40), 'malformed'],
  ['a directory that ends too soon', cutDirectory(), 'malformed'],
  [
    'too many entries',
    zipOf(Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, content: Buffer.alloc(0) }))),
    'over-limit',
  ],
  ['more than 200 times its size', textZip('x'.repeat(2_000_000)), 'over-limit'],
  ['more than 200 MiB', declaring(210 * 1024 * 1024), 'over-limit'],
])('refused before anything is inflated: %s', (_, bytes, status) => {
  expect(openZip(bytes).status).toBe(status);
});

test('names are there without a directory, as is the type in front', () => {
  expect(zipNames(docxOf(paragraph('x')).subarray(0, 900)).names).toContain('_rels/.rels');
});

test('mutated archives end within their limits', () => {
  const source = docxOf(paragraph('text '.repeat(500)));
  const change = fc.tuple(fc.nat(source.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat(source.length), (changes, size) => {
      const bytes = Buffer.from(source);
      for (const [at, value] of changes) bytes[at] = value;
      const archive = openZip(bytes.subarray(0, size < 200 ? size : bytes.length));
      if (archive.status !== 'ok') return;
      for (const name of archive.names) expect(archive.bytesOf(name)?.length ?? 0).toBeLessThan(250 * 1024 * 1024);
    }),
    { numRuns: 300 },
  );
});

function cutDirectory(): Buffer {
  const bytes = textZip('text');
  bytes.writeUInt16LE(2, bytes.length - 12);
  return bytes;
}

/** A large stored file whose entry declares that it inflates to `size`. */
function declaring(size: number): Buffer {
  const bytes = zipOf([
    { name: 'noise', content: Buffer.from(Array.from({ length: 1_200_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255)) },
  ]);
  bytes.writeUInt32LE(size, bytes.lastIndexOf('PK\x01\x02') + 24);
  return bytes;
}
