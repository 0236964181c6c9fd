import type { BenchQuery } from './peer.ts';

/** What the benchmark asks of an engine's process. */
export type ToPeer =
  | { readonly kind: 'build'; readonly corpus: string; readonly directory: string; readonly atRest: boolean }
  | { readonly kind: 'open'; readonly directory: string }
  | {
      readonly kind: 'run';
      readonly className: string;
      readonly queries: readonly BenchQuery[];
      readonly budgetMs: number;
    };

/**
 * CPU milliseconds of the whole process, threads included (of Lucene's searches without the compiler), one per query or
 * their mean; memory in bytes.
 */
export type FromPeer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'built' | 'opened'; readonly cpuMs: number; readonly wallMs: number; readonly rss: number }
  | { readonly kind: 'ran'; readonly cpuMs: readonly number[]; readonly totals: readonly number[] }
  | { readonly kind: 'cannot' }
  | { readonly kind: 'failed'; readonly reason: string };
