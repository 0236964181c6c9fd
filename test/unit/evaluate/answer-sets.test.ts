import { describe, expect, test } from 'vitest';
import {
  type AnswerableQuestion,
  type AnswerSetName,
  contentOf,
  DOCS_SETS,
  HALVES,
  type Half,
  LANGUAGE_SETS,
  newDocument,
  QUESTION_KINDS,
  readAnswerDocuments,
  readQuestions,
} from '../../../scripts/evaluate/answers/sets.ts';
import { folded, holdsNugget } from '../../../src/ai/golden-questions.ts';

const SETS: readonly AnswerSetName[] = [...DOCS_SETS, ...LANGUAGE_SETS];

const questions = Object.fromEntries(
  SETS.map((name) => [name, { tuning: readQuestions(name, 'tuning'), blind: readQuestions(name, 'blind') }]),
);
const halvesOf = (name: AnswerSetName) => HALVES.map((half) => questions[name]![half]);
const withAnswer = (name: AnswerSetName): readonly AnswerableQuestion[] =>
  halvesOf(name).flatMap(({ answerable, followUps = [] }) => [...answerable, ...followUps]);

describe.each(SETS)('%s', (name) => {
  const documents = readAnswerDocuments(name);
  const textById = new Map(
    documents.map(({ id, title, description, sections }) => [id, `${title}\n${description}\n${contentOf(sections)}`]),
  );

  test('each page stands once and has text', () => {
    expect(textById.size).toBe(documents.length);
    expect(documents.filter(({ sections }) => contentOf(sections).length < 50).map(({ id }) => id)).toEqual([]);
  });

  test('every gold page is in the set and holds a nugget', () => {
    const faulty = withAnswer(name).flatMap(({ id, gold, nuggets }) =>
      gold.filter((page) => !holdsNugget(textById.get(page) ?? '', nuggets)).map((page) => `${id} ${page}`),
    );
    expect(faulty).toEqual([]);
  });

  test('every nugget stands in a gold page', () => {
    const faulty = withAnswer(name).flatMap(({ id, gold, nuggets }) =>
      nuggets
        .filter((nugget) => !gold.some((page) => holdsNugget(textById.get(page) ?? '', [nugget])))
        .map((nugget) => `${id} ${nugget}`),
    );
    expect(faulty).toEqual([]);
  });

  test('every question names a page, a nugget and a known kind', () => {
    const faulty = withAnswer(name).filter(
      ({ gold, nuggets, kind }) => gold.length === 0 || nuggets.length === 0 || !QUESTION_KINDS.includes(kind),
    );
    expect(faulty).toEqual([]);
  });

  test('no question holds its own nugget', () => {
    const given = withAnswer(name).filter(({ question, nuggets }) => holdsNugget(question, nuggets));
    expect(given.map(({ id }) => id)).toEqual([]);
  });

  test('no question and no id is there twice', () => {
    const all = halvesOf(name).flatMap(({ answerable, unanswerable }) => [...answerable, ...unanswerable]);
    expect(doubled(all.map(({ question }) => folded(question)))).toEqual([]);
    const followUps = halvesOf(name).flatMap(({ followUps = [] }) => followUps);
    expect(doubled([...all, ...followUps].map(({ id }) => id))).toEqual([]);
  });

  test('every follow-up has a question before it', () => {
    const first = halvesOf(name).flatMap(({ followUps = [] }) => followUps.filter(({ previous }) => !previous[0]));
    expect(first).toEqual([]);
  });
});

test.each(HALVES)('the %s half about sites is large enough', (half) => {
  const { answerable, far, near, followUps } = countsOf(DOCS_SETS, half);
  expect(answerable).toBeGreaterThanOrEqual(90);
  expect(far).toBeGreaterThanOrEqual(15);
  expect(near).toBeGreaterThanOrEqual(15);
  expect(followUps).toBeGreaterThanOrEqual(12);
});

test.each(LANGUAGE_SETS)('%s has twenty questions, with and without an answer in both halves', (name) => {
  const [tuning, blind] = [countsOf([name], 'tuning'), countsOf([name], 'blind')];
  expect(tuning.answerable + tuning.far + tuning.near + blind.answerable + blind.far + blind.near).toBeGreaterThan(19);
  expect(Math.min(tuning.answerable, tuning.near, tuning.far, blind.answerable, blind.near, blind.far)).toBeGreaterThan(
    0,
  );
});

test('a document has its headings and blocks as text and as structure', () => {
  const [first] = readAnswerDocuments('de');
  const { fields, structure } = newDocument(first!);
  expect(fields.get('Content')![0]).toContain('Gebühren\nDokument | Gebühr | Gültig\n');
  expect(structure!.sections.map(({ id }) => id)).toEqual(['pass#0', 'pass#1', 'pass#2', 'pass#3']);
  expect(structure!.sections[1]!.headings.at(-1)).toEqual({ level: 2, text: 'Gebühren', anchor: 's1' });
});

test.each([
  ['Sends the TERM signal', 'term', true],
  ['to determine', 'term', false],
  ['costs 14.20 €', '4.20', false],
  ['call `gen_random_uuid()` for\n- **one** UUID', 'gen_random_uuid() for one', true],
  ['It’s  “open”', 'it\'s "open"', true],
  ['水温は一年中30度です', '30度', true],
  ['الزجاج يوم الأربعاء.', 'يوم الأربعاء', true],
])('%j holds %j as whole words: %j', (text, nugget, isHeld) => {
  expect(holdsNugget(text, [nugget])).toBe(isHeld);
});

function countsOf(names: readonly AnswerSetName[], half: Half) {
  const sets = names.map((name) => questions[name]![half]);
  const unanswerable = sets.flatMap((set) => set.unanswerable);
  return {
    answerable: sets.flatMap(({ answerable }) => answerable).length,
    far: unanswerable.filter(({ kind }) => kind === 'far').length,
    near: unanswerable.filter(({ kind }) => kind === 'near').length,
    followUps: sets.flatMap(({ followUps = [] }) => followUps).length,
  };
}

function doubled(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
