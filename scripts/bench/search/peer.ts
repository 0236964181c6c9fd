import type { GeneratedDocument } from '../generate-corpus.ts';

/** A query in no engine's language. Absent members ask for nothing. */
export type BenchQuery = {
  readonly words: readonly string[];
  readonly operator: 'AND' | 'OR';
  /** The words stand side by side. */
  readonly phrase?: true;
  /** Documents with a word that begins like this. */
  readonly prefix?: string;
  /** A misspelt word: the engine is to find `meant`. */
  readonly typo?: { readonly written: string; readonly meant: string };
  readonly categories?: readonly string[];
  /** Epoch milliseconds, inclusive. */
  readonly publishedFrom?: number;
  readonly near?: { readonly latitude: number; readonly longitude: number; readonly metres: number };
  /** Best first by this value, descending. */
  readonly sort?: 'published' | 'price';
};

/** What one query gave: the exact number of matches, for a typo 1 when the meant word was found. */
export type BenchAnswer = { readonly total: number };

/**
 * An engine under measurement, in a process of its own. A query returns the top 10, the exact total, and counts of
 * three facets (category, language, author) over all matches.
 */
export interface Peer {
  /**
   * Builds the index on disk, or in memory when the engine has no other form. `atRest`: an engine with segments merges
   * them into one, as after a while without writes.
   */
  build(documents: AsyncIterable<GeneratedDocument>, directory: string, atRest: boolean): Promise<void>;
  /** Whether the engine can do this class at all. */
  can(className: string): boolean;
  search(query: BenchQuery): Promise<BenchAnswer> | BenchAnswer;
  /** Opens what `build` left on disk, in a fresh process; absent when the engine keeps nothing there. */
  open?(directory: string): Promise<void>;
}

export const FACETS = ['category', 'language', 'author'] as const;
export const FIELD_BOOSTS = { title: 5, description: 2, content: 1 } as const;
export const TOP = 10;
