import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSuite } from '../../../scripts/evaluate/answers/ask-suite.ts';
import { type QuestionResult, reportOn, TOLERANCE } from '../../../scripts/evaluate/answers/measure.ts';
import { BASELINE_FILE, SUITES, suiteQuestions } from '../../../scripts/evaluate/answers/suites.ts';
import { type Baseline, fallsBelow, withReports } from '../../../scripts/evaluate/extraction/set-report.ts';
import { LANGUAGE_CLASSES, languageClass } from '../../../src/ai/answerability.ts';
import { FAR_REFUSED } from '../../../scripts/train/answerability.ts';

/** `UPDATE_GOLDEN=1` writes the baseline anew; its difference is reviewed. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

const readBaseline = (): Baseline => JSON.parse(readFileSync(BASELINE_FILE, 'utf8'));
const results = new Map<string, readonly QuestionResult[]>();
const reports = () => SUITES.map(({ name }) => reportOn(name, results.get(name) ?? []));

beforeAll(async () => {
  for (const suite of SUITES) {
    await using opened = await openSuite(suite);
    const own: QuestionResult[] = [];
    for (const asked of suiteQuestions(suite, 'tuning')) own.push(await opened.ask(asked));
    results.set(suite.name, own);
  }
});

afterAll(() => {
  if (isUpdate) writeFileSync(BASELINE_FILE, `${JSON.stringify(withReports({}, reports()), null, 2)}\n`);
});

test.skipIf(isUpdate).each(SUITES)('answers of $name are as right as before', ({ name }) => {
  const own = reports().filter(({ set }) => set === name);
  expect(fallsBelow(readBaseline(), own, TOLERANCE)).toEqual([]);
});

describe.each(LANGUAGE_CLASSES.filter((name) => name !== 'plain'))('the threshold of %s languages', (name) => {
  const asked = () => [...results.values()].flat().filter(({ language }) => languageClass(language) === name);

  test('refuses questions of other fields', () => {
    const far = asked().filter((result) => result.asked.kind === 'far');
    const refused = far.filter(({ comprehensive }) => comprehensive.refusal !== undefined);
    expect(refused.length / far.length).toBeGreaterThanOrEqual(FAR_REFUSED);
  });

  test('lets most questions through that have an answer', () => {
    const answerable = asked().filter((result) => result.asked.kind === 'answerable');
    const answered = answerable.filter(({ comprehensive }) => comprehensive.refusal === undefined);
    expect(answered.length / answerable.length).toBeGreaterThan(0.7);
  });
});
