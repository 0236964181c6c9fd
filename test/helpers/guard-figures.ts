import { readFileSync } from 'node:fs';
import type { Source } from '../../src/ai/sources.ts';
import type { Nearness } from '../../src/ai/support/meaning-check.ts';
import { splitSentences } from '../../src/text/sentences.ts';
import { makePassage, makeSource } from './answer-corpus.ts';
import { guardText } from './guarded.ts';

/** A text, and what a fluent writer says of it in own words: what is true, and the same with one thing turned. */
type Row = {
  readonly kind: string;
  readonly language?: string;
  readonly source: string;
  readonly true: readonly string[];
  readonly lies: readonly (readonly [turned: string, sentence: string])[];
};

function readRows(part: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`../golden/guard/${part}.json`, import.meta.url), 'utf8'));
}

/** Each text with the two that follow it in the file, when they are in its language. */
function sourcesOf(rows: readonly Row[], at: number): readonly Source[] {
  const language = (row: Row) => row.language ?? 'en';
  const own = rows[at]!;
  const near = [1, 2].map((step) => rows[(at + step) % rows.length]!);
  return [own, ...near.filter((row) => language(row) === language(own))].map((row, i) => {
    const sentences = splitSentences(row.source, language(row));
    return makeSource(i + 1, makePassage({ documentId: `text-${i}`, title: '', language: language(row), sentences }));
  });
}

export type GuardFigures = { said: number; sent: number };

/** What the guard sends of a part of `golden/guard`; `openNearness` for an embedder. */
export async function guardFigures(
  part: string,
  openNearness?: () => Nearness,
): Promise<Readonly<Record<'truths' | 'lies', GuardFigures>>> {
  const rows = readRows(part);
  const figures = { truths: { said: 0, sent: 0 }, lies: { said: 0, sent: 0 } };
  for (const [at, row] of rows.entries()) {
    const options = {
      sources: sourcesOf(rows, at),
      question: '',
      language: row.language ?? 'en',
      numbering: 'as-given',
      nearness: openNearness?.(),
    } as const;
    const count = async (figure: GuardFigures, sentence: string) => {
      const { segments } = await guardText(sentence.replace(/\.$/, ' [1].'), options);
      figure.said++;
      if (segments.length > 0) figure.sent++;
    };
    for (const sentence of row.true) await count(figures.truths, sentence);
    for (const [, sentence] of row.lies) await count(figures.lies, sentence);
  }
  return figures;
}
