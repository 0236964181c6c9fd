/** What a contestant crawls: everything that its seeds lead to. */
export type CrawlOrder = {
  readonly origins: readonly string[];
  readonly seed: string;
  readonly pages: number;
  /** Fetches at once. */
  readonly concurrency: number;
  /** An empty folder of the contestant's own. */
  readonly folder: string;
};

export type PreparedCrawl = AsyncDisposable & {
  /** Resolves with the pages that were read. */
  crawl(): Promise<number>;
  /** CPU milliseconds of helpers in other processes, so far. */
  helperCpuMs?(): Promise<number>;
};

export type CrawlCounters = {
  readonly pages: number;
  readonly cpuMs: number;
  readonly helperCpuMs: number;
  readonly wallMs: number;
  /** Of the process from its start to the end of the crawl; 0 = not known. */
  readonly peakMb: number;
  /** When the crawl had ended. */
  readonly residentMb: number;
};
