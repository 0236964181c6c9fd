import { AppError } from '../../core/errors.ts';
import type { FilterNode } from '../../core/filters.ts';
import { pause } from '../../observability/background.ts';
import { type Completions, NO_COMPLETIONS } from '../completions.ts';
import type { Explanation } from '../explanation.ts';
import type { MatchNode, QueryPlan } from '../query-plan.ts';
import { DEFAULT_RELEVANCE } from '../relevance.ts';
import type { FieldStatus, FuzzyOptions, FuzzyTerm, Hits, SearchIndex } from '../search-index.ts';
import { completeText } from './complete.ts';
import { type Connection, isMissing } from './connection.ts';
import { type Engine, searchEngine } from './engine.ts';
import { explainDocuments } from './explain.ts';
import { surfaceCounts, wordFrequencies } from './frequencies.ts';
import { findFuzzyTerms } from './fuzzy-terms.ts';
import { EMPTY_GENERATION, IS_DOCUMENT, type KnownGeneration, readGeneration, readSeenSeq } from './generation.ts';
import { aliasOf } from './index-layout.ts';
import { filterQuery } from './plan/filter.ts';
import { matchQuery } from './plan/match.ts';
import { prepareMatch } from './prepare-plan.ts';
import { readRids } from './read-rids.ts';
import { StaleGeneration, searchGeneration } from './search.ts';
import { totalOf } from './total.ts';

export type OpenSearchIndexOptions = {
  readonly connection: Connection;
  readonly indexPrefix: string;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** Generations that may be published while a search runs. */
const MAX_TRIES = 20;
const LOOK_EVERY_MS = 50;
/** How old what `visibleSeq` says may be while it is asked for. */
const SEEN_FOR_MS = 500;

type Host = OpenSearchIndexOptions & {
  readonly known: Map<number, KnownGeneration>;
  /** Engines whose index was there and is not any more. */
  readonly gone: Set<number>;
  /** When the servers were asked what is published, by engine. */
  readonly lookedAtMs: Map<number, number>;
};

/** Searches the indexes of all engines on the servers. Holds what is known of each engine's last seen generation. */
export function openOpenSearchIndex(options: OpenSearchIndexOptions): SearchIndex {
  const host: Host = { ...options, known: new Map(), gone: new Set(), lookedAtMs: new Map() };
  return {
    search: (engineId, plan, signal) =>
      withGeneration(host, engineId, { signal, none: () => emptyHits(plan) }, (engine) =>
        searchGeneration(engine, plan),
      ),
    matchingRids: (engineId, filter) => matchingRids(host, engineId, filter),
    hasMatch: (engineId, match, signal) =>
      latest(host, engineId, { signal, none: () => false }, (engine) => hasMatch(engine, match)),
    explain: (engineId, plan, documents, signal) =>
      withGeneration(host, engineId, { signal, none: () => documents.map(() => NOT_THERE) }, (engine) =>
        explainDocuments(engine, plan, documents),
      ),
    completions: (engineId, text, asked) =>
      latest(host, engineId, { none: (): Completions => NO_COMPLETIONS }, (engine) =>
        completeText(engine, text, asked),
      ),
    fuzzyTerms: (engineId, word, asked: FuzzyOptions, signal) =>
      latest(host, engineId, { signal, none: (): readonly FuzzyTerm[] => [] }, (engine) =>
        findFuzzyTerms(engine, word, asked),
      ),
    documentFrequencies: (engineId, words) =>
      latest(host, engineId, { none: () => words.map(() => 0) }, async (engine) =>
        words.map(await wordFrequencies(engine, words)),
      ),
    surfaceFrequencies: (engineId, words) =>
      latest(host, engineId, { none: () => words.map(() => 0) }, async (engine) => [
        ...(await surfaceCounts(engine, words)),
      ]),
    fields: (engineId) =>
      latest(host, engineId, { none: (): readonly FieldStatus[] => [] }, async ({ generation }) => generation.fields),
    languages: (engineId) =>
      latest(
        host,
        engineId,
        { none: (): readonly string[] => [] },
        async ({ generation }) => generation.words.languages,
      ),
    visibleSeq(engineId) {
      lookSoon(host, engineId);
      return host.known.get(engineId)?.seq ?? 0;
    },
    waitVisible: (engineId, seq, signal) => waitVisible(host, engineId, seq, signal),
    async forget(engineId) {
      host.known.delete(engineId);
      host.gone.delete(engineId);
      host.lookedAtMs.delete(engineId);
    },
    async [Symbol.asyncDispose]() {
      host.known.clear();
    },
  };
}

const NOT_THERE: Explanation = {
  generation: 0,
  seq: 0,
  mismatch: { cause: 'absent', dead: false },
  rank: undefined,
  pin: undefined,
  score: undefined,
};

const GONE = 'The index of the engine was deleted from the servers and is made again';

type Asked<T> = { readonly signal?: AbortSignal; readonly none: () => T };

/** Works with the last seen generation, and again when the work has met a newer one. */
async function withGeneration<T>(
  host: Host,
  engineId: number,
  { signal, none }: Asked<T>,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const generation = host.known.get(engineId) ?? (await look(host, engineId, signal));
    if (generation === EMPTY_GENERATION) {
      if (host.gone.has(engineId)) throw new AppError('index.unavailable', GONE, { retryAfterSeconds: 5 });
      return none();
    }
    try {
      return await work(engineOf(host, engineId, generation, signal));
    } catch (error) {
      const isGone = error instanceof StaleGeneration || isMissing(error);
      if (!isGone || attempt === MAX_TRIES) throw error;
      await look(host, engineId, signal);
    }
  }
}

/** Works with the generation that is published now. */
async function latest<T>(
  host: Host,
  engineId: number,
  asked: Asked<T>,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { signal } = asked;
  return withGeneration(host, engineId, asked, async (engine) => {
    if ((await readSeenSeq(engine.connection, engine.alias, signal)) !== engine.generation.seq)
      throw new StaleGeneration();
    return work(engine);
  });
}

function engineOf(
  { connection, indexPrefix }: Host,
  engineId: number,
  generation: KnownGeneration,
  signal: AbortSignal | undefined,
): Engine {
  return { connection, alias: aliasOf(indexPrefix, engineId), generation, signal };
}

/** Reads what is published; what a server that lags behind says is passed over. An index made again has later numbers. */
async function look(host: Host, engineId: number, signal?: AbortSignal): Promise<KnownGeneration> {
  const alias = aliasOf(host.indexPrefix, engineId);
  const found = await readGeneration(host.connection, alias, signal);
  const known = host.known.get(engineId);
  if (found === EMPTY_GENERATION) {
    if (host.known.delete(engineId)) host.gone.add(engineId);
  } else if (known === undefined || found.number >= known.number) {
    host.known.set(engineId, found);
    host.gone.delete(engineId);
  }
  return host.known.get(engineId) ?? EMPTY_GENERATION;
}

/** Asks the servers in the background, now and then, so that the next answer is a late one. */
function lookSoon(host: Host, engineId: number): void {
  const now = host.monotonicMs();
  if (now - (host.lookedAtMs.get(engineId) ?? Number.NEGATIVE_INFINITY) < SEEN_FOR_MS) return;
  host.lookedAtMs.set(engineId, now);
  // Servers that are away are told of by searches.
  look(host, engineId).catch(() => undefined);
}

async function hasMatch(engine: Engine, match: MatchNode): Promise<boolean> {
  const scope = { ...(await prepareMatch(engine, match)), generation: engine.generation, weights: DEFAULT_RELEVANCE };
  const query = { bool: { filter: [IS_DOCUMENT, matchQuery(scope.match, scope)] } };
  return totalOf(await searchEngine(engine, { size: 0, track_total_hits: 1, terminate_after: 1, query })) > 0;
}

async function matchingRids(host: Host, engineId: number, filter: FilterNode) {
  return latest(host, engineId, { none: () => ({ seq: 0, rids: new Uint32Array() }) }, async (engine) => {
    const rids: number[] = [];
    const query = filterQuery(filter, engine.generation.typeOf);
    for await (const page of readRids(engine.connection, engine.alias, query)) rids.push(...page);
    const seq = await readSeenSeq(engine.connection, engine.alias);
    if (seq !== engine.generation.seq) throw new StaleGeneration();
    return { seq, rids: Uint32Array.from(rids) };
  });
}

async function waitVisible(host: Host, engineId: number, seq: number, signal: AbortSignal): Promise<boolean> {
  const isVisible = () => (host.known.get(engineId)?.seq ?? 0) >= seq;
  while (!isVisible() && !signal.aborted) {
    try {
      await look(host, engineId, signal);
    } catch {
      // The servers are away or the signal has ended the look: both are waited for.
    }
    if (!isVisible()) await pause(LOOK_EVERY_MS, signal);
  }
  return isVisible();
}

function emptyHits({ facets, ranges, topHits }: QueryPlan): Hits {
  return {
    seq: 0,
    total: 0,
    hits: [],
    facets: facets.map(({ name, field }) => ({ name, field, items: [], allCount: 0, missingCount: 0 })),
    ranges: ranges.map(({ label, ranges: own }) => ({ label, counts: own.map(() => 0) })),
    topHits: topHits.map(({ field }) => ({ field, values: [] })),
    matched: [],
    bestCoverage: 0,
  };
}
