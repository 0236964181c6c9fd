import { type AnalysedQuestion, fitsType, hasKind } from './question-types.ts';

/** `KX-4711`, `v2`, `kq7zj`, and a name with its number that nothing is counted with; `12V` and `3pm` are values. */
const CODE =
  /(?<![\p{L}\p{N}])\p{L}+[-_]?\p{N}[\p{L}\p{N}_-]*|(?<=[\p{Ll},;:] (?:\p{Lu}\p{Ll}+ ){1,4})\p{N}{1,3}(?![\p{N}.,:]*\p{N}|\s?\p{L}|\s?[%€$£¥])/gu;
/** Names of columns, and rows: their values stand in other cells. */
const ROW = ' | ';

/**
 * Whether a text holds a code and, beside it, no value of the kind that a question asks for: a word that somebody planted
 * to be said. False for questions that ask for no value. Linear.
 */
export function isStrayCodeWord(
  text: string,
  { type, asksFor }: Pick<AnalysedQuestion, 'type' | 'asksFor'>,
  language: string,
): boolean {
  const isOfDay = type === 'date';
  const asksForValue = asksFor !== undefined || type === 'number' || isOfDay;
  if (!asksForValue || text.includes(ROW)) return false;
  const rest = text.replace(CODE, ' ');
  if (rest === text) return false;
  if ((asksFor === undefined || isOfDay) && fitsType(rest, type, language)) return false;
  return asksFor === undefined || !hasKind(rest, asksFor, language);
}
