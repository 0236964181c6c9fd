import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatenateSources, readSource } from '../../../src/ai/support/check.ts';
import { isPrefixSuffixSplice } from '../../../src/ai/support/opposites.ts';
import { isChanged } from '../../../src/ai/support/quotation.ts';
import { readText } from '../../../src/ai/support/read-text.ts';
import { keepsClauseContext, runsJoinAtClauses } from '../../../src/ai/support/truncation-check.ts';
import { makePassage, makeSource } from '../../helpers/answer-corpus.ts';

/** Few words, so that sentences share beginnings, ends and middles, and deny and restrict one another. */
const WORDS = 'the a pump lamp must not be never only open opened unopened before after, 5 12 Ann and off limits'.split(
  ' ',
);
const SENTENCE = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => `${words.join(' ')}.`);
const SENTENCES = fc.array(SENTENCE, { minLength: 1, maxLength: 6 });

/** The guard asks none of this of a claim that is a sentence of its source: what it would hear is certain. */
test('a sentence of a source as it stands is neither put together nor changed, whatever stands beside it', () => {
  fc.assert(
    fc.property(SENTENCES, SENTENCES, fc.nat(), (own, others, pick) => {
      const sources = [own, others].map((sentences, index) =>
        readSource(makeSource(index + 1, makePassage({ documentId: `d${index}`, title: 'Pumps', sentences }))),
      );
      const claim = readText(own[pick % own.length] ?? '', 'en');
      const joined = concatenateSources(sources);

      expect(runsJoinAtClauses(claim, joined) && keepsClauseContext(claim, joined)).toBe(true);
      expect([isPrefixSuffixSplice(claim, joined), isChanged(claim, sources)]).toEqual([false, false]);
    }),
    { numRuns: 100 },
  );
});
