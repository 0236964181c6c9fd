import { expect, test } from 'vitest';
import { type QuestionResult, reportOn } from '../../../scripts/evaluate/answers/measure.ts';
import { GATE_FEATURES, type GateFeatures } from '../../../src/ai/answerability.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';

const FEATURES = Object.fromEntries(GATE_FEATURES.map((name) => [name, 0])) as GateFeatures;

function result(
  asked: Partial<QuestionResult['asked']>,
  text: string,
  given: Partial<QuestionResult['comprehensive']> = {},
): QuestionResult {
  const refusal = text === '' ? 'below-gate' : undefined;
  const answer = { segments: [], text, opening: text, refusal, cited: [], claims: 1, kept: 1, ...given };
  return {
    asked: {
      set: 'garden',
      id: 't1',
      question: 'When?',
      kind: 'answerable',
      previous: [],
      gold: ['1/visit'],
      nuggets: ['first Sunday'],
      ...asked,
    },
    language: 'en',
    comprehensive: answer,
    concise: answer,
    rank: 1,
    gate: { features: FEATURES, probability: 0.5 },
  };
}

const figuresOf = (results: readonly QuestionResult[]) =>
  Object.fromEntries(reportOn('garden', results).rows.map(({ name, figures }) => [name, figures]));

test.each([
  ['marks of Markdown', 'Call `__init__` on the *first* day.', 'call __init__ on the first day'],
  ['case and blanks', 'On the FIRST\nSunday', 'the first sunday'],
  ['the form of quotation marks', 'the “old” gate', 'the "old" gate'],
  ['marks of list items', 'Steps:\n- Dig\n- Wait', 'dig wait'],
])('a nugget is found whatever the %s', (_name, text, nugget) => {
  expect(holdsNugget(text, ['no such text', nugget])).toBe(true);
});

test('right, refused and wrong answers score 1, 0 and -1', () => {
  const results = [result({}, 'The first Sunday.'), result({}, ''), result({}, 'On Mondays.')];
  expect(figuresOf(results)['all']).toEqual({ score: 0 });
  expect(figuresOf(results)['answerable']).toMatchObject({ correct: 1 / 3, answered: 2 / 3 });
});

test('a refusal is right where nothing says it', () => {
  const none = { gold: [], nuggets: [] };
  const results = [result({ kind: 'far', ...none }, ''), result({ kind: 'near', ...none }, 'On Mondays.')];
  expect(figuresOf(results)).toEqual({ far: { refused: 1 }, near: { refused: 0 }, all: { score: 0 } });
});

test('gold pages count when the answer cites one of them', () => {
  const cited = result({}, 'The first Sunday.', { cited: ['1/shop', '1/visit'] });
  const other = result({}, 'The first Sunday.', { cited: ['2/visit'] });
  expect(figuresOf([cited, other])['answerable']).toMatchObject({ 'gold cited': 0.5 });
});

test('follow-ups are a row of their own', () => {
  const figures = figuresOf([result({}, 'The first Sunday.'), result({ previous: ['Is it free?'] }, '')]);
  expect(figures['follow-ups']).toMatchObject({ correct: 0 });
  expect(figures['answerable']).toMatchObject({ correct: 1 });
});
