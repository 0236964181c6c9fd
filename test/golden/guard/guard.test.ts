import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../../src/ai/sources.ts';
import { splitSentences } from '../../../src/text/sentences.ts';
import { makePassage, makeSource } from '../../helpers/answer-corpus.ts';
import { guardText } from '../../helpers/guarded.ts';

/** A text, and what a fluent writer says of it in own words: what is true, and the same with one thing turned. */
type Row = {
  readonly kind: string;
  readonly language?: string;
  readonly source: string;
  readonly true: readonly string[];
  readonly lies: readonly (readonly [turned: string, sentence: string])[];
};

function readRows(half: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`${half}.json`, import.meta.url), 'utf8'));
}

/** Each text with the two that follow it in the file, when they are in its language. */
function sourcesOf(rows: readonly Row[], at: number): readonly Source[] {
  const language = (row: Row) => row.language ?? 'en';
  const own = rows[at]!;
  const near = [1, 2].map((step) => rows[(at + step) % rows.length]!);
  return [own, ...near.filter((row) => language(row) === language(own))].map((row, i) => {
    const sentences = splitSentences(row.source, language(row));
    return makeSource(
      i + 1,
      makePassage({ documentId: `text-${i}`, title: '', language: language(row), sentences }),
    );
  });
}

type Figures = { said: number; sent: number };

async function figuresOf(half: string): Promise<Readonly<Record<'truths' | 'lies', Figures>>> {
  const rows = readRows(half);
  const figures = { truths: { said: 0, sent: 0 }, lies: { said: 0, sent: 0 } };
  for (const [at, row] of rows.entries()) {
    const options = {
      sources: sourcesOf(rows, at),
      question: '',
      language: row.language ?? 'en',
      numbering: 'as-given',
    } as const;
    const count = async (figure: Figures, sentence: string) => {
      const { segments } = await guardText(sentence.replace(/\.$/, ' [1].'), options);
      figure.said++;
      if (segments.length > 0) figure.sent++;
    };
    for (const sentence of row.true) await count(figures.truths, sentence);
    for (const [, sentence] of row.lies) await count(figures.lies, sentence);
  }
  return figures;
}

describe('the guard on sentences in own words', () => {
  test.each([
    ['tuning', 0.72, 0.18],
    ['tuning-2', 0.66, 0.11],
    ['blind', 0.66, 0.18],
  ])('sends most that are true and few lies: %s', async (half, leastTrue, mostLies) => {
    const { truths, lies } = await figuresOf(half);

    expect(truths.sent / truths.said).toBeGreaterThanOrEqual(leastTrue);
    expect(lies.sent / lies.said).toBeLessThanOrEqual(mostLies);
  });
});
