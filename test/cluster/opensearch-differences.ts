/** A sentence of the contract suites that this adapter does not keep, and why. */
export type Difference = { readonly sentence: string; readonly reason: string };

/** Named as vitest prints them, without the adapter. docs/scaling.md has the same list. */
export const OPENSEARCH_DIFFERENCES: readonly Difference[] = [];

export function differenceOf(testName: string): Difference | undefined {
  return OPENSEARCH_DIFFERENCES.find(({ sentence }) => testName.endsWith(sentence));
}
