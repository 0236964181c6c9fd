import { printAnswer, printNumbered } from '../../../src/ai/answer-event.ts';
import { holdsNugget } from '../../../src/ai/golden-questions.ts';
import type { GivenAnswer, QuestionResult } from '../answers/measure.ts';
import type { Row, SetReport } from '../extraction/set-report.ts';
import { mean } from '../ranking-measures.ts';
import { fragmentsOf } from './fragments.ts';
import { type GradedAsk, WORDINGS } from './graded-questions.ts';

/** `rank` and `gate` are not known of a running installation. */
export type GradedResult = Omit<QuestionResult, 'asked' | 'rank' | 'gate'> &
  Partial<Pick<QuestionResult, 'rank' | 'gate'>> & { readonly asked: GradedAsk };

/** How an answer looks to whom only counts nuggets. */
export type NuggetVerdict = 'right' | 'wrong' | 'refused';

export function verdictOf({ nuggets }: Pick<GradedAsk, 'nuggets'>, { text, refusal }: GivenAnswer): NuggetVerdict {
  if (refusal !== undefined) return 'refused';
  return holdsNugget(text, nuggets) ? 'right' : 'wrong';
}

/** With `[n]`, as visitors read it; `''` = refused. */
export function deliveredText({ segments }: Pick<GivenAnswer, 'segments'>): string {
  return printAnswer(segments, printNumbered);
}

/** What it says, piece by piece, without markers. */
export function unitsOf({ segments }: Pick<GivenAnswer, 'segments'>): readonly string[] {
  return segments.map(({ text }) => text);
}

/** A row for each wording, for all of them, and for the questions that nothing answers. */
export function gradedReport(name: string, results: readonly GradedResult[]): SetReport {
  const { answerable = [], near = [], far = [] } = Object.groupBy(results, ({ asked }) => asked.kind);
  const rows = [
    ...WORDINGS.flatMap((wording) =>
      answerableRow(
        wording,
        answerable.filter(({ asked }) => asked.wording === wording),
      ),
    ),
    ...answerableRow('all wordings', answerable),
    ...refusedRow('near', near),
    ...refusedRow('far', far),
  ];
  const note = 'by nuggets; all but `comprehensive` of the concise answer; units and fragments of those given';
  return { set: name, note, rows };
}

function answerableRow(name: string, results: readonly GradedResult[]): readonly Row[] {
  if (results.length === 0) return [];
  const share = (test: (result: GradedResult) => boolean) => mean(results.map((each) => (test(each) ? 1 : 0)));
  const isConcisely = (verdict: NuggetVerdict) => share(({ asked, concise }) => verdictOf(asked, concise) === verdict);
  const given = results.map(({ concise }) => concise).filter(({ refusal }) => refusal === undefined);
  const units = given.map(unitsOf);
  const figures = {
    right: isConcisely('right'),
    'opens right': share(({ asked, concise }) => holdsNugget(concise.opening, asked.nuggets)),
    wrong: isConcisely('wrong'),
    'wrongly refused': isConcisely('refused'),
    comprehensive: share(({ asked, comprehensive }) => verdictOf(asked, comprehensive) === 'right'),
    'gold cited': share(({ asked, concise }) => concise.cited.some((key) => asked.gold.includes(key))),
    units: Number(mean(units.map(({ length }) => length)).toFixed(2)),
    fragments: units.flatMap(fragmentsOf).length / Math.max(1, units.flat().length),
  };
  return [{ name, count: results.length, figures }];
}

function refusedRow(name: string, results: readonly GradedResult[]): readonly Row[] {
  if (results.length === 0) return [];
  const refused = mean(results.map(({ concise }) => (concise.refusal === undefined ? 0 : 1)));
  return [{ name, count: results.length, figures: { refused } }];
}
