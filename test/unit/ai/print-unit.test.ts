import { describe, expect, test } from 'vitest';
import type { AnswerUnit, Citation } from '../../../src/ai/answer-event.ts';
import { citationsOf, collectAnswer, mainUrl, printAnswer } from '../../../src/ai/collect-answer.ts';
import { printLinked, printNumbered, printPlain } from '../../../src/ai/print-unit.ts';

const citation = (reference: number, url = `https://example.com/${reference}`): Citation => ({
  ...{ reference, url, pageTitle: `Page ${reference}`, snippet: `Text ${reference}.` },
  ...{ crawlerId: 17, documentId: url, ordinal: 0, hash: 'ab' },
});
const unit = (text: string, ...references: number[]): AnswerUnit => ({
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
    expect(printNumbered(unit(text, 1, 2))).toBe(printed);
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
    expect(printPlain(unit('So.', 1))).toBe('So.');
    expect(printNumbered(unit('In short:'))).toBe('In short:');
  });
});

describe('a collected answer', () => {
  const outcome = { refusal: undefined, isIncomplete: false, isDegraded: false };

  test('has all units, who wrote it and how it ended', async () => {
    async function* events() {
      yield { type: 'start', composer: 'model', isFallback: true } as const;
      yield { type: 'unit', ...unit('One.', 1) } as const;
      yield { type: 'unit', ...unit(' Two.', 2) } as const;
      yield { type: 'end', outcome } as const;
    }

    const collected = await collectAnswer(events());

    expect(collected).toEqual({
      ...{ composer: 'model', isFallback: true, outcome },
      units: [unit('One.', 1), unit(' Two.', 2)],
    });
    expect(printAnswer(collected.units, printNumbered)).toBe('One. [1] Two. [2]');
  });

  test('names each page once, by number', () => {
    const units = [unit('One.', 2), unit('Two.', 1, 2)];
    expect(citationsOf(units).map(({ reference }) => reference)).toEqual([1, 2]);
  });

  test.each<[string, readonly AnswerUnit[], string]>([
    ['one page', [unit('A.', 1)], 'https://example.com/1'],
    [
      'a page of 60 %',
      [unit('A.', 1), unit('B.', 1, 2), unit('C.', 1), unit('D.', 2), unit('E.', 3)],
      'https://example.com/1',
    ],
    ['a page of half', [unit('A.', 1), unit('B.', 2)], ''],
    ['what claims nothing does not count', [unit('So:'), unit('A.', 1), unit('Done.')], 'https://example.com/1'],
    ['no page', [unit('Sorry.')], ''],
  ])('leads to its main page: %s', (_what, units, url) => {
    expect(mainUrl(units)).toBe(url);
  });
});
