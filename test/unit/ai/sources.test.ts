import { describe, expect, test } from 'vitest';
import { SOURCE_BUDGETS, selectSources, selectSummarySources } from '../../../src/ai/sources.ts';
import { estimateTokens } from '../../../src/ai/token-estimate.ts';
import { passageOf } from '../../helpers/passages.ts';

const WIDE = { passages: 10, tokens: Number.POSITIVE_INFINITY };

/** `rid:ordinal` of the passages of each source. */
const shown = (sources: ReturnType<typeof selectSources>) =>
  sources.map(({ reference, passages }) => [reference, ...passages.map(({ rid, ordinal }) => `${rid}:${ordinal}`)]);

const at = (rid: number, ordinal: number, text = 'One sentence.') => passageOf({ rid, ordinal, text });

describe('sources of an answer', () => {
  test('are numbered from 1 in the order of the ranking', () => {
    const sources = selectSources([at(2, 0), at(1, 4), at(3, 1)], WIDE);
    expect(shown(sources)).toEqual([
      [1, '2:0'],
      [2, '1:4'],
      [3, '3:1'],
    ]);
  });

  test('take two passages of a document', () => {
    const sources = selectSources([at(1, 0), at(1, 4), at(1, 8), at(2, 0), at(3, 0)], WIDE);
    expect(shown(sources).flat()).not.toContain('1:8');
  });

  test('take four passages of a document when only two documents were found', () => {
    const ranked = [0, 2, 4, 6, 8].map((ordinal) => at(1, ordinal));
    expect(selectSources([...ranked, at(2, 0)], WIDE)).toHaveLength(5);
  });

  test('join consecutive passages of a document in page order', () => {
    const sources = selectSources([at(1, 3), at(2, 0), at(1, 2), at(3, 3)], WIDE);
    expect(shown(sources)).toEqual([
      [1, '1:2', '1:3'],
      [2, '2:0'],
      [3, '3:3'],
    ]);
  });

  test('join what a passage between them connects', () => {
    const sources = selectSources([at(1, 3), at(2, 0), at(1, 5), at(1, 4)], WIDE);
    expect(shown(sources)).toEqual([
      [1, '1:3', '1:4', '1:5'],
      [2, '2:0'],
    ]);
  });

  test('do not join passages of different fields', () => {
    const description = passageOf({ rid: 1, ordinal: 1, field: 'Description', text: 'A description.' });
    expect(selectSources([at(1, 0), description], WIDE)).toHaveLength(2);
  });

  test('leave out what does not fit the tokens whole, and go on with what does', () => {
    const long = at(1, 0, 'word '.repeat(100));
    const sources = selectSources([at(2, 0), long, at(3, 0)], { passages: 10, tokens: 20 });
    expect(shown(sources)).toEqual([
      [1, '2:0'],
      [2, '3:0'],
    ]);
  });

  test('are at most the passages of the length', () => {
    const ranked = Array.from({ length: 12 }, (_, rid) => at(rid, 0));
    expect(selectSources(ranked, SOURCE_BUDGETS.extractive.concise)).toHaveLength(2);
    expect(selectSources(ranked, SOURCE_BUDGETS.model.comprehensive)).toHaveLength(8);
  });

  test('are none for no passages', () => {
    expect(selectSources([], WIDE)).toEqual([]);
  });
});

describe('sources of a summary', () => {
  test('keep the numbers and the order of the request', () => {
    const documents = [
      { reference: 1, ranked: [at(7, 2), at(7, 0)] },
      { reference: 2, ranked: [] },
      { reference: 3, ranked: [at(5, 1)] },
    ];
    expect(shown(selectSummarySources(documents, WIDE))).toEqual([
      [1, '7:0', '7:2'],
      [3, '5:1'],
    ]);
  });

  test('share the budget, so that each document has a passage', () => {
    const long = 'word '.repeat(40);
    const documents = [1, 2].map((rid) => ({ reference: rid, ranked: [at(rid, 0, long), at(rid, 1, long)] }));
    expect(shown(selectSummarySources(documents, { passages: 4, tokens: 110 }))).toEqual([
      [1, '1:0'],
      [2, '2:0'],
    ]);
  });
});

test.each([
  ['four Latin letters', 'abcdefgh', 2],
  ['three halves of a Chinese character', '向日葵', 2],
  ['a mixture of both', 'abcd向日葵', 3],
])('a token is about %s', (_name, text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
