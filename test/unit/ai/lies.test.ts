import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Passage } from '../../../src/search/passage.ts';
import { corpusPages, makeSource, passagesOfSet } from '../../helpers/answer-corpus.ts';
import { guardPieces } from '../../helpers/guarded.ts';
import { sendAnswers, totalOf } from '../../helpers/lying-writer.ts';
import { seededRandom } from '../../helpers/random.ts';

/** More of the same by hand: `LIES=1000`, and another `LIES_SEED`. */
const ANSWERS = Number(process.env['LIES'] ?? 80);
const SEED = Number(process.env['LIES_SEED'] ?? 2_026);

/** Sentences of people who told in their own words what pages say: set, page, sentence. */
function readParaphrases(name: string): readonly (readonly [string, string, string])[] {
  return JSON.parse(readFileSync(new URL(`../../fixtures/answers/${name}.json`, import.meta.url), 'utf8'));
}

function passagesOfCorpus(corpus: string, id: string): readonly Passage[] {
  return corpusPages().find((page) => page.corpus === corpus && page.id === id)!.passages;
}

describe('guardAnswer on a writer that lies in 30 % of its sentences', () => {
  test(`sends nearly all that is true and no lie (seed ${SEED})`, async () => {
    const { figures, sentLies, misattributed, lost } = await sendAnswers(seededRandom(SEED), ANSWERS);

    const truths = totalOf(figures, (kind) => kind.startsWith('true'));
    if (process.env['LIES'] !== undefined)
      process.stdout.write(`${JSON.stringify({ figures, sentLies, misattributed, lost }, null, 1)}\n`);
    expect(truths.said).toBeGreaterThanOrEqual(200);
    expect(sentLies).toEqual([]);
    expect(misattributed).toEqual([]);
    expect(truths.sent / truths.said).toBeGreaterThanOrEqual(0.97);
  }, 120_000);

  test.each([
    ['known', 'paraphrases', passagesOfCorpus, 0.84],
    ['held out', 'paraphrases-held-out', passagesOfCorpus, 0.78],
    ['of six other corpora', 'paraphrases-fresh', passagesOfSet, 0.76],
  ] as const)('sends most of what people say in their own words: %s', async (_, name, passagesOf, least) => {
    const dropped: string[] = [];
    const rows = readParaphrases(name);
    for (const [set, id, text] of rows) {
      const passages = passagesOf(set, id);
      const sources = passages.map((passage, i) => makeSource(i + 1, passage));
      const { title, language } = passages[0]!;
      const { segments } = await guardPieces([text], { sources, question: title, language, numbering: 'as-given' });
      if (segments.length === 0) dropped.push(text);
    }
    if (process.env['LIES'] !== undefined) process.stdout.write(`${rows.length} ${dropped.join('\n')}\n`);

    expect(1 - dropped.length / rows.length).toBeGreaterThanOrEqual(least);
  });
});
