import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { loggedInstead, runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { MAX_POPULAR_QUERIES, type PopularQuery, type PopularQueryStore } from '../storage/system/popular-queries.ts';
import { wordsOf } from '../text/analyzer.ts';
import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';

export type PopularQueriesDeps = {
  readonly store: Pick<PopularQueryStore, 'listPopularQueries'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Queries logged less often may hold what only one visitor knows. cfg `RELATED_MIN_COUNT`. */
  readonly minCount: number;
  /** How old a list may get before the next one is read; stock value `POPULAR_QUERIES_AGE_MS`. */
  readonly maxAgeMs: number;
};

/** What visitors of an engine search for, most frequent first. The same list until it is read anew. */
export type PopularQueries = (engineId: number) => Promise<readonly PopularQuery[]>;

/** Search-engine design 14.4. */
export const POPULAR_QUERIES_AGE_MS = 60_000;
/** Lists kept; of another engine the one that was read first goes. */
const CACHED_LISTS = 200;

const OLD_LIST = 'popular queries could not be read: the list before stays';

/** A short list costs next to nothing to read: the first queries of a new engine count at once. */
const SHORT_LIST = 200;
const SHORT_LIST_AGE_MS = 200;

type CachedQueries = { readonly queries: Promise<readonly PopularQuery[]>; readAt: number; isShort: boolean };

/**
 * Committed queries of every engine in memory, at most 50,000 each. The first caller waits; later ones get the present
 * list while an aged one is read anew, or wait for it when it is short.
 */
export function createPopularQueries({ store, clock, log, minCount, maxAgeMs }: PopularQueriesDeps): PopularQueries {
  const kept = new Map<number, CachedQueries>();
  const read = async (engineId: number) => {
    const queries = store.listPopularQueries({ engineId, minCount, limit: MAX_POPULAR_QUERIES });
    const entry = { queries, readAt: clock.now(), isShort: false };
    if (!kept.has(engineId)) keep(kept, engineId, entry);
    // An error is the caller's; the list before stays, and the next caller tries again.
    const list = await queries.catch((error: unknown) => {
      if (kept.get(engineId) === entry) kept.delete(engineId);
      throw error;
    });
    entry.isShort = list.length <= SHORT_LIST;
    keep(kept, engineId, entry);
    return queries;
  };
  return async (engineId) => {
    const known = kept.get(engineId);
    if (known === undefined || maxAgeMs === 0) return read(engineId);
    const ageMs = clock.now() - known.readAt;
    if (known.isShort && ageMs >= SHORT_LIST_AGE_MS)
      return read(engineId).catch(loggedInstead(log, OLD_LIST, known.queries));
    if (ageMs >= maxAgeMs) {
      known.readAt = clock.now();
      read(engineId).catch(loggedInstead(log, OLD_LIST, undefined));
    }
    return known.queries;
  };
}

function keep(kept: Map<number, CachedQueries>, engineId: number, entry: CachedQueries): void {
  kept.delete(engineId);
  kept.set(engineId, entry);
  const [oldest] = kept.keys();
  if (kept.size > CACHED_LISTS && oldest !== undefined) kept.delete(oldest);
}

/** Committed queries by the stems of their words, to find those that are like another one. */
export type QueryNeighbours = {
  readonly queries: readonly PopularQuery[];
  readonly stems: readonly (readonly string[])[];
  readonly byStem: ReadonlyMap<string, readonly number[]>;
  /** What is known of texts among them: whether a document matches. Kept as long as the list. */
  readonly matching: Map<string, boolean>;
};

/** Neighbours of an engine's queries in memory. */
export type NeighbourSource = {
  /** Waits for what is not in memory yet. */
  of(engine: NeighbourEngine): Promise<QueryNeighbours>;
  /** What is in memory; when that is nothing or old, it is read in the background. */
  ready(engine: NeighbourEngine): QueryNeighbours | undefined;
  /** Queries in normal form that shared a query session with this one. */
  together(engineId: number, query: string): Promise<ReadonlySet<string>>;
};

type NeighbourEngine = { readonly id: number; readonly language: string };

/** A query and how much of its meaning it shares with another: 0 to 1. */
export type Neighbour = { readonly query: PopularQuery; readonly similarity: number };

/** Queries per turn of the event loop: some 3 ms. */
const STEP = 500;
/** Queries of one stem that are looked at, the most frequent first. */
const MAX_PER_STEM = 200;

/** Engines kept ready; of another the one that was asked for first goes. */
const CACHED_NEIGHBOUR_INDEXES = 200;
const MAX_PAIRS = 100;

export function createQueryNeighbours({
  popularQueries,
  store,
  log,
}: {
  readonly popularQueries: PopularQueries;
  readonly store: Pick<PopularQueryStore, 'listQueryPairs'>;
  readonly log: Log;
}): NeighbourSource {
  const kept = new Map<number, QueryNeighbours>();
  const of = async ({ id, language }: NeighbourEngine) => {
    const neighbours = await neighboursOf(await popularQueries(id), language);
    kept.delete(id);
    kept.set(id, neighbours);
    const [oldest] = kept.keys();
    if (kept.size > CACHED_NEIGHBOUR_INDEXES && oldest !== undefined) kept.delete(oldest);
    return neighbours;
  };
  return {
    of,
    ready(engine) {
      runInBackground(log, 'queries of visitors', () => of(engine));
      return kept.get(engine.id);
    },
    async together(engineId, query) {
      const pairs = await store.listQueryPairs({ engineId, query, limit: MAX_PAIRS });
      return new Set(pairs.map(({ other }) => other));
    },
  };
}

const made = new WeakMap<readonly PopularQuery[], Promise<QueryNeighbours>>();

/** The look-up of a list of queries in a language, made once per list, in steps. */
function neighboursOf(queries: readonly PopularQuery[], language: string): Promise<QueryNeighbours> {
  const known = made.get(queries) ?? index(queries, language);
  made.set(queries, known);
  return known;
}

/** Distinct stems of the words that carry content, or of all words when none does. */
export function contentStems(text: string, language: string): readonly string[] {
  const words = wordsOf(text);
  const content = words.filter((word) => !isStopWord(word, language));
  return [...new Set((content.length > 0 ? content : words).map((word) => stemWord(word, language)))];
}

/**
 * Queries that share stems with a text, not ordered. `weights` says what each stem counts: 1 for a word of the text,
 * less for what only means the same. Similarity is the weight of what both have by the weight of what either has,
 * rare stems counting more.
 */
export function queriesLike(
  { queries, stems, byStem }: QueryNeighbours,
  weights: ReadonlyMap<string, number>,
): readonly Neighbour[] {
  const rarity = (stem: string) => Math.log(1 + queries.length / (byStem.get(stem)?.length ?? 1));
  const own = [...weights].reduce((sum, [stem, weight]) => (weight === 1 ? sum + rarity(stem) : sum), 0);
  const candidates = new Set([...weights.keys()].flatMap((stem) => (byStem.get(stem) ?? []).slice(0, MAX_PER_STEM)));
  return [...candidates].flatMap((number) => {
    const query = queries[number];
    if (query === undefined) return [];
    let shared = 0;
    let other = 0;
    for (const stem of stems[number] ?? []) {
      const weight = weights.get(stem);
      if (weight === undefined) other += rarity(stem);
      else shared += weight * rarity(stem);
    }
    return [{ query, similarity: shared / (Math.max(own, shared) + other) }];
  });
}

async function index(queries: readonly PopularQuery[], language: string): Promise<QueryNeighbours> {
  const stems: (readonly string[])[] = [];
  const byStem = new Map<string, number[]>();
  for (const [number, { text }] of queries.entries()) {
    if (number % STEP === STEP - 1) await yieldToEventLoop();
    const own = contentStems(text, language);
    stems.push(own);
    for (const stem of own) {
      const same = byStem.get(stem);
      if (same === undefined) byStem.set(stem, [number]);
      else same.push(number);
    }
  }
  return { queries, stems, byStem, matching: new Map() };
}
