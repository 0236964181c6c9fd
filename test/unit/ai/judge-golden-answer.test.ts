import { expect, test } from 'vitest';
import { judgeGoldenAnswer } from '../../../src/ai/golden-questions.ts';

const HOURS = { crawlerId: 17, documentId: 'hours', url: 'https://a.test/hours#today' };
const ANSWER = { text: 'We open at **9 am** every day.', refusal: undefined, cited: [HOURS] };

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['page and words are there, places and marks aside', ['https://a.test/hours#week'], ['9 AM'], []],
  ['one of several pages is enough', ['https://a.test/x | https://a.test/hours'], [], []],
  ['one of several wordings is enough', [], ['09:00 | 9 am'], []],
  ['every page is needed', ['https://a.test/hours', 'https://a.test/x'], [], ['https://a.test/x']],
  ['every text is needed, as whole words', [], ['9 am', 'ope', 'Sunday'], ['ope', 'Sunday']],
])('%s', (_, mustCite, mustContain, missing) => {
  const { isRight, missingPages, missingTexts } = judgeGoldenAnswer({ mustCite, mustContain }, ANSWER);

  expect([...missingPages, ...missingTexts]).toEqual(missing);
  expect(isRight).toBe(missing.length === 0);
});

test('a refusal is never right', () => {
  const refused = { text: '', refusal: 'below-gate', cited: [] };

  expect(judgeGoldenAnswer({ mustCite: [], mustContain: [] }, refused).isRight).toBe(false);
});
