import { chooseAnswer } from './blocks/choose-answer.ts';
import { chooseSummary } from './choose-summary.ts';
import { type Composer, type Composition, NO_ANSWER } from './composer.ts';
import { quoteSentences } from './quote.ts';
import type { Ranking } from './ranking.ts';

/**
 * A composer without a model, for one ranking: it quotes blocks of the sources, which must be passages of the ranking,
 * in their own language, and adds no word. `customPrompt` and `history` have no effect.
 */
export function extractiveComposer(ranking: Ranking): Composer {
  return (composition) => compose(ranking, composition);
}

async function* compose(ranking: Ranking, { purpose, sources, length }: Composition) {
  const quotes =
    purpose === 'summary' ? chooseSummary(ranking, sources, length) : chooseAnswer(ranking, sources, length).flat();
  if (quotes.length === 0) yield NO_ANSWER;
  else yield* quoteSentences(quotes);
}
