import type { StoredDocument } from '../../src/core/document.ts';
import { prepareLucene } from '../bench/search/lucene.ts';
import { startPeer } from '../bench/search/peer-handle.ts';
import type { LuceneSettings } from '../bench/search/peer-messages.ts';
import { pageTexts } from './page-texts.ts';

/**
 * `Lucene OR`: its EnglishAnalyzer and BM25 as they come, fields added up, titles five times as much as text, as for
 * FTS5. `Lucene tuned`: what somebody who knows it would set for manuals; chosen by the tuning halves of names and of
 * visitors' queries among what docs/relevance.md lists.
 */
const LUCENE_SETTINGS = {
  'Lucene OR': {
    analysis: 'english',
    weights: { title: 5, headings: 2, content: 1 },
    tie: 1,
    phrase: 0,
    slop: 0,
    k1: 1.2,
    b: 0.75,
  },
  'Lucene tuned': {
    analysis: 'identifiers',
    weights: { title: 2, headings: 1.5, content: 1 },
    tie: 0.1,
    phrase: 1,
    slop: 2,
    k1: 1.2,
    b: 0.3,
  },
} as const satisfies Record<string, LuceneSettings>;

export const LUCENE_NAMES = Object.keys(LUCENE_SETTINGS);

const HEAP_MB = 1_000;

/** Ids of the best documents for a query of those that were given, best first. */
export type Ranking = (query: string) => readonly string[];
export type RankByLucene = typeof rankByLucene;

/** Undefined, and a line that says why, where Lucene cannot run. */
export function openLucene(): RankByLucene | undefined {
  const obstacle = prepareLucene();
  if (obstacle === undefined) return rankByLucene;
  console.error(`evaluate: Lucene is left out: ${obstacle}`);
  return undefined;
}

/** Rankings by `LUCENE_NAMES`. */
async function rankByLucene(
  rows: readonly StoredDocument[],
  queries: readonly string[],
  places: number,
): Promise<ReadonlyMap<string, Ranking>> {
  await using peer = await startPeer('lucene', HEAP_MB);
  const settings = Object.values(LUCENE_SETTINGS);
  const answer = await peer.ask({ kind: 'rank', pages: rows.map(pageTexts), queries, settings, places });
  if (answer.kind !== 'ranked') throw new Error(`Lucene ranks nothing: ${JSON.stringify(answer)}`);
  return new Map(
    LUCENE_NAMES.map((name, at) => {
      const idsByQuery = new Map(queries.map((query, index) => [query, answer.rankings[at]?.[index] ?? []]));
      return [name, (query) => idsByQuery.get(query) ?? []];
    }),
  );
}
