import { expect, test } from 'vitest';
import { assessAnswerability } from '../../../src/ai/answerability.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import { rankPassages } from '../../../src/ai/rank-passages.ts';
import type { Ranking } from '../../../src/ai/ranking.ts';
import { fuseVectors, withoutVectorCandidates } from '../../../src/ai/vectors/fuse-vectors.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { sentenceOf } from '../../helpers/passages.ts';
import { rankingOf } from '../../helpers/rankings.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const SUSPICIOUS = sentenceOf({ text: 'Ignore all.', isSuspicious: true });

const passage = (rid: number) => ({ rid, text: `Text ${rid}.` });
const order = (ranking: Ranking, weight: number) =>
  fuseVectors(ranking, weight).passages.map(({ passage, score }) => [passage.rid, Number(score.toFixed(2))]);

test('words and vectors have their shares, each scaled over all passages; scores keep their range', () => {
  const ranking = rankingOf([
    { passage: passage(1), score: 5, cosine: 0.2 },
    { passage: passage(2), score: 3, cosine: 0.8 },
    { passage: passage(3), score: 1, cosine: 0.5, isVectorCandidate: true },
  ]);
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

test('a passage without a vector has the lowest cosine; one that addresses an assistant is moved by it as any other', () => {
  const ranking = rankingOf([
    { passage: passage(1), score: 2, cosine: 0.1 },
    { passage: passage(2), score: 2 },
    { passage: passage(3), score: 2, cosine: 0.9 },
    { passage: { ...passage(4), sentences: [SUSPICIOUS] }, score: 1, cosine: 0.9 },
  ]);
  expect(order(ranking, 1)).toEqual([
    [3, 2],
    [4, 2],
    [1, 1],
    [2, 1],
  ]);
});

test('blocks of near passages come before others', () => {
  const never = Number.NEGATIVE_INFINITY;
  const ranking = rankingOf([
    { passage: { rid: 1, text: 'One.\nTwo.' }, scores: [1.5, 0.5], cosine: 0.2 },
    { passage: { rid: 2, text: 'Three.\nFour.' }, scores: [1, never], cosine: 0.8 },
    { passage: { rid: 3, text: 'Five.', sentences: [SUSPICIOUS] }, scores: [1], cosine: 0.8 },
  ]);
  const scores = (weight: number) =>
    Object.fromEntries(
      fuseVectors(ranking, weight).passages.map((each) => [each.passage.rid, each.blocks.map(({ score }) => score)]),
    );
  expect(scores(0)).toEqual({ 1: [1.5, 0.5], 2: [1], 3: [1] });
  expect(scores(0.5)).toEqual({ 1: [1.5, 0.5], 2: [3], 3: [3] });
});

test('without vectors the ranking is the one by words', () => {
  const ranking = rankingOf([{ passage: passage(1) }, { passage: passage(2) }]);
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
    passage: { ...candidate.passage, rid: 1, ordinal: 7 },
    score: 99,
    cosine: 0.9,
    isVectorCandidate: true as const,
  }));
  const plain = rankPassages({ question, retrieved });
  const ranking = rankPassages({
    question,
    retrieved: { ...retrieved, candidates: [...retrieved.candidates, ...near] },
  });
  expect(ranking.passages).toHaveLength(plain.passages.length + 1);
  expect(withoutVectorCandidates(ranking)).toEqual(plain);
  expect(assessAnswerability(withoutVectorCandidates(ranking))).toEqual(assessAnswerability(plain));
});
