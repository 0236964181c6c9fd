import type { BenchQuery } from './peer.ts';

/** A page of a site as engines are given it that know no other fields. */
export type PageTexts = {
  readonly id: string;
  readonly title: string;
  readonly headings: string;
  readonly content: string;
};

/** How Lucene reads and ranks pages by BM25, any word matches. */
export type LuceneSettings = {
  /** `english`: its EnglishAnalyzer; `identifiers`: the same with `os.path` both whole and in parts, and no stop words. */
  readonly analysis: 'english' | 'identifiers';
  readonly weights: Readonly<Record<'title' | 'headings' | 'content', number>>;
  /** Share of a word's score that it keeps in all fields but the best one: 1 = the sum. */
  readonly tie: number;
  /** Weight of all words side by side, `slop` positions apart at most; 0 = none. */
  readonly phrase: number;
  readonly slop: number;
  readonly k1: number;
  readonly b: number;
};

/** What the benchmarks and evaluations ask of an engine's process; only Lucene's can `rank`. */
export type ToPeer =
  | { readonly kind: 'build'; readonly corpus: string; readonly directory: string; readonly atRest: boolean }
  | { readonly kind: 'open'; readonly directory: string }
  | {
      readonly kind: 'run';
      readonly className: string;
      readonly queries: readonly BenchQuery[];
      readonly budgetMs: number;
    }
  | {
      readonly kind: 'rank';
      readonly pages: readonly PageTexts[];
      readonly queries: readonly string[];
      readonly settings: readonly LuceneSettings[];
      readonly places: number;
    };

/**
 * CPU milliseconds of the whole process, threads included (of Lucene's searches without the compiler), one per query or
 * their mean; memory in bytes.
 */
export type FromPeer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'built' | 'opened'; readonly cpuMs: number; readonly wallMs: number; readonly rss: number }
  | { readonly kind: 'ran'; readonly cpuMs: readonly number[]; readonly totals: readonly number[] }
  /** Ids by settings, then by query, best first. */
  | { readonly kind: 'ranked'; readonly rankings: readonly (readonly (readonly string[])[])[] }
  | { readonly kind: 'cannot' }
  | { readonly kind: 'failed'; readonly reason: string };
