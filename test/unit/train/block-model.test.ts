import { describe, expect, test } from 'vitest';
import { type BlockExample, blockModelsOutOfSite, trainBlocks } from '../../../scripts/train/block-model.ts';
import { BLOCK_FEATURES } from '../../../src/ai/blocks/block-features.ts';
import { BLOCK_MODEL_FILE, type BlockModel, blockModelOf } from '../../../src/ai/blocks/rank-blocks.ts';
import { seededRandom } from '../../helpers/random.ts';

const COLUMNS = BLOCK_FEATURES.length;
const [QUESTIONS, SENTENCES] = [300, 4];
const [LENGTH, STEP] = [BLOCK_FEATURES.indexOf('chars'), BLOCK_FEATURES.indexOf('step')];

const SITES = 5;
const siteOf = (question: number) => `site ${question % SITES}`;

/** Every column is noise but the one that tells the sentence that answers. */
function exampleOf(question: number, telling: number): BlockExample {
  const random = seededRandom(question);
  const best = random.whole(0, SENTENCES - 1);
  const rows = Float32Array.from({ length: SENTENCES * COLUMNS }, () => random.whole(0, 100) / 100);
  const gains = Array.from({ length: SENTENCES }, (_, at) => (at === best ? 6 : 0));
  for (const [at, gain] of gains.entries()) rows[at * COLUMNS + telling] = gain;
  return { site: siteOf(question), rows, gains };
}

function examples(tellingOf: (question: number) => number): readonly BlockExample[] {
  return Array.from({ length: QUESTIONS }, (_, question) => exampleOf(question, tellingOf(question)));
}

/** Whether a model gives the sentence that answers the highest score. */
function isRight(model: BlockModel | undefined, { rows, gains }: BlockExample): boolean {
  const scores = gains.map((_, at) => model?.(rows, at * COLUMNS) ?? 0);
  return gains[scores.indexOf(Math.max(...scores))] === 6;
}

describe('the file of a block model', () => {
  const asked = examples(() => STEP);
  const file = trainBlocks(asked, 'planted questions');
  const read = BLOCK_MODEL_FILE.parse(JSON.parse(JSON.stringify(file)));

  test('is read as it was written', () => {
    expect(read).toEqual(file);
    expect(read).toMatchObject({ version: 1, trainedOn: 'planted questions', features: BLOCK_FEATURES });
  });

  test('puts the sentences first that answer', () => {
    const model = blockModelOf(read);
    expect(asked.filter((example) => !isRight(model, example))).toEqual([]);
    expect(isRight(model, exampleOf(QUESTIONS, STEP))).toBe(true);
  });

  test('has numbers of at most four digits', () => {
    const numbers = read.trees.flatMap(({ t, v }) => [...t, ...v]);
    expect(numbers.filter((number) => Number(number.toPrecision(4)) !== number)).toEqual([]);
  });

  test('is the same for the same examples', () => {
    expect(trainBlocks(asked, 'planted questions')).toEqual(file);
  });
});

describe('models out of site', () => {
  // Questions of one site are answered by what is noise in all others.
  const isOdd = (question: number) => question % SITES === 2;
  const asked = examples((question) => (isOdd(question) ? LENGTH : STEP));
  const models = blockModelsOutOfSite(asked);
  const wrongOf = (modelOf: (example: BlockExample) => BlockModel | undefined) =>
    asked.flatMap((example, question) => (isRight(modelOf(example), example) ? [] : [question]));

  test('are there for every site', () => {
    expect([...models.keys()].toSorted()).toEqual(Array.from({ length: SITES }, (_, site) => siteOf(site)));
  });

  test('know what other sites teach, and nothing of their own', () => {
    const wrong = wrongOf(({ site }) => models.get(site));
    expect(wrong.filter((question) => !isOdd(question))).toEqual([]);
    expect(wrong.length).toBeGreaterThan(QUESTIONS / SITES / 2);
    const all = blockModelOf(trainBlocks(asked, 'all'));
    expect(wrongOf(() => all)).toEqual([]);
  });
});
