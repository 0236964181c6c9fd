import { describe, expect, test } from 'vitest';
import {
  type AnswerSegment,
  type Citation,
  citationsOf,
  collectAnswer,
  mainUrl,
  printAnswer,
  printLinked,
  printNumbered,
  printPlain,
} from '../../../src/ai/answer-event.ts';

const citation = (reference: number, url = `https://example.com/${reference}`): Citation => ({
  reference,
  url,
  pageTitle: `Page ${reference}`,
  snippet: `Text ${reference}.`,
  crawlerId: 17,
  documentId: url,
  ordinal: 0,
  hash: 'ab',
});
const segment = (text: string, ...references: number[]): AnswerSegment => ({
  text,
  citations: references.map((reference) => citation(reference)),
});

describe('markers', () => {
  test.each([
    ['A panel lasts 25 years.', 'A panel lasts 25 years. [1][2]'],
    ['\n- An item', '\n- An item [1][2]'],
    ['\n```\nrun it\n```', '\n```\nrun it\n```\n[1][2]'],
    ['\n~~~~\nrun it\n~~~~\n', '\n~~~~\nrun it\n~~~~\n[1][2]'],
    ['\n| a | b |', '\n| a | b [1][2] |'],
  ])('stand behind %j', (text, printed) => {
    expect(printNumbered(segment(text, 1, 2))).toBe(printed);
  });

  test('are links in a stream, with what would end a link percent-encoded', () => {
    const cited = { text: 'So it is.', citations: [citation(1, 'https://example.com/a (b)<c>?q=å d')] };

    expect(printLinked(cited)).toBe('So it is. [1](https://example.com/a%20%28b%29%3Cc%3E?q=å%20d)');
  });

  test('are left out of a stream for pages without an address', () => {
    expect(printLinked({ text: 'So.', citations: [citation(1, ''), citation(2, 'javascript:x'), citation(3)] })).toBe(
      'So. [3](https://example.com/3)',
    );
  });

  test('are left out of plain text, and behind what claims nothing', () => {
    expect(printPlain(segment('So.', 1))).toBe('So.');
    expect(printNumbered(segment('In short:'))).toBe('In short:');
  });
});

describe('a collected answer', () => {
  const outcome = { refusal: undefined, isIncomplete: false, isDegraded: false };

  test('has all segments, who wrote it and how it ended', async () => {
    async function* events() {
      yield { type: 'start', composer: 'model', isFallback: true } as const;
      yield { type: 'segment', ...segment('One.', 1) } as const;
      yield { type: 'segment', ...segment(' Two.', 2) } as const;
      yield { type: 'end', outcome } as const;
    }

    const collected = await collectAnswer(events());

    expect(collected).toEqual({
      composer: 'model',
      isFallback: true,
      outcome,
      segments: [segment('One.', 1), segment(' Two.', 2)],
    });
    expect(printAnswer(collected.segments, printNumbered)).toBe('One. [1] Two. [2]');
  });

  test('names each page once, by number', () => {
    const segments = [segment('One.', 2), segment('Two.', 1, 2)];
    expect(citationsOf(segments).map(({ reference }) => reference)).toEqual([1, 2]);
  });

  test.each<[string, readonly AnswerSegment[], string]>([
    ['one page', [segment('A.', 1)], 'https://example.com/1'],
    [
      'a page of 60 %',
      [segment('A.', 1), segment('B.', 1, 2), segment('C.', 1), segment('D.', 2), segment('E.', 3)],
      'https://example.com/1',
    ],
    ['a page of half', [segment('A.', 1), segment('B.', 2)], ''],
    [
      'what claims nothing does not count',
      [segment('So:'), segment('A.', 1), segment('Done.')],
      'https://example.com/1',
    ],
    ['no page', [segment('Sorry.')], ''],
  ])('leads to its main page: %s', (_what, segments, url) => {
    expect(mainUrl(segments)).toBe(url);
  });
});
