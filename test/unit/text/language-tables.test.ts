import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readLanguageTables } from '../../../src/text/language.ts';

type Tables = { languages: Record<string, string>; ngrams: Record<string, Record<string, number>> };

const file = new URL('../ngrams/small.js', import.meta.resolve('eld/small'));

test('the tables of the package are read as they are', async () => {
  const { ngramsData: expected } = (await import(file.href)) as { ngramsData: Tables };

  const tables = readLanguageTables(readFileSync(fileURLToPath(file), 'utf8'));

  const scoresOf = (ngram: string) => {
    const entry = tables.entries.get(ngram) ?? -1;
    const packed = tables.scores.subarray(tables.starts[entry], tables.starts[entry + 1]);
    return Object.fromEntries(Array.from(packed, (score) => [score >> 8, score & 0xff]));
  };
  expect(tables.languages).toEqual(Object.values(expected.languages));
  const different = Object.keys(expected.ngrams).filter(
    (ngram) => JSON.stringify(scoresOf(ngram)) !== JSON.stringify(expected.ngrams[ngram]),
  );
  expect(different).toEqual([]);
  expect(Object.keys(expected.ngrams).length).toBeGreaterThan(50_000);
  expect(tables.entries.get('no such n-gram')).toBeUndefined();
});

test('another text is refused', () => {
  expect(() => readLanguageTables('export const nothing = {};')).toThrow('cannot be read');
});
