import type { AnswerBlock } from '../../../src/ai/blocks/answer-blocks.ts';
import { type BlockRows, readBlockFeatures } from '../../../src/ai/blocks/block-features.ts';
import { type BlockModel, rerankedPassages } from '../../../src/ai/blocks/rank-blocks.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import type { AnalysedQuestion } from '../../../src/ai/question-types.ts';
import type { RankedPassage } from '../../../src/ai/ranking.ts';
import type { Passage } from '../../../src/search/passage.ts';
import type { QuestionType } from '../../../src/text/languages/language-pack.ts';
import type { BlockExample } from '../../train/block-model.ts';
import { type AskedQuestion, documentKey } from './suites.ts';
import type { TrainingSuite } from './training-sites.ts';

/** By site: one that knows no question of it. */
export type SiteModels = ReadonlyMap<string, BlockModel>;

/**
 * What it is worth to quote a block first: one that answers, a long one, a whole list or table of which a part would do,
 * and one that stands beside such a one.
 */
const GAINS = { answers: 6, answersAtLength: 5, answersAmongOthers: 3, beside: 1 } as const;
const SHORT_CHARS = 300;

/** What the ranking of blocks is trained on: the answerable questions. */
export async function* blockExamples(suites: readonly TrainingSuite[]): AsyncGenerator<BlockExample> {
  for (const { open, asked: questions } of suites) {
    await using opened = await open();
    for (const asked of questions) {
      if (asked.kind !== 'answerable') continue;
      const ranking = await opened.rank(asked);
      const passages = rerankedPassages(ranking);
      const { rows, blocks } = readBlockFeatures(ranking, passages);
      yield { site: asked.set, rows, gains: blockGains(asked, ranking.question, { passages, blocks }) };
    }
  }
}

type ReadPassages = { readonly passages: readonly RankedPassage[]; readonly blocks: BlockRows['blocks'] };

/** What each block is worth, passage by passage. */
export function blockGains(
  asked: AskedQuestion,
  { type }: Pick<AnalysedQuestion, 'type'>,
  { passages, blocks }: ReadPassages,
): readonly number[] {
  return passages.flatMap(({ passage }, at) => gainsOf({ passage, blocks: blocks[at] ?? [], type }, asked));
}

type Read = { readonly passage: Passage; readonly blocks: readonly AnswerBlock[]; readonly type: QuestionType };

function gainsOf({ passage, blocks, type }: Read, { gold, nuggets }: AskedQuestion): readonly number[] {
  const isGold = gold.includes(documentKey(passage));
  const answers = (text: string) => isGold && holdsNugget(text, nuggets);
  const beside = answers([...passage.headings, passage.text].join('\n')) ? GAINS.beside : 0;
  return blocks.map(({ kind, sentences, leadIns }) => {
    const own = sentences.filter((at) => !leadIns.includes(at)).map((at) => passage.sentences[at]?.text ?? '');
    const text = own.join('\n');
    if (!answers(text)) return beside;
    const isWhole = kind === 'list' || kind === 'table';
    if (isWhole && type !== 'how-to') return GAINS.answersAmongOthers;
    return text.length <= SHORT_CHARS || kind === 'pair' ? GAINS.answers : GAINS.answersAtLength;
  });
}
