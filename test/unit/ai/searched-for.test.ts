import { expect, test } from 'vitest';
import { searchedFor } from '../../../src/ai/answer-generators.ts';
import { rankingOf } from '../../helpers/rankings.ts';

test('words that stand for those of the question are searched for too, several of which all are needed are not', () => {
  const alternatives = [['lift'], ['way', 'up']].map((words) => ({ words, weight: 0.4, isSynonym: false }));
  const terms = [{ text: 'elevator', weight: 1, isUnseen: false, alternatives }];
  const { question } = rankingOf([], { text: 'Where is the elevator?' });
  expect(searchedFor({ question, terms })).toBe('Where is the elevator? lift');
});
