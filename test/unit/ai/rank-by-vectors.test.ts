import { expect, test } from 'vitest';
import { COMPARED_BLOCKS, rankByVectors } from '../../../src/ai/vectors/rank-by-vectors.ts';
import { COMPARISON_FEATURES, VECTOR_FEATURES, type VectorRanking } from '../../../src/ai/vectors/vector-features.ts';
import { rankingOf } from '../../helpers/rankings.ts';

type Sketch = { readonly text: string; readonly cosine?: number; readonly isVectorCandidate?: true };

function vectorRanking(sketches: readonly Sketch[]): VectorRanking {
  const passages = sketches.map(({ text, ...found }, at) => ({ passage: { rid: at + 1, text }, ...found }));
  return { ...rankingOf(passages), scale: { unrelated: 0.5, related: 0.6, ordinary: 0.5 } };
}

const column = (features: readonly string[], name: string) => (rows: Float32Array, from: number) =>
  rows[from + features.indexOf(name)] ?? Number.NaN;
/** Blocks by the cosine of their passage, changed by that of their own. */
const BY_COSINES = {
  blocks: column(VECTOR_FEATURES, 'cosine'),
  comparison: column(COMPARISON_FEATURES, 'blockCosine'),
};
const openings = ({ passages }: VectorRanking) => passages.map(({ passage }) => passage.text);
const NOBODY = async () => undefined;

test('blocks are compared by their vectors, and passages stand by their best block', async () => {
  const ranking = vectorRanking([
    { text: 'Words.', cosine: 0.5 },
    { text: 'Near.', cosine: 0.7 },
    { text: 'Says it.', cosine: 0.6, isVectorCandidate: true },
  ]);
  expect(openings(await rankByVectors(ranking, BY_COSINES, NOBODY))).toEqual(['Near.', 'Says it.', 'Words.']);
  const asked: string[][] = [];
  const ranked = await rankByVectors(ranking, BY_COSINES, async (texts) => {
    asked.push([...texts]);
    return texts.map((text) => (text === 'Says it.' ? 0.9 : 0.5));
  });
  expect(asked).toEqual([['Near.', 'Says it.', 'Words.']]);
  expect(openings(ranked)).toEqual(['Says it.', 'Near.', 'Words.']);
  const [first] = ranked.passages;
  expect(first?.blocks).toMatchObject([{ score: expect.closeTo(5), cosine: 0.9 }]);
});

test('a bounded number of blocks is compared; the others stay behind those', async () => {
  const sketches = Array.from({ length: 2 * COMPARED_BLOCKS }, (_, at) => ({
    text: `Text ${at}.`,
    cosine: 0.9 - at / 100,
  }));
  const asked: string[][] = [];
  const ranked = await rankByVectors(vectorRanking(sketches), BY_COSINES, async (texts) => {
    asked.push([...texts]);
    return texts.map(() => 0.1);
  });
  expect(asked).toEqual([sketches.slice(0, COMPARED_BLOCKS).map(({ text }) => text)]);
  const compared = ranked.passages.map(({ blocks }) => blocks[0]?.cosine !== undefined);
  expect(compared.lastIndexOf(true)).toBe(COMPARED_BLOCKS - 1);
});

test('of many passages the best by words and the nearest are ranked, each with its blocks', async () => {
  const worded = Array.from({ length: 40 }, (_, at) => ({ text: `Worded ${at}.`, cosine: 0.4 }));
  const near = Array.from({ length: 40 }, (_, at) => ({
    text: `Near ${at}.`,
    cosine: 0.5 + at / 100,
    isVectorCandidate: true as const,
  }));
  const ranked = await rankByVectors(vectorRanking([...worded, ...near]), BY_COSINES, NOBODY);
  const withBlocks = ranked.passages.filter(({ blocks }) => blocks.length > 0).map(({ passage }) => passage.text);
  expect(withBlocks).toEqual(expect.arrayContaining(['Worded 0.', 'Worded 11.', 'Near 39.', 'Near 28.']));
  expect(withBlocks).toHaveLength(24);
  expect(ranked.passages).toHaveLength(80);
});

test('a ranking without passages stays as it is', async () => {
  expect(openings(await rankByVectors(vectorRanking([]), BY_COSINES, async () => []))).toEqual([]);
});
