/** A sentence of the contract suites that this adapter does not keep, and why. */
export type Difference = { readonly sentence: string; readonly reason: string };

/** Named as vitest prints them, without the adapter. docs/scaling.md gives the same reasons. */
export const OPENSEARCH_DIFFERENCES: readonly Difference[] = [
  {
    sentence: 'tells what keeps a document out: a document that was deleted',
    reason: 'nothing is kept of a deleted document: an explanation calls it absent, as one that never was',
  },
];

export function differenceOf(testName: string): Difference | undefined {
  return OPENSEARCH_DIFFERENCES.find(({ sentence }) => testName.endsWith(sentence));
}
