import { expect, test } from 'vitest';
import { CORPORA } from '../../../scripts/evaluate/relevance/corpus.ts';
import { typeCorpus } from '../../../scripts/evaluate/relevance/type-titles.ts';

test.each(CORPORA)('titles of %s that are typed letter by letter are shown early, and nothing shows nothing', async (name) => {
  const { summary } = await typeCorpus(name);
  expect(summary.empty).toBe(0);
  expect(summary.firstScreen).toBeGreaterThanOrEqual(0.95);
  expect(summary.wholeFirst).toBeGreaterThanOrEqual(0.9);
});
