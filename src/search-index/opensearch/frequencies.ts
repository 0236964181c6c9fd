import { z } from 'zod';
import { foldWord } from '../../text/folding.ts';
import type { Json } from './connection.ts';
import { type Engine, searchEngine } from './engine.ts';
import { SEARCHED_TEXT, surfacesQuery } from './fuzzy-terms.ts';
import { IS_DOCUMENT } from './generation.ts';
import { listQuery } from './plan/word-lists.ts';

/** Counts that are kept of one generation. */
const MAX_KNOWN = 20_000;
/** Filters of one request. */
const PER_REQUEST = 200;

const CountsSchema = z.object({
  aggregations: z.object({ counts: z.object({ buckets: z.array(z.object({ doc_count: z.number() })) }) }),
});

/** Live documents that match each query; those known of the generation are not counted again. */
export async function countDocuments(engine: Engine, queries: ReadonlyMap<string, Json>): Promise<void> {
  const { frequencies } = engine.generation;
  const unknown = [...queries].filter(([key]) => !frequencies.has(key));
  if (frequencies.size > MAX_KNOWN) frequencies.clear();
  for (let from = 0; from < unknown.length; from += PER_REQUEST) {
    const asked = unknown.slice(from, from + PER_REQUEST);
    const answer = await searchEngine(engine, {
      size: 0,
      track_total_hits: false,
      query: { bool: { filter: [IS_DOCUMENT, { bool: { should: asked.map(([, query]) => query) } }] } },
      aggs: { counts: { filters: { filters: asked.map(([, query]) => query) } } },
    });
    const { buckets } = CountsSchema.parse(answer).aggregations.counts;
    for (const [at, [key]] of asked.entries()) frequencies.set(key, buckets[at]?.doc_count ?? 0);
  }
}

const wordKey = (word: string) => `word ${word}`;
const surfaceKey = (folded: string) => `surface ${folded}`;

/** Counts the documents that have each word, in the stem of their language, and gives what is known of any of them. */
export async function wordFrequencies(engine: Engine, words: Iterable<string>): Promise<(word: string) => number> {
  const { languages } = engine.generation.words;
  const queries = new Map(
    [...new Set(words)].map((word) => [wordKey(word), listQuery({ words: [word], slop: 0 }, languages)] as const),
  );
  await countDocuments(engine, queries);
  return (word) => engine.generation.frequencies.get(wordKey(word)) ?? 0;
}

/** The same by folded words as they are written in searched text. */
export async function surfaceCounts(engine: Engine, words: readonly string[]): Promise<readonly number[]> {
  const folded = words.map(foldWord);
  await countDocuments(
    engine,
    new Map(folded.map((text) => [surfaceKey(text), surfacesQuery(SEARCHED_TEXT, [text])] as const)),
  );
  return folded.map((text) => engine.generation.frequencies.get(surfaceKey(text)) ?? 0);
}
