import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSuite } from '../../../scripts/evaluate/answers/ask-suite.ts';
import { type QuestionResult, reportOn, TOLERANCE } from '../../../scripts/evaluate/answers/measure.ts';
import { BASELINE_FILE, SUITES, suiteQuestions } from '../../../scripts/evaluate/answers/suites.ts';
import { type Baseline, fallsBelow, withReports } from '../../../scripts/evaluate/extraction/set-report.ts';

/** `UPDATE_GOLDEN=1` writes the baseline anew; its difference is reviewed. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
/** Answers design 19, release: in every language. */
const LEAST_ANSWERED = 0.8;

const readBaseline = (): Baseline => JSON.parse(readFileSync(BASELINE_FILE, 'utf8'));

describe.each(SUITES)('$name', (suite) => {
  test('no figure of the tuning half has fallen', async () => {
    await using opened = await openSuite(suite);
    const results: QuestionResult[] = [];
    for (const asked of suiteQuestions(suite, 'tuning')) results.push(await opened.ask(asked));
    const report = reportOn(suite.name, results);
    if (isUpdate) writeFileSync(BASELINE_FILE, `${JSON.stringify(withReports(readBaseline(), [report]), null, 2)}\n`);
    expect(fallsBelow(readBaseline(), [report], TOLERANCE)).toEqual([]);
    const answerable = report.rows.find(({ name }) => name === 'answerable');
    expect(answerable?.figures['answered']).toBeGreaterThanOrEqual(LEAST_ANSWERED);
  });
});
