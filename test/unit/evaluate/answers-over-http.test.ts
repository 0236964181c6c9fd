import { expect, test } from 'vitest';
import { segmentsOf } from '../../../scripts/evaluate/graded-answers/answers-over-http.ts';
import { printAnswer, printNumbered } from '../../../src/ai/answer-event.ts';

const PAGES = [1, 2].map((reference) => ({
  reference,
  url: `http://127.0.0.1:9111/guide/page%20${reference}.html`,
  pageTitle: `Page ${reference}`,
}));

test.each([
  ['sentences', 'It opens at nine. [1] It closes late. [1][2]', ['It opens at nine.', ' It closes late.']],
  ['rows', '| Day | Hours |\n| --- | --- |\n| Monday | 9 [1] |\n| Tuesday | 10 [2] |', 2],
  ['code', 'Run this:\n```\nmake\n```\n[1]\n\nThen wait. [1]', 2],
  [
    'brackets of the page itself',
    'Take a[0], and see note [7]. [2] Done. [1]',
    ['Take a[0], and see note [7].', ' Done.'],
  ],
  ['a rest without a page', 'It opens at nine. [1]\n\nAsk us.', ['It opens at nine.', '\n\nAsk us.']],
])('an answer of %s is read as its segments, which print it again', (_, delivered, wanted) => {
  const segments = segmentsOf(delivered, PAGES);

  expect(printAnswer(segments, printNumbered)).toBe(delivered);
  if (typeof wanted === 'number') expect(segments).toHaveLength(wanted);
  else expect(segments.map(({ text }) => text)).toEqual(wanted);
});

test('a cited page is known by its path on the server, without its ending', () => {
  const [first] = segmentsOf('It opens at nine. [2]', PAGES);

  expect(first?.citations.map(({ documentId }) => documentId)).toEqual(['guide/page 2']);
});
