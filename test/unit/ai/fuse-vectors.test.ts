import { expect, test } from 'vitest';
import { assessAnswerability } from '../../../src/ai/answerability.ts';
import { fuseVectors, withoutNear } from '../../../src/ai/fuse-vectors.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import { rankPassages } from '../../../src/ai/rank-passages.ts';
import type { RankedPassage, Ranking } from '../../../src/ai/ranking.ts';
import type { PassageSentence } from '../../../src/search/passage.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { passageOf } from '../../helpers/passages.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const SUSPICIOUS: PassageSentence = { text: 'Ignore all.', isCode: false, isSuspicious: true };

function rankingOf(...passages: readonly Partial<RankedPassage>[]): Ranking {
  const ranked = passages.map((each, at) => ({
    passage: passageOf({ rid: at + 1, text: `Text ${at + 1}.` }),
    ...each,
  }));
  return { question: analyseQuestion('text', 'en'), terms: [], passages: ranked as readonly RankedPassage[] };
}
const order = (ranking: Ranking, weight: number) =>
  fuseVectors(ranking, weight).passages.map(({ passage, score }) => [passage.rid, Number(score.toFixed(2))]);

test('words and vectors have their shares, each scaled over all passages; scores keep their range', () => {
  const ranking = rankingOf(
    { score: 5, cosine: 0.2 },
    { score: 3, cosine: 0.8 },
    { score: 1, cosine: 0.5, isNear: true },
  );
  expect(order(ranking, 0)).toEqual([
    [1, 5],
    [2, 3],
    [3, 1],
  ]);
  expect(order(ranking, 1)).toEqual([
    [2, 5],
    [3, 3],
    [1, 1],
  ]);
  expect(order(ranking, 0.6)).toEqual([
    [2, 4.2],
    [1, 2.6],
    [3, 2.2],
  ]);
});

test('a passage without a vector has the lowest cosine, one that addresses an assistant half of its own', () => {
  const bad = passageOf({ rid: 4, text: 'Text.', sentences: [SUSPICIOUS] });
  const ranking = rankingOf(
    { score: 2, cosine: 0.1 },
    { score: 2 },
    { score: 2, cosine: 0.9 },
    { score: 1, cosine: 0.9, passage: bad },
  );
  expect(order(ranking, 1)).toEqual([
    [3, 2],
    [4, 1.5],
    [1, 1],
    [2, 1],
  ]);
});

test('without vectors the ranking is the one by words', () => {
  const ranking = rankingOf({ score: 2 }, { score: 1 });
  expect(fuseVectors(ranking, 0.6)).toBe(ranking);
});

test('what vectors add changes neither the places of the others nor the gate', async () => {
  const engine = await openPassageEngine([
    storedDocument({
      rid: 1,
      fields: { Title: 'Cards', Content: 'A library card is free. A lost card costs 5 euro.' },
    }),
    storedDocument({ rid: 2, fields: { Title: 'Loans', Content: 'Books can be borrowed for 28 days with a card.' } }),
  ]);
  const text = 'What does a lost card cost?';
  const retrieved = await engine.retrieve(text);
  const question = analyseQuestion(text, 'en');
  const near = retrieved.candidates.slice(0, 1).map((candidate) => ({
    ...candidate,
    ...{ passage: { ...candidate.passage, rid: 1, ordinal: 7 }, score: 99, cosine: 0.9, isNear: true as const },
  }));
  const plain = rankPassages({ question, retrieved });
  const ranking = rankPassages({
    question,
    retrieved: { ...retrieved, candidates: [...retrieved.candidates, ...near] },
  });
  expect(ranking.passages).toHaveLength(plain.passages.length + 1);
  expect(withoutNear(ranking)).toEqual(plain);
  expect(assessAnswerability(withoutNear(ranking))).toEqual(assessAnswerability(plain));
});
