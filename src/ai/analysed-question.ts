import type { PassageQuery } from '../search/retrieved-passages.ts';
import type { QueryIntent } from './intent-tables.ts';

export const QUESTION_TYPES = [
  'number',
  'date',
  'person',
  'place',
  'definition',
  'how-to',
  'why',
  'yes-no',
  'other',
] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

/** What an answer cannot be without. */
export const ANSWER_KINDS = ['phone', 'email', 'price', 'year', 'time', 'count', 'person'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** A question that stands alone, with what its words say about the answer. */
export type AnalysedQuestion = PassageQuery & {
  readonly type: QuestionType;
  /** Undefined = an answer may look like anything. */
  readonly asksFor: AnswerKind | undefined;
  /** What somebody new to a place asks first: passages that hold it are preferred, none is refused for want of it. */
  readonly intent: QueryIntent | undefined;
};
