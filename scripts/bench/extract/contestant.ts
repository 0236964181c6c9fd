/** A page of a data pack, as it was fetched. */
export type BenchPage = { readonly url: string; readonly body: Uint8Array };

/** Reads one page and gives the length of its text, so that no work can be left out. */
export type ReadBenchPage = (page: BenchPage) => number | Promise<number>;

export type PageFigures = {
  readonly pages: number;
  /** Mean, median and most of a page in a round that follows one over some of them. */
  readonly meanMs: number;
  readonly medianMs: number;
  /** Mean of a second round, which has next to nothing left to compile: what a process costs that runs for long. */
  readonly againMs: number;
  readonly worstMs: number;
  readonly worstUrl: string;
  /** Pages that could not be read. */
  readonly failed: number;
};
