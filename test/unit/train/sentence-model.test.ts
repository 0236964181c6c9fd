import { describe, expect, test } from 'vitest';
import {
  type SentenceExample,
  sentenceModelsOutOfFold,
  trainSentences,
} from '../../../scripts/train/sentence-model.ts';
import {
  SENTENCE_FEATURES,
  SENTENCE_MODEL_FILE,
  type SentenceModel,
  sentenceModelOf,
} from '../../../src/ai/rank-sentences.ts';
import { seededRandom } from '../../helpers/random.ts';

const COLUMNS = SENTENCE_FEATURES.length;
const [QUESTIONS, SENTENCES] = [300, 4];
const [LENGTH, STEP] = [SENTENCE_FEATURES.indexOf('chars'), SENTENCE_FEATURES.indexOf('step')];

/** Every column is noise but the one that tells the sentence that answers. */
function exampleOf(question: number, telling: number): SentenceExample {
  const random = seededRandom(question);
  const best = random.whole(0, SENTENCES - 1);
  const rows = Float32Array.from({ length: SENTENCES * COLUMNS }, () => random.whole(0, 100) / 100);
  const gains = Array.from({ length: SENTENCES }, (_, at) => (at === best ? 6 : 0));
  for (const [at, gain] of gains.entries()) rows[at * COLUMNS + telling] = gain;
  return { key: `garden q${question}`, rows, gains };
}

function examples(tellingOf: (question: number) => number): readonly SentenceExample[] {
  return Array.from({ length: QUESTIONS }, (_, question) => exampleOf(question, tellingOf(question)));
}

/** Whether a model gives the sentence that answers the highest score. */
function isRight(model: SentenceModel | undefined, { rows, gains }: SentenceExample): boolean {
  const scores = gains.map((_, at) => model?.(rows, at * COLUMNS) ?? 0);
  return gains[scores.indexOf(Math.max(...scores))] === 6;
}

describe('the file of a sentence model', () => {
  const asked = examples(() => STEP);
  const file = trainSentences(asked, 'planted questions');
  const read = SENTENCE_MODEL_FILE.parse(JSON.parse(JSON.stringify(file)));

  test('is read as it was written', () => {
    expect(read).toEqual(file);
    expect(read).toMatchObject({ version: 1, trainedOn: 'planted questions', features: SENTENCE_FEATURES });
  });

  test('puts the sentences first that answer', () => {
    const model = sentenceModelOf(read);
    expect(asked.filter((example) => !isRight(model, example))).toEqual([]);
    expect(isRight(model, exampleOf(QUESTIONS, STEP))).toBe(true);
  });

  test('has numbers of at most four digits', () => {
    const numbers = read.trees.flatMap(({ t, v }) => [...t, ...v]);
    expect(numbers.filter((number) => Number(number.toPrecision(4)) !== number)).toEqual([]);
  });

  test('is the same for the same examples', () => {
    expect(trainSentences(asked, 'planted questions')).toEqual(file);
  });
});

describe('models out of fold', () => {
  // Questions of one fold are answered by what is noise in all others.
  const isOdd = (question: number) => question % 5 === 2;
  const asked = examples((question) => (isOdd(question) ? LENGTH : STEP));
  const models = sentenceModelsOutOfFold(asked);
  const wrongOf = (modelOf: (example: SentenceExample) => SentenceModel | undefined) =>
    asked.flatMap((example, question) => (isRight(modelOf(example), example) ? [] : [question]));

  test('are there for every question', () => {
    expect([...models.keys()].toSorted()).toEqual(asked.map(({ key }) => key).toSorted());
  });

  test('know what other questions teach, and nothing of their own', () => {
    const wrong = wrongOf(({ key }) => models.get(key));
    expect(wrong.filter((question) => !isOdd(question))).toEqual([]);
    expect(wrong.length).toBeGreaterThan(QUESTIONS / 5 / 2);
    const all = sentenceModelOf(trainSentences(asked, 'all'));
    expect(wrongOf(() => all)).toEqual([]);
  });
});
