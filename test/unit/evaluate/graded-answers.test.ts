import { expect, test } from 'vitest';
import { type GradedResult, gradedReport } from '../../../scripts/evaluate/graded-answers/graded-measures.ts';
import {
  answerHash,
  type GradedAnswer,
  gradesReport,
  isDisputed,
  isUnread,
  parseReadAnswers,
  type Reading,
  readingsOf,
  withReading,
} from '../../../scripts/evaluate/graded-answers/grades.ts';
import { disputed } from '../../../scripts/evaluate/graded-answers/printed-answers.ts';
import type { AnswerSegment } from '../../../src/ai/answer-event.ts';
import { GATE_FEATURES, type GateFeatures } from '../../../src/ai/answerability.ts';

const RIGHT: Reading = { grade: 'right', opensRight: true };
const PARTLY: Reading = { grade: 'partly', opensRight: false };

function segmentOf(text: string): AnswerSegment {
  const page = { url: 'https://garden.example/visit', pageTitle: 'Visit', crawlerId: 1, documentId: 'visit' };
  return { text, citations: [{ reference: 1, snippet: text, ordinal: 0, hash: 'h', ...page }] };
}

/** An answer of these units, whichever length was asked for; none = refused. */
function gradedResult(asked: Partial<GradedResult['asked']>, units: readonly string[]): GradedResult {
  const segments = units.map((text, index) => segmentOf(index === 0 ? text : ` ${text}`));
  const answer = {
    segments,
    text: units.join(' '),
    opening: units[0] ?? '',
    refusal: units.length === 0 ? 'below-gate' : undefined,
    cited: units.length === 0 ? [] : ['1/visit'],
    claims: units.length,
    kept: units.length,
  };
  return {
    asked: {
      set: 'garden',
      id: '1.1',
      question: 'When does it open?',
      kind: 'answerable',
      previous: [],
      gold: ['1/visit'],
      nuggets: ['nine'],
      wording: 'plain',
      answer: 'At nine.',
      ...asked,
    },
    language: 'en',
    comprehensive: answer,
    concise: answer,
    rank: 1,
    gate: { features: Object.fromEntries(GATE_FEATURES.map((name) => [name, 0])) as GateFeatures, probability: 0.5 },
  };
}

const figuresOf = ({ rows }: ReturnType<typeof gradedReport>) =>
  Object.fromEntries(rows.map(({ name, count, figures }) => [name, { count, ...figures }]));

test('answers are counted by wording, refusals where nothing answers apart', () => {
  const results = [
    gradedResult({ id: '1.1', wording: 'plain' }, ['Opens at nine.', 'and closes late.']),
    gradedResult({ id: '2.1', wording: 'plain' }, ['We are big.', 'We open at nine.']),
    gradedResult({ id: '1.2', wording: 'other words' }, ['Closed on Mondays.']),
    gradedResult({ id: '1.3', wording: 'short' }, []),
    gradedResult({ id: 'n1', kind: 'near' }, ['Opens at nine.']),
    gradedResult({ id: 'f1', kind: 'far' }, []),
  ];

  const figures = figuresOf(gradedReport('garden', results));

  expect(figures).toMatchObject({
    plain: { right: 1, 'opens right': 0.5, units: 2, fragments: 0.25, 'gold cited': 1 },
    'other words': { right: 0, wrong: 1, 'wrongly refused': 0 },
    short: { right: 0, wrong: 0, 'wrongly refused': 1, units: 0 },
    'all wordings': { count: 4, right: 0.5, units: 1.67, fragments: 0.2 },
    near: { count: 1, refused: 0 },
    far: { count: 1, refused: 1 },
  });
});

test('an answer that says something else later has no grades', () => {
  const read: GradedAnswer = { id: '1.1', hash: answerHash('Opens at nine. [1]'), first: RIGHT };
  const [same, other] = [
    gradedResult({ id: '1.1' }, ['Opens at nine.']),
    gradedResult({ id: '1.1' }, ['Opens at ten.']),
  ];

  const [known, unknown] = [...readingsOf([same], [read]), ...readingsOf([other], [read])];

  expect(known).toMatchObject({ delivered: 'Opens at nine. [1]', first: RIGHT, second: undefined });
  expect(unknown).toMatchObject({ delivered: 'Opens at ten. [1]', first: undefined });
  expect([known, unknown].map((each) => each && isUnread(each, 'first'))).toEqual([false, true]);
});

test('refusals, and answers where nothing answers, are not read', () => {
  const results = [gradedResult({ id: '1.1' }, []), gradedResult({ id: 'n1', kind: 'near' }, ['Opens at nine.'])];
  const readings = readingsOf(results, []);
  expect(readings.map((each) => [each.result.asked.id, isUnread(each, 'first')])).toEqual([['1.1', false]]);
});

test('a reading is added to what is known of an answer, in the order of the questions', () => {
  const grades = withReading([{ id: '10.1', hash: 'a', first: RIGHT }], 'second', [
    { site: 'garden', id: '10.1', hash: 'a', ...PARTLY },
    { site: 'garden', id: '2.1', hash: 'b', ...RIGHT },
  ]);
  expect(grades).toEqual([
    { id: '2.1', hash: 'b', second: RIGHT },
    { id: '10.1', hash: 'a', first: RIGHT, second: PARTLY },
  ]);
  expect(withReading(grades, 'second', [{ site: 'garden', id: '2.1', hash: 'b', ...PARTLY }])[0]?.second).toEqual(
    PARTLY,
  );
});

test('a grade that is none of the rubric is not taken', () => {
  const line = { site: 'garden', id: '1.1', hash: 'a', grade: 'good', opensRight: true };
  expect(() => parseReadAnswers(`${JSON.stringify(line)}\n`)).toThrow();
});

test.each([
  [RIGHT, RIGHT, false],
  [RIGHT, PARTLY, true],
  [RIGHT, { ...RIGHT, opensRight: false }, true],
  [RIGHT, { ...RIGHT, grade: 'partly' as const }, true],
  [RIGHT, undefined, false],
])('readings %j and %j differ: %j', (first, second, differs) => {
  expect(isDisputed({ first, second })).toBe(differs);
});

test('both readings are counted side by side', () => {
  const results = [gradedResult({ id: '1.1' }, ['Opens at nine.']), gradedResult({ id: '1.2' }, [])];
  const hash = answerHash('Opens at nine. [1]');
  const readings = readingsOf(results, [{ id: '1.1', hash, first: RIGHT, second: PARTLY }]);

  expect(figuresOf(gradesReport('garden', readings))['all wordings']).toMatchObject({
    ...{ 'right 1': 0.5, 'right 2': 0, 'partly 1': 0, 'partly 2': 0.5, 'opens 1': 0.5, 'opens 2': 0 },
    ...{ refused: 0.5, 'unread 1': 0, 'unread 2': 0, differ: 0.5 },
  });
  expect(readings.filter(isDisputed).map(disputed).join()).toContain(
    'right, opens right / partly, opens with other matter',
  );
});
