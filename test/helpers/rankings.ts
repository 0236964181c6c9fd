import { blocksOf } from '../../src/ai/blocks/answer-blocks.ts';
import type { AnalysedQuestion } from '../../src/ai/question-types.ts';
import type { RankedBlock, RankedPassage, RankedSentence, Ranking } from '../../src/ai/ranking.ts';
import { passageOf } from './passages.ts';

type Sketch = Partial<Omit<RankedPassage, 'passage' | 'sentences' | 'blocks'>> & {
  readonly passage: Parameters<typeof passageOf>[0];
  /** Of its sentences, any number; blocks with one of the others are not ranked. */
  readonly scores?: readonly number[];
  /** Coverages of its sentences; the others have 1. Those by their own words are the same unless said otherwise. */
  readonly covered?: readonly number[];
  readonly own?: readonly number[];
};

export function questionOf(given: Partial<AnalysedQuestion> = {}): AnalysedQuestion {
  return {
    ...{ text: 'What?', type: 'other', asksFor: undefined, intent: undefined, language: 'en' },
    ...{ words: [], written: [], joined: [], subject: [] },
    ...given,
  };
}

/** A ranking as a test sketches it, in the given order; scores fall from 1 by tenths. */
export function rankingOf(binaryVectors: readonly Sketch[], question: Partial<AnalysedQuestion> = {}): Ranking {
  const passages = binaryVectors.map((sketch, index) => rankedPassage({ score: 1 - index / 10, ...sketch }));
  return { question: questionOf(question), terms: [], passages };
}

/** What blocks of several sentences score more than the least of them: a list of equal items comes before its items. */
const GAINS: Readonly<Record<string, number>> = { pair: -0.01, list: 0.01 };

function rankedPassage({ passage: given, scores = [], covered = [], own = covered, ...more }: Sketch): RankedPassage {
  const passage = passageOf(given);
  const sentences = passage.sentences.map(
    ({ text }, at): RankedSentence => ({
      ...{ score: scores[at] ?? Number.NEGATIVE_INFINITY, coverage: covered[at] ?? 1, ownCoverage: own[at] ?? 1 },
      ...{ isDefinition: false, fitsType: false, terms: termsOf(text), strengths: [], matched: 0, wordPairs: 0 },
    }),
  );
  const all = sentences.map(({ score }) => score);
  const blocks = blocksOf(passage).flatMap((block): readonly RankedBlock[] => {
    const said = block.sentences.filter((at) => !block.leadIns.includes(at)).flatMap((at) => sentences[at] ?? []);
    const highest = (of: 'coverage' | 'ownCoverage') => Math.max(...said.map((sentence) => sentence[of]));
    const score = Math.min(...said.map((sentence) => sentence.score)) + (GAINS[block.kind] ?? 0);
    const covered = { coverage: highest('coverage'), ownCoverage: highest('ownCoverage') };
    return Number.isFinite(score) ? [{ ...block, ...covered, score }] : [];
  });
  return {
    ...{ passage, sentences, blocks, bestSentence: all.indexOf(Math.max(...all)), score: 1, factor: 1, relevance: 1 },
    ...{ strength: 1, coverage: 1, headingMatch: 0, titleMatch: 0, pageScore: 1, wordPairs: 0, hasAskedKind: true },
    ...{
      headingContext: { headings: [], title: [], lastHeading: [] },
      missingTerms: [],
      heaviestMissing: 0,
      codeShare: 0,
    },
    ...more,
  };
}

/** Words as numbers, the same for the same word. */
function termsOf(text: string): Uint32Array {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return Uint32Array.from(words, (word) => [...word].reduce((hash, char) => hash * 31 + (char.codePointAt(0) ?? 0), 7));
}
