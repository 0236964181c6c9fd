import { expect, test } from 'vitest';
import { CORPORA, HALVES, readCorpus } from '../../../scripts/evaluate/relevance/corpus.ts';
import { correctTypos } from '../../../scripts/evaluate/relevance/correct-typos.ts';

test.each(CORPORA)('words of %s with one edit are corrected to the very word', async (name) => {
  const typos = await correctTypos(readCorpus(name));

  for (const half of HALVES) {
    const own = typos.filter((typo) => typo.half === half);
    const exact = own.filter(({ word, corrected }) => corrected === word);
    expect(own).toHaveLength(100);
    expect(exact.length / own.length, half).toBeGreaterThanOrEqual(0.95);
  }
});
