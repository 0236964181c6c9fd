import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Row, SetReport } from '../extraction/set-report.ts';
import { mean } from '../ranking-measures.ts';
import { deliveredText, type GradedResult } from './graded-measures.ts';
import { GRADED_FOLDER, WORDINGS } from './graded-questions.ts';
import type { GradedSite } from './graded-sites.ts';

/** Of an answer that was given; what they mean is in `test/golden/graded-answers/README.md`. */
export const GRADES = ['right', 'partly', 'wrong'] as const;

/** Two people read each answer, and the second one does not know what the first one said. */
export const READINGS = ['first', 'second'] as const;
export type ReadingName = (typeof READINGS)[number];

const READING = z.strictObject({ grade: z.enum(GRADES), opensRight: z.boolean() });
export type Reading = z.infer<typeof READING>;

/** What a reader says of an answer: one line of the file that `--take` adds. */
const READ_ANSWER = z.object({ site: z.string(), id: z.string(), hash: z.string(), ...READING.shape });
export type ReadAnswer = z.infer<typeof READ_ANSWER>;

/** One line of `<site>.grades.json`: an answer that was given to a wording once, whether it is given now or not. */
export type GradedAnswer = {
  /** Of the wording: `12.3`. */
  readonly id: string;
  /** Of its text as delivered (`answerHash`). */
  readonly hash: string;
} & { readonly [reading in ReadingName]?: Reading };

const HASH_CHARS = 16;

export function answerHash(delivered: string): string {
  return createHash('sha256').update(delivered).digest('hex').slice(0, HASH_CHARS);
}

/** In the order of the questions; empty when nobody has read an answer of the site yet. */
export function readGrades({ name }: Pick<GradedSite, 'name'>): readonly GradedAnswer[] {
  const file = gradesFile(name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function writeGrades({ name }: Pick<GradedSite, 'name'>, grades: readonly GradedAnswer[]): void {
  writeFileSync(gradesFile(name), `[\n${grades.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`);
}

function gradesFile(site: string): URL {
  return new URL(`${site}.grades.json`, GRADED_FOLDER);
}

/** JSON lines of readers. */
export function parseReadAnswers(lines: string): readonly ReadAnswer[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => READ_ANSWER.parse(JSON.parse(line)));
}

/** The grades of a site with those of a reading; what the same reading said of the same answer before is replaced. */
export function withReading(
  grades: readonly GradedAnswer[],
  reading: ReadingName,
  answers: readonly ReadAnswer[],
): readonly GradedAnswer[] {
  const byAnswer = new Map(grades.map((graded) => [keyOf(graded), graded]));
  for (const { id, hash, grade, opensRight } of answers) {
    const before = byAnswer.get(keyOf({ id, hash })) ?? { id, hash };
    byAnswer.set(keyOf({ id, hash }), { ...before, [reading]: { grade, opensRight } });
  }
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  return [...byAnswer.values()].sort((a, b) => compare(a.id, b.id) || compare(a.hash, b.hash));
}

function keyOf({ id, hash }: Pick<GradedAnswer, 'id' | 'hash'>): string {
  return `${id} ${hash}`;
}

/** An answer to a question of the site that somebody is to read, or has read. */
export type GradedReadings = {
  readonly result: GradedResult;
  /** As delivered; `''` = refused, which needs no reading. */
  readonly delivered: string;
  readonly hash: string;
} & { readonly [reading in ReadingName]: Reading | undefined };

/** The concise answers to wordings of answerable questions, with what was said of just these texts. */
export function readingsOf(
  results: readonly GradedResult[],
  grades: readonly GradedAnswer[],
): readonly GradedReadings[] {
  const byAnswer = new Map(grades.map((graded) => [keyOf(graded), graded]));
  return results
    .filter(({ asked }) => asked.kind === 'answerable')
    .map((result) => {
      const delivered = deliveredText(result.concise);
      const hash = answerHash(delivered);
      const graded = byAnswer.get(keyOf({ id: result.asked.id, hash }));
      return { result, delivered, hash, first: graded?.first, second: graded?.second };
    });
}

export function isUnread(answer: GradedReadings, reading: ReadingName): boolean {
  return answer.delivered !== '' && answer[reading] === undefined;
}

export function isDisputed({ first, second }: Pick<GradedReadings, ReadingName>): boolean {
  if (first === undefined || second === undefined) return false;
  return first.grade !== second.grade || first.opensRight !== second.opensRight;
}

/** Both readings side by side, a row for each wording and for all. */
export function gradesReport(name: string, answers: readonly GradedReadings[]): SetReport {
  const rows = [
    ...WORDINGS.flatMap((wording) =>
      gradesRow(
        wording,
        answers.filter(({ result }) => result.asked.wording === wording),
      ),
    ),
    ...gradesRow('all wordings', answers),
  ];
  return { set: name, note: 'as read, first reading (1) and second (2); shares of all answers', rows };
}

function gradesRow(name: string, answers: readonly GradedReadings[]): readonly Row[] {
  if (answers.length === 0) return [];
  const share = (test: (answer: GradedReadings) => boolean) => mean(answers.map((each) => (test(each) ? 1 : 0)));
  const figures: Record<string, number> = {};
  for (const grade of GRADES) {
    figures[`${grade} 1`] = share(({ first }) => first?.grade === grade);
    figures[`${grade} 2`] = share(({ second }) => second?.grade === grade);
  }
  figures['opens 1'] = share(({ first }) => first?.opensRight === true);
  figures['opens 2'] = share(({ second }) => second?.opensRight === true);
  figures['refused'] = share(({ delivered }) => delivered === '');
  figures['unread 1'] = share((answer) => isUnread(answer, 'first'));
  figures['unread 2'] = share((answer) => isUnread(answer, 'second'));
  figures['differ'] = share(isDisputed);
  return [{ name, count: answers.length, figures }];
}
