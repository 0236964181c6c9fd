import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readLanguageTables } from '../../../src/text/language-tables.ts';

type Tables = { type: string; languages: Record<string, string>; ngrams: Record<string, Record<string, number>> };

const file = new URL('../ngrams/small.js', import.meta.resolve('eld/small'));

test('the tables of the package are read as they are', async () => {
  const { ngramsData: expected } = (await import(file.href)) as { ngramsData: Tables };

  const tables = readLanguageTables(readFileSync(fileURLToPath(file), 'utf8'));

  expect({ type: tables.type, languages: tables.languages }).toEqual({
    type: expected.type,
    languages: expected.languages,
  });
  const different = Object.keys(expected.ngrams).filter(
    (key) => JSON.stringify(tables.ngrams[key]) !== JSON.stringify(expected.ngrams[key]),
  );
  expect(different).toEqual([]);
  expect(Object.keys(expected.ngrams).length).toBeGreaterThan(50_000);
  expect(tables.ngrams['no such n-gram']).toBeUndefined();
});

test('another text is refused', () => {
  expect(() => readLanguageTables('export const nothing = {};')).toThrow('cannot be read');
});
