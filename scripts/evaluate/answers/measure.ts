import type { AnswerSegment } from '../../../src/ai/answer-event.ts';
import type { GateFeatures } from '../../../src/ai/answerability.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import type { Row, SetReport } from '../extraction/set-report.ts';
import { mean } from '../ranking-measures.ts';
import type { AskedQuestion } from './suites.ts';

export type GivenAnswer = {
  /** As delivered, in order; none = refused. */
  readonly segments: readonly AnswerSegment[];
  /** Markdown without markers; `''` = refused. */
  readonly text: string;
  /** The block that it says first: a sentence or two, an item, a row, a list, or code, with what introduces it. */
  readonly opening: string;
  /** Why nothing was said; undefined = something was. */
  readonly refusal: string | undefined;
  /** Keys of the documents that the answer cites. */
  readonly cited: readonly string[];
  /** Sentences that claim something, and those of them that the guard let through. */
  readonly claims: number;
  readonly kept: number;
};

export type QuestionResult = {
  readonly asked: AskedQuestion;
  readonly language: string;
  readonly comprehensive: GivenAnswer;
  readonly concise: GivenAnswer;
  /** Place of the first passage of a gold page that holds a nugget, from 1; infinite = none. */
  readonly rank: number;
  readonly gate: { readonly features: GateFeatures; readonly probability: number };
};

/** Two points (answers design 19): less is a question or two. */
export const TOLERANCE = 0.02;

export function isCorrect({ asked, comprehensive }: QuestionResult): boolean {
  return holdsNugget(comprehensive.text, asked.nuggets);
}

/** The table of a suite; `score` is the mean of 1 for right, 0 for a refusal that is not, −1 for wrong. */
export function reportOn(name: string, results: readonly QuestionResult[]): SetReport {
  const { answerable = [], far = [], near = [], follow = [] } = Object.groupBy(results, ({ asked }) => rowOf(asked));
  const rows = [
    ...rowOfAnswerable('answerable', answerable),
    ...rowOfAnswerable('follow-ups', follow),
    ...rowOfRefused('far', far),
    ...rowOfRefused('near', near),
    { name: 'all', count: results.length, figures: { score: mean(results.map(scoreOf)) } },
  ];
  return { set: name, note: 'correct: a nugget is in the comprehensive answer', rows };
}

function rowOf({ kind, previous }: AskedQuestion): 'answerable' | 'far' | 'near' | 'follow' {
  return kind === 'answerable' && previous.length > 0 ? 'follow' : kind;
}

function rowOfAnswerable(name: string, results: readonly QuestionResult[]): readonly Row[] {
  if (results.length === 0) return [];
  const share = (test: (result: QuestionResult) => boolean) => mean(results.map((result) => (test(result) ? 1 : 0)));
  const isGold = ({ asked, comprehensive }: QuestionResult) =>
    comprehensive.cited.some((id) => asked.gold.includes(id));
  const figures = {
    correct: share(isCorrect),
    concise: share(({ asked, concise }) => holdsNugget(concise.text, asked.nuggets)),
    'opens right': share(({ asked, comprehensive }) => holdsNugget(comprehensive.opening, asked.nuggets)),
    answered: share(({ comprehensive }) => comprehensive.refusal === undefined),
    'gold cited': share(isGold),
    'claims kept': keptShare(results),
    'rank 1': share(({ rank }) => rank === 1),
    'rank <= 5': share(({ rank }) => rank <= 5),
  };
  return [{ name, count: results.length, figures }];
}

function keptShare(results: readonly QuestionResult[]): number {
  const sum = (of: 'claims' | 'kept') => results.reduce((total, { comprehensive }) => total + comprehensive[of], 0);
  return sum('kept') / Math.max(1, sum('claims'));
}

function rowOfRefused(name: string, results: readonly QuestionResult[]): readonly Row[] {
  if (results.length === 0) return [];
  const refused = mean(results.map(({ comprehensive }) => (comprehensive.refusal === undefined ? 0 : 1)));
  return [{ name, count: results.length, figures: { refused } }];
}

function scoreOf(result: QuestionResult): number {
  const isRefused = result.comprehensive.refusal !== undefined;
  if (result.asked.kind !== 'answerable') return isRefused ? 1 : -1;
  if (isRefused) return 0;
  return isCorrect(result) ? 1 : -1;
}
