import type { ClaimSupport } from './claim-support.ts';
import { visibleText } from './sanitize-answer.ts';

/** Whether a claim says what a sentence in another language says. */
export type CompareForeign = (claimText: string, sentence: string) => Promise<boolean>;

/**
 * The supports of a claim, those in other languages as far as they say the same; all of them when `compare` is undefined.
 */
export async function withoutOtherMeanings(
  text: string,
  supports: readonly ClaimSupport[],
  compare: CompareForeign | undefined,
): Promise<readonly ClaimSupport[]> {
  if (compare === undefined || !supports.some(({ isForeign }) => isForeign)) return supports;
  const claimText = visibleText(text).trim();
  const same: ClaimSupport[] = [];
  for (const support of supports) {
    if (!support.isForeign || (await compare(claimText, support.snippet))) same.push(support);
  }
  return same;
}
