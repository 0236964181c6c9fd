import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scoreFiles } from '../../../scripts/evaluate/extraction/file-set.ts';
import { pdfOf } from '../../helpers/sample-files.ts';

test('the head of each page, which a reader says once and another tool on every page, is no loss', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'fossick-pack-'));
  const pages = [
    'Parcels leave at noon.',
    'Heavy goods take longer.',
    'Returns are free.',
    'Depots close at four.',
  ].map((line) => ['Guide for all depots', line]);
  const record = { id: 'guide', url: '', kind: 'pdf', file: 'guide.pdf', tool: 'other', agreement: 1 };
  const text = pages.map((lines) => lines.join('\n')).join('\n\f');
  const line = JSON.stringify({ ...record, text, base64: pdfOf(pages).toString('base64') });
  writeFileSync(join(folder.path, 'files-00.jsonl.br'), brotliCompressSync(line));

  const { rows } = await scoreFiles(folder.path, { limit: 10, onLost: (lost) => expect.fail(lost) });

  const figures = rows.find(({ name }) => name === 'pdf')?.figures;
  expect(figures?.['cleaned F1']).toBe(1);
  expect(figures?.['word F1']).toBeLessThan(1);
});
