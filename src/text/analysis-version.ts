/** Grows with every change of tokens, stems, folding or title names: an index of another version is rebuilt. */
export const ANALYSIS_VERSION = 5;
