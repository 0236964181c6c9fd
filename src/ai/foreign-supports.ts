import { visibleText } from './sanitize-answer.ts';
import type { UnitSupport } from './unit-support.ts';

/** Whether a unit says what a sentence in another language says. */
export type CompareForeign = (unit: string, sentence: string) => Promise<boolean>;

/**
 * The supports of a unit, those in other languages as far as they say the same; all of them when `compare` is undefined.
 */
export async function withoutOtherMeanings(
  text: string,
  supports: readonly UnitSupport[],
  compare: CompareForeign | undefined,
): Promise<readonly UnitSupport[]> {
  if (compare === undefined || !supports.some(({ isForeign }) => isForeign)) return supports;
  const unit = visibleText(text).trim();
  const same: UnitSupport[] = [];
  for (const support of supports) {
    if (!support.isForeign || (await compare(unit, support.snippet))) same.push(support);
  }
  return same;
}
