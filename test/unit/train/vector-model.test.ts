import { beforeAll, describe, expect, test } from 'vitest';
import { type TrainedVectors, trainVectorModel, type VectorExample } from '../../../scripts/train/vector-model.ts';
import { rankByVectors } from '../../../src/ai/vectors/rank-by-vectors.ts';
import { assessByVectors } from '../../../src/ai/vectors/vector-answerability.ts';
import { readVectorFeatures } from '../../../src/ai/vectors/vector-features.ts';
import { VECTOR_MODEL_FILE, type VectorModel, vectorModelOf } from '../../../src/ai/vectors/vector-model.ts';
import { seededRandom } from '../../helpers/random.ts';
import { rankingOf } from '../../helpers/rankings.ts';

const [QUESTIONS, PASSAGES, SITES] = [320, 6, 5];
const ABOUT = { trainedOn: 'planted questions', embedder: 'planted', languages: ['en'] };
/** Of passages that answer, those beside them, and all others. */
const COSINES = { near: 0.8, other: 0.4 } as const;

/**
 * Two passages are as near as each other, and the vector of its block tells which of them answers; every fourth question
 * has none that is near.
 */
function exampleOf(question: number): VectorExample {
  const random = seededRandom(question);
  const isAnswerable = question % 4 !== 0;
  const first = random.whole(0, PASSAGES - 2);
  const answer = first + random.whole(0, 1);
  const passages = Array.from({ length: PASSAGES }, (_, at) => {
    const isNear = isAnswerable && (at === first || at === first + 1);
    return { passage: { rid: at + 1, text: `Text ${at}.` }, cosine: isNear ? COSINES.near : COSINES.other };
  });
  const ranking = { ...rankingOf(passages), scale: { unrelated: 0.4, related: 0.6, ordinary: 0.4 } };
  return {
    site: `site ${question % SITES}`,
    kind: isAnswerable ? 'answerable' : question % 8 === 0 ? 'far' : 'near',
    ranking,
    rows: readVectorFeatures(ranking).rows,
    gains: passages.map((_, at) => (isAnswerable && at === answer ? 6 : 0)),
    cosinesOf: async (texts) =>
      texts.map((text) => (isAnswerable && text === `Text ${answer}.` ? COSINES.near : COSINES.other)),
  };
}

const examples = Array.from({ length: QUESTIONS }, (_, question) => exampleOf(question));

async function wrongOf(modelOf: (example: VectorExample) => VectorModel | undefined): Promise<readonly number[]> {
  const wrong: number[] = [];
  for (const [question, example] of examples.entries()) {
    const { kind, ranking, gains, cosinesOf } = example;
    const model = modelOf(example);
    if (model === undefined) throw new Error('a site has no model');
    const ranked = await rankByVectors(ranking, model, cosinesOf);
    const isAnswered = assessByVectors(ranked, model.gate).refusal === undefined;
    const first = ranked.passages[0]?.passage.text;
    const isRight = kind === 'answerable' ? isAnswered && first === `Text ${gains.indexOf(6)}.` : !isAnswered;
    if (!isRight) wrong.push(question);
  }
  return wrong;
}

describe('a model of vectors', () => {
  let trained: TrainedVectors;
  beforeAll(async () => {
    trained = await trainVectorModel(examples, ABOUT);
  });

  test('is read as it was written', () => {
    const read = VECTOR_MODEL_FILE.parse(JSON.parse(JSON.stringify(trained.file)));
    expect(read).toEqual(trained.file);
    expect(read).toMatchObject({ version: 1, ...ABOUT });
  });

  test('puts the block first that answers, and refuses where nothing is near', async () => {
    const model = vectorModelOf(trained.file);
    expect(await wrongOf(() => model)).toEqual([]);
    expect(await wrongOf(({ site }) => trained.bySite.get(site))).toEqual([]);
    expect(trained.areaUnderCurve).toBe(1);
  });

  test('is the same for the same examples', async () => {
    expect((await trainVectorModel(examples, ABOUT)).file).toEqual(trained.file);
  });
});
