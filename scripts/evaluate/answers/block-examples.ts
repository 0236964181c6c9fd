import type { AnswerBlock } from '../../../src/ai/answer-blocks.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import { readBlockFeatures, rerankedPassages } from '../../../src/ai/rank-blocks.ts';
import type { Passage } from '../../../src/search/passage.ts';
import type { BlockModel } from '../../../src/ai/rank-blocks.ts';
import type { BlockExample } from '../../train/block-model.ts';
import { openSuite } from './ask-suite.ts';
import { type AskedQuestion, documentKey, SUITES, suiteQuestions } from './suites.ts';

/** By site: one that knows no question of it. */
export type SiteModels = ReadonlyMap<string, BlockModel>;

/** What it is worth to quote a block first: one that answers, and one that stands beside such a one. */
const GAINS = { answers: 6, answersAtLength: 5, beside: 1 } as const;
const SHORT_CHARS = 300;

/** What the second look learns from: the answerable questions of all tuning halves. */
export async function* blockExamples(): AsyncGenerator<BlockExample> {
  for (const suite of SUITES) {
    await using opened = await openSuite(suite);
    for (const asked of suiteQuestions(suite, 'tuning')) {
      if (asked.kind !== 'answerable') continue;
      const ranking = await opened.rank(asked);
      const reranked = rerankedPassages(ranking);
      const { rows, blocks } = readBlockFeatures(ranking, reranked);
      const gains = reranked.flatMap(({ passage }, position) => gainsOf(passage, blocks[position] ?? [], asked));
      yield { key: questionKey(asked), site: asked.set, rows, gains };
    }
  }
}

export function questionKey({ set, id }: Pick<AskedQuestion, 'set' | 'id'>): string {
  return `${set} ${id}`;
}

function gainsOf(
  passage: Passage,
  blocks: readonly AnswerBlock[],
  { gold, nuggets }: AskedQuestion,
): readonly number[] {
  const isGold = gold.includes(documentKey(passage));
  const answers = (text: string) => isGold && holdsNugget(text, nuggets);
  const beside = answers([...passage.headings, passage.text].join('\n')) ? GAINS.beside : 0;
  return blocks.map(({ sentences, leadIns }) => {
    const own = sentences.filter((at) => !leadIns.includes(at)).map((at) => passage.sentences[at]?.text ?? '');
    const text = own.join('\n');
    if (!answers(text)) return beside;
    return text.length <= SHORT_CHARS ? GAINS.answers : GAINS.answersAtLength;
  });
}
