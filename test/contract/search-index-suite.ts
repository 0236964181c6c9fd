import { describe } from 'vitest';
import type { OpenIndex } from '../helpers/search-index-harness.ts';
import { describeCompletions } from './search-index-completions-suite.ts';
import { describeCounting } from './search-index-counting-suite.ts';
import { describeExplain } from './search-index-explain-suite.ts';
import { describeMatching } from './search-index-matching-suite.ts';
import { describeNames } from './search-index-names-suite.ts';
import { describeOrder } from './search-index-order-suite.ts';
import { describePlacing } from './search-index-placing-suite.ts';
import { describeReading } from './search-index-reading-suite.ts';
import { describeRelevance } from './search-index-relevance-suite.ts';
import { describeSurroundings } from './search-index-surroundings-suite.ts';
import { describeCrashes, describeWriter } from './search-index-writer-suite.ts';

/**
 * One test per sentence of the ports `SearchIndex` and `IndexWriter`; every adapter calls it with its factory.
 * An adapter with files also gives `reopen`, and `keepsFiles` runs the tests that need it.
 */
export function describeSearchIndex(adapter: string, open: OpenIndex, { keepsFiles }: { keepsFiles: boolean }): void {
  describe(`${adapter}: writing`, () => describeWriter(open));
  if (keepsFiles) describe(`${adapter}: crashes`, () => describeCrashes(open));
  describe(`${adapter}: matching`, () => describeMatching(open));
  describe(`${adapter}: completions`, () => describeCompletions(open));
  describe(`${adapter}: counting`, () => describeCounting(open));
  describe(`${adapter}: placing`, () => describePlacing(open));
  describe(`${adapter}: order and scores`, () => describeOrder(open));
  describe(`${adapter}: relevance`, () => describeRelevance(open));
  describe(`${adapter}: words beside the main text`, () => describeSurroundings(open));
  describe(`${adapter}: texts of links, and names`, () => describeNames(open));
  describe(`${adapter}: explanations`, () => describeExplain(open));
  describe(`${adapter}: generations and limits`, () => describeReading(open));
}
