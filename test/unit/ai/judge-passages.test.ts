import { expect, test } from 'vitest';
import { assessAnswerability } from '../../../src/ai/answerability.ts';
import { rankBlocks } from '../../../src/ai/blocks/rank-blocks.ts';
import { fuseVectors, withoutVectorCandidates } from '../../../src/ai/vectors/fuse-vectors.ts';
import { type JudgingInput, judgePassages } from '../../../src/ai/vectors/judge-passages.ts';
import { VECTOR_GATE_FEATURES, type VectorGateFeatures } from '../../../src/ai/vectors/vector-answerability.ts';
import { VECTOR_FEATURES } from '../../../src/ai/vectors/vector-features.ts';
import type { VectorModel } from '../../../src/ai/vectors/vector-model.ts';
import type { VectorSearch } from '../../../src/search/nearest-passages.ts';
import { directionOf } from '../../helpers/document-vectors.ts';
import { createInMemoryVectors } from '../../helpers/in-memory-index/in-memory-vectors.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { rankingOf } from '../../helpers/rankings.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const NONE = Object.fromEntries(VECTOR_GATE_FEATURES.map((name) => [name, 0])) as VectorGateFeatures;
/** By the cosines of passages alone; answers everything. */
const MODEL: VectorModel = {
  blocks: (rows, from) => rows[from + VECTOR_FEATURES.indexOf('cosine')] ?? 0,
  comparison: () => 0,
  gate: { bias: 9, weights: NONE, threshold: 0.5 },
  languages: ['en'],
};
const QUERY = { set: '1 small', vector: directionOf(1, 0) };
const PASSAGES = [
  { passage: { rid: 1, text: 'It has the words.' }, cosine: 0.1, coverage: 0.1 },
  { passage: { rid: 2, text: 'It is near.' }, cosine: 0.9, coverage: 0, isVectorCandidate: true as const },
];

function openVectors(more: Partial<VectorSearch> = {}): VectorSearch {
  return {
    questions: { of: async () => QUERY },
    texts: { of: async (_set, texts) => texts.map(() => QUERY.vector) },
    scales: { of: async () => ({ unrelated: 0, related: 1, ordinary: 0 }) },
    index: createInMemoryVectors(async () => {
      throw new Error('nothing is searched');
    }),
    weight: 0.5,
    log: silentLog,
    ...more,
  };
}

async function judged({
  language = 'en',
  vectors = openVectors(),
  ...more
}: Partial<JudgingInput> & { language?: string; vectors?: VectorSearch } = {}) {
  const ranking = rankingOf(PASSAGES, { language });
  const input = { query: QUERY, signal: unaborted(), models: { vectors: MODEL }, ...more };
  const { ranking: ranked, answerability } = await judgePassages({ vectors }, ranking, input);
  return { ranked, answerability, first: ranked.passages[0]?.passage.text };
}

/** As it was before the model: gate by words, vectors with their share of the order. */
function byWords(language = 'en', weight = 0.5) {
  const ranked = rankBlocks(rankingOf(PASSAGES, { language }));
  return { ranked: fuseVectors(ranked, weight), answerability: assessAnswerability(withoutVectorCandidates(ranked)) };
}

test('vectors decide over the order and over the answer at once', async () => {
  const { first, answerability } = await judged();
  expect(first).toBe('It is near.');
  expect(answerability.refusal).toBeUndefined();
  expect(byWords().answerability.refusal).toBe('below-gate');
});

test.each([
  ['in another language than the model was trained on', { language: 'de' }, byWords('de')],
  ['without a vector of the question', { query: undefined }, byWords()],
  ['while the model tells no scale', { vectors: openVectors({ scales: { of: async () => undefined } }) }, byWords()],
] as const)('%s words judge, and vectors have their share of the order', async (_when, given, expected) => {
  expect(await judged(given)).toMatchObject(expected);
});

test('without vectors of blocks, those of their passages decide', async () => {
  const { first, ranked } = await judged({ vectors: openVectors({ texts: { of: async () => undefined } }) });
  expect(first).toBe('It is near.');
  expect(ranked.passages[0]?.blocks).toMatchObject([{ score: expect.closeTo(0.9) }]);
});

test('a threshold of the engine is the one that counts', async () => {
  expect((await judged({ threshold: 1 })).answerability).toMatchObject({ threshold: 1, refusal: 'below-gate' });
});
