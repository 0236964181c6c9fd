import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import { readSentenceFeatures, rerankPassages } from '../../../src/ai/rank-sentences.ts';
import type { RankedPassage } from '../../../src/ai/ranking.ts';
import type { SentenceExample } from '../../train/sentence-model.ts';
import { openSuite } from './ask-suite.ts';
import { type AskedQuestion, documentKey, SUITES, suiteQuestions } from './suites.ts';

/** What it is worth to quote a sentence first: one that answers, and one that stands beside such a one. */
const GAINS = { answers: 6, beside: 1 } as const;

/** What the second look learns from: the answerable questions of all tuning halves. */
export async function* sentenceExamples(): AsyncGenerator<SentenceExample> {
  for (const suite of SUITES) {
    await using opened = await openSuite(suite);
    for (const asked of suiteQuestions(suite, 'tuning')) {
      if (asked.kind !== 'answerable') continue;
      const ranking = await opened.rank(asked);
      const looked = rerankPassages(ranking);
      const rows = readSentenceFeatures(ranking, looked);
      yield { key: questionKey(asked), rows, gains: looked.flatMap((ranked) => gainsOf(ranked, asked)) };
    }
  }
}

export function questionKey({ set, id }: Pick<AskedQuestion, 'set' | 'id'>): string {
  return `${set} ${id}`;
}

function gainsOf({ passage }: RankedPassage, { gold, nuggets }: AskedQuestion): readonly number[] {
  const isGold = gold.includes(documentKey(passage));
  const answers = (text: string) => isGold && holdsNugget(text, nuggets);
  const beside = answers([...passage.headings, passage.text].join('\n')) ? GAINS.beside : 0;
  return passage.sentences.map(({ text }) => (answers(text) ? GAINS.answers : beside));
}
