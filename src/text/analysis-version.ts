/** Grows with every change of tokens, stems or folding: an index of another version is rebuilt. */
export const ANALYSIS_VERSION = 2;
