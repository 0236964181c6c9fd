import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { QUESTION_KINDS } from '../../../scripts/evaluate/answers/sets.ts';
import {
  GRADED_FOLDER,
  gradedAsks,
  readFarQuestions,
  readGradedQuestions,
} from '../../../scripts/evaluate/graded-answers/graded-questions.ts';
import { GRADED_SITES } from '../../../scripts/evaluate/graded-answers/graded-sites.ts';
import { GRADES, READINGS, readGrades } from '../../../scripts/evaluate/graded-answers/grades.ts';
import { folded, holdsNugget } from '../../../src/ai/golden-questions.ts';

const filesOf = (kind: string) =>
  globSync(`*.${kind}.json`, { cwd: fileURLToPath(GRADED_FOLDER) }).map((file) => basename(file, `.${kind}.json`));
const sites = GRADED_SITES.flatMap((site) => {
  const questions = readGradedQuestions(site);
  return questions === undefined ? [] : [{ name: site.name, site, questions }];
});

test.each(['questions', 'grades'])('every file of %s is of a known site', (kind) => {
  const known = GRADED_SITES.map(({ name }) => name);
  expect(filesOf(kind).filter((name) => !known.includes(name))).toEqual([]);
});

describe.each(sites)('$name', ({ site, questions }) => {
  const { answerable, near } = questions;
  const idsOf = (test: (question: (typeof answerable)[number]) => boolean) =>
    answerable.filter(test).map(({ id }) => id);

  test('there are enough questions, with and without an answer', () => {
    expect(answerable.length).toBeGreaterThanOrEqual(25);
    expect(near.length).toBeGreaterThanOrEqual(10);
  });

  test('every fact has three wordings, an answer, a page, a nugget and a known kind', () => {
    expect(idsOf(({ wordings }) => wordings.length !== 3)).toEqual([]);
    expect(idsOf(({ answer, gold, nuggets }) => answer === '' || gold.length === 0 || nuggets.length === 0)).toEqual(
      [],
    );
    expect(idsOf(({ kind }) => !QUESTION_KINDS.includes(kind))).toEqual([]);
  });

  test('no id and no question is there twice', () => {
    const asked = gradedAsks(site, questions);
    expect(doubled(asked.map(({ id }) => id))).toEqual([]);
    expect(doubled(asked.map(({ question }) => folded(question)))).toEqual([]);
  });

  test('no wording holds a nugget of its fact', () => {
    const given = idsOf(({ wordings, nuggets }) => wordings.some((wording) => holdsNugget(wording, nuggets)));
    expect(given).toEqual([]);
  });

  test('grades are of its wordings, of the rubric, and one line an answer', () => {
    const grades = readGrades(site);
    const wordings = gradedAsks(site, questions).filter(({ wording }) => wording !== undefined);
    expect(grades.filter(({ id }) => !wordings.some((wording) => wording.id === id))).toEqual([]);
    expect(doubled(grades.map(({ id, hash }) => `${id} ${hash}`))).toEqual([]);
    const given = grades.flatMap((graded) => READINGS.flatMap((reading) => graded[reading] ?? []));
    expect(given.filter(({ grade, opensRight }) => !GRADES.includes(grade) || typeof opensRight !== 'boolean')).toEqual(
      [],
    );
  });
});

test('tuning and unseen sites are asked different questions that none answers', () => {
  const { tuning, unseen } = readFarQuestions();
  expect([tuning.length, unseen.length]).toEqual([20, 20]);
  expect(doubled([...tuning, ...unseen].map(({ id }) => id))).toEqual([]);
  expect(doubled([...tuning, ...unseen].map(({ question }) => folded(question)))).toEqual([]);
});

function doubled(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
