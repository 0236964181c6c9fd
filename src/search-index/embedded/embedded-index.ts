import type { Clock } from '../../core/clock.ts';
import { createSemaphore, type Semaphore, unlessAborted } from '../../core/concurrency.ts';
import type { StoredDocument } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import type { FilterNode } from '../../core/filters.ts';
import type { Log } from '../../observability/logger.ts';
import { COMPLETED_FIELDS } from '../completions.ts';
import type { Explanation } from '../explanation.ts';
import type { IndexedStore } from '../index-writer.ts';
import { dearestPart, type PlanCost, type QueryPlan, totalCost } from '../query-plan.ts';
import { matchPlan } from '../relevance.ts';
import type { FieldStatus, FuzzyOptions, FuzzyTerm, Hits, SearchIndex } from '../search-index.ts';
import { withWordForms } from '../word-forms.ts';
import { type CompletionCache, cacheCompletions, INLINE_COMPLETION_DOCUMENTS } from './completions/completion-cache.ts';
import { estimateCost, estimateFirstUse, estimateSearching, scanCostOf } from './cost/estimate-cost.ts';
import { type AskedExplanation, explainDocuments, explainedPlan } from './explain.ts';
import type { EvaluationStrategy } from './query/query-form.ts';
import type { EngineReader } from './read/engine-reader.ts';
import { createOpenEngines } from './read/open-engines.ts';
import { countLive, type RequiredColumns, requiredColumnsOf, requiredColumnsOfFilter } from './read/prepare-plan.ts';
import { isOwnField, type SegmentView, type Snapshot, wordKnowledgeOf } from './read/snapshot.ts';
import { createSearchThreads, type ReplacedThreads, type SearchThreads, wasDisplaced } from './search-threads.ts';
import { Searcher } from './searcher.ts';
import { POSITIONS_EXTENT } from './segment/segment.ts';
import { stoppable } from './stop-point.ts';

export type EmbeddedIndexOptions = {
  /** Folder of an engine's index; need not exist. */
  readonly directoryOf: (engineId: number) => string;
  /** Search threads; 0 = every search runs on the calling thread. */
  readonly threads: number;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * The store: columns keep no text of values over 200 bytes, so facets, sorts and text comparisons on them read it
   * there. Without it such values show and compare by their fingerprint.
   */
  readonly readDocuments?: (
    engineId: number,
    rids: readonly number[],
  ) => Promise<readonly (StoredDocument | undefined)[]>;
  /** The store that an engine's index has to belong to: one that does not is not answered from. */
  readonly storeOf?: (engineId: number) => Promise<IndexedStore>;
  /** Memory that indexes may take, `INDEX_MEMORY_MB`; no bound when it is left out. */
  readonly memoryBytes?: number;
  /** Estimated nanoseconds up to which a search runs on the calling thread. */
  readonly inlineNs?: number;
  /** Live documents up to which completions are made on the calling thread. */
  readonly inlineCompletionDocuments?: number;
  /** Milliseconds after which a search on the calling thread ends with `search.timeout`. */
  readonly inlineDeadlineMs?: number;
  /** A path to be taken wherever it can be, on the calling thread: for tests that compare paths. */
  readonly forcedPath?: EvaluationStrategy;
};

/** A hop to a thread costs 0.03 to 0.08 ms and no search may hold the main loop longer (search-engine design 9). */
const INLINE_NS = 300_000;
/** Longest search (search-engine design 9). */
const INLINE_DEADLINE_MS = 5_000;
/** Estimated work of one engine that may wait per thread. */
const QUEUED_NS = 200_000_000;
/** Generations that may come between a look and the reading of their columns. */
const SNAPSHOT_TRIES = 20;
/** Threads that may have to end one after the other under the same work. */
const DISPLACED_TRIES = 5;

/** The heads of the segments are enough. */
const NOTHING: RequiredColumns = { fields: new Set(), texts: new Set(), positions: false };
const requireNothing = (): RequiredColumns => NOTHING;

type Host = {
  readonly options: EmbeddedIndexOptions;
  readonly searcher: Searcher;
  readonly threads: SearchThreads;
  readonly readerOf: (engineId: number) => EngineReader;
  /** Fields of a snapshot, listed once: counting live documents may read columns. */
  readonly fields: WeakMap<Snapshot, readonly FieldStatus[]>;
  /** Estimated work under way on threads, per engine. */
  readonly queuedNs: Map<number, number>;
  /**
   * Of searches that may wait. While other searches keep the threads busy, one of them runs at a time; else as many as
   * there are threads.
   */
  readonly semaphore: Semaphore;
  readonly completions: Map<number, CompletionCache>;
};

/** A snapshot with everything attached that a plan reads. */
type Prepared = { readonly snapshot: Snapshot; readonly reader: EngineReader };

export type EmbeddedIndex = SearchIndex & {
  /** Bytes of segments, columns and positions in memory now. */
  residentBytes(): number;
  /** Search threads that did not stop in time and were replaced. */
  replacedThreads(): ReplacedThreads;
  /** Why searches of an engine have no generation to answer from; undefined = they have. */
  repairOf(engineId: number): Promise<string | undefined>;
};

/** Opens the index of all engines of a data folder for reading. Engines are opened on first use. Caller disposes. */
export function openEmbeddedIndex(options: EmbeddedIndexOptions): EmbeddedIndex {
  const { readDocuments, clock, log } = options;
  const threads = createSearchThreads(options.threads, log);
  const searcher = new Searcher();
  const completions = new Map<number, CompletionCache>();
  const engines = createOpenEngines({
    clock,
    log,
    directoryOf: options.directoryOf,
    memoryBytes: options.memoryBytes,
    storeOf: options.storeOf,
    readDocumentsOf: (engineId) => (readDocuments === undefined ? undefined : (rids) => readDocuments(engineId, rids)),
    onSnapshot: (snapshot, openOf) => threads.follow(snapshot, openOf),
    onDrop: (engineId, uid, extent) => threads.drop(engineId, uid, extent),
    async onClose(engineId) {
      threads.forget(engineId);
      searcher.forget(engineId);
      await dropCompletions(completions, engineId);
    },
  });
  const atOnce = Math.max(1, options.threads);
  const semaphore = createSemaphore((running) => running === 0 || (running < atOnce && !threads.areBusy()));
  const fields: Host['fields'] = new WeakMap();
  const host: Host = {
    options,
    threads,
    semaphore,
    readerOf: engines.of,
    searcher,
    completions,
    queuedNs: new Map(),
    fields,
  };
  const used = <T>(engineId: number, work: () => Promise<T>) => engines.of(engineId).whileUsed(work);
  const counted = (engineId: number, count: 'documentFrequencies' | 'surfaceFrequencies', words: readonly string[]) =>
    used(engineId, async () => searcher[count]((await prepared(host, engineId, requireNothing)).snapshot, words));
  return {
    search: (engineId, plan, signal) => used(engineId, () => search(host, engineId, plan, signal)),
    matchingRids: (engineId, filter) => used(engineId, () => matchingRids(host, engineId, filter)),
    hasMatch: (engineId, match, signal) =>
      used(engineId, async () => (await search(host, engineId, matchPlan(match), signal)).total > 0),
    completions: (engineId, text, completion) =>
      used(engineId, async () => completionsOf(host, engineId).complete(text, completion)),
    explain: (engineId, plan, documents, signal) =>
      used(engineId, () => unlessDisplaced(() => explain(host, engineId, { plan, documents, signal }))),
    fuzzyTerms: (engineId, word, fuzzy, signal) =>
      used(engineId, () => unlessDisplaced(() => fuzzyTerms(host, engineId, word, { fuzzy, signal }))),
    documentFrequencies: (engineId, words) => counted(engineId, 'documentFrequencies', words),
    surfaceFrequencies: (engineId, words) => counted(engineId, 'surfaceFrequencies', words),
    fields: (engineId) => used(engineId, () => listFields(host, engineId)),
    languages: (engineId) => listLanguages(engines.of(engineId)),
    residentBytes: engines.usedBytes,
    replacedThreads: threads.replaced,
    repairOf: engines.repairOf,
    visibleSeq: engines.visibleSeq,
    waitVisible: (engineId, seq, signal) => engines.of(engineId).waitVisible(seq, signal),
    async forget(engineId) {
      host.queuedNs.delete(engineId);
      await engines.forget(engineId);
    },
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
      for (const kept of completions.values()) await kept[Symbol.asyncDispose]();
      await engines[Symbol.asyncDispose]();
    },
  };
}

/** Work whose thread ended before it began is asked again, of another thread. */
async function unlessDisplaced<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!wasDisplaced(error) || tries === DISPLACED_TRIES) throw error;
    }
  }
}

function search(host: Host, engineId: number, requested: QueryPlan, signal: AbortSignal): Promise<Hits> {
  return unlessDisplaced(() => searchOnce(host, engineId, requested, signal));
}

async function searchOnce(host: Host, engineId: number, requested: QueryPlan, signal: AbortSignal): Promise<Hits> {
  signal.throwIfAborted();
  // Before anything is prepared: columns do not stay attached for those who wait.
  using _permit = requested.isBackground === true ? await host.semaphore.acquire(signal, engineId) : undefined;
  const required = (snapshot: Snapshot) => requiredColumnsOf(planFor(snapshot, requested));
  let ready = await unlessAborted(prepared(host, engineId, required), signal);
  // The last step of waiting may have let another generation in; from here to the thread nothing is awaited.
  while (!isCurrent(ready)) ready = await unlessAborted(prepared(host, engineId, required), signal);
  const { vocabulary } = ready.snapshot;
  const hits = await searchPrepared(host, ready, { plan: planFor(ready.snapshot, requested), signal });
  return { ...hits, vocabulary };
}

async function searchPrepared(
  host: Host,
  { snapshot, reader }: Prepared,
  { plan, signal }: { readonly plan: QueryPlan; readonly signal: AbortSignal },
): Promise<Hits> {
  const { options, searcher, threads } = host;
  const match = searcher.compile(snapshot, plan.match);
  const cost = estimateCost(snapshot, plan, match);
  refuseCostly(plan, cost);
  const costNs = plan.output === undefined ? totalCost(cost) : estimateSearching(snapshot, plan, match);
  if (runsInline(host, costNs + estimateFirstUse(snapshot, plan))) {
    const { forcedPath } = options;
    return priced(
      plan,
      cost,
      inline(options, () => searcher.search(snapshot, plan, { forcedPath })),
    );
  }
  const work = { snapshot, plan, ...handedOver(snapshot, reader, requiredColumnsOf(plan)), costNs, signal };
  const run = () => threads.search(work);
  const hits = await (plan.isBackground === true ? run() : queued(host, snapshot.engineId, costNs, run));
  return priced(plan, cost, hits);
}

function priced({ budgetNs }: QueryPlan, cost: PlanCost, hits: Hits): Hits {
  return budgetNs === undefined ? hits : { ...hits, cost };
}

function refuseCostly({ budgetNs }: QueryPlan, cost: PlanCost): void {
  if (budgetNs === undefined || totalCost(cost) <= budgetNs) return;
  throw new AppError('search.too-costly', 'The search would cost too much', { details: { part: dearestPart(cost) } });
}

/** Whether work of so many estimated nanoseconds runs on this thread. */
function runsInline({ options, threads }: Host, costNs: number): boolean {
  const { forcedPath, inlineNs = INLINE_NS } = options;
  return threads.size === 0 || forcedPath !== undefined || costNs < inlineNs;
}

/** An explanation looks at the order of many hits: it runs where a search of its cost does. */
async function explain(
  host: Host,
  engineId: number,
  { plan: requested, documents, signal }: AskedExplanation & { readonly signal: AbortSignal },
): Promise<readonly Explanation[]> {
  const { options, searcher, threads } = host;
  const planOn = (snapshot: Snapshot) => explainedPlan(planFor(snapshot, requested));
  const { snapshot, reader } = await prepared(host, engineId, (current) => requiredColumnsOf(planOn(current)));
  const plan = planOn(snapshot);
  const costNs = estimateSearching(snapshot, plan, searcher.compile(snapshot, plan.match));
  if (runsInline(host, costNs + estimateFirstUse(snapshot, plan)))
    return inline(options, () => explainDocuments(searcher, snapshot, { plan, documents }));
  const work = { snapshot, plan, documents, ...handedOver(snapshot, reader, requiredColumnsOf(plan)), costNs, signal };
  return queued(host, engineId, costNs, () => threads.explain(work));
}

/** What a thread must have been given for a plan. */
function handedOver(snapshot: Snapshot, reader: EngineReader, required: RequiredColumns) {
  const { fieldNumbers } = snapshot;
  const numbersOf = (names: ReadonlySet<string>) =>
    [...names].flatMap((name) => (isOwnField(name) ? [] : (fieldNumbers.get(name) ?? [])));
  const fields = numbersOf(required.fields);
  return {
    extents: required.positions ? [...fields, POSITIONS_EXTENT] : fields,
    texts: numbersOf(required.texts),
    openOf: (view: SegmentView) => reader.openSegmentOf(view),
  };
}

/** The plan with the forms under which the snapshot holds the words. */
function planFor(snapshot: Snapshot, plan: QueryPlan): QueryPlan {
  return { ...plan, match: withWordForms(plan.match, wordKnowledgeOf(snapshot)) };
}

/** Work on the calling thread hears of no signal before it ends: it looks at the time itself. */
function inline<T>({ inlineDeadlineMs = INLINE_DEADLINE_MS }: EmbeddedIndexOptions, work: () => T): T {
  const endAt = performance.now() + inlineDeadlineMs;
  const check = () => {
    if (performance.now() >= endAt) throw new AppError('search.timeout', 'The search took too long');
  };
  return stoppable(check, work);
}

/** Scans of large dictionaries leave the calling thread, as searches of their cost do. */
async function fuzzyTerms(
  host: Host,
  engineId: number,
  word: string,
  { fuzzy, signal }: { readonly fuzzy: FuzzyOptions; readonly signal: AbortSignal },
): Promise<readonly FuzzyTerm[]> {
  const { options, searcher, threads, semaphore } = host;
  signal.throwIfAborted();
  using _permit = fuzzy.isBackground === true ? await semaphore.acquire(signal, engineId) : undefined;
  const { snapshot, reader } = await prepared(host, engineId, requireNothing);
  const costNs = scanCostOf(snapshot);
  if (runsInline(host, costNs)) {
    return inline(options, () => searcher.fuzzyTerms(snapshot, word, fuzzy));
  }
  const work = { snapshot, ...handedOver(snapshot, reader, NOTHING), word, options: fuzzy, costNs, signal };
  const run = () => threads.fuzzyTerms(work);
  return fuzzy.isBackground === true ? await run() : queued(host, engineId, costNs, run);
}

/** Holds the work that waits for threads below a bound per engine, so that none can take them all. */
async function queued<T>(host: Host, engineId: number, costNs: number, work: () => Promise<T>): Promise<T> {
  const { queuedNs, threads, semaphore } = host;
  const waiting = queuedNs.get(engineId) ?? 0;
  if (waiting > QUEUED_NS * threads.size) {
    throw new AppError('rate.exceeded', 'Too many searches are waiting on this engine', { retryAfterSeconds: 1 });
  }
  // One search of much work does not keep all others of its engine out.
  const counted = Math.min(costNs, QUEUED_NS / 2);
  queuedNs.set(engineId, waiting + counted);
  try {
    return await work();
  } finally {
    queuedNs.set(engineId, (queuedNs.get(engineId) ?? 0) - counted);
    semaphore.admit();
  }
}

/** The newest snapshot with what is needed attached; a generation that is replaced meanwhile is tried anew. */
async function prepared(
  host: Host,
  engineId: number,
  requiredOn: (on: Snapshot) => RequiredColumns,
): Promise<Prepared> {
  const reader = host.readerOf(engineId);
  for (let tries = 1; ; tries++) {
    const snapshot = await reader.current();
    try {
      await reader.prepare(snapshot, requiredOn(snapshot));
      const ready = { snapshot, reader };
      if (isCurrent(ready)) return ready;
    } catch (error) {
      if (reader.snapshot === snapshot || tries === SNAPSHOT_TRIES) throw error;
    }
    if (tries === SNAPSHOT_TRIES) throw new AppError('internal', 'The index changes faster than it can be read');
  }
}

function completionsOf(host: Host, engineId: number): CompletionCache {
  const known = host.completions.get(engineId);
  if (known !== undefined) return known;
  const { clock, log, inlineCompletionDocuments: inlineDocuments = INLINE_COMPLETION_DOCUMENTS } = host.options;
  const required = { fields: new Set<string>(COMPLETED_FIELDS), texts: new Set<string>(), positions: false };
  const made = cacheCompletions({
    clock,
    log,
    inlineDocuments,
    current: () => host.readerOf(engineId).current(),
    loaded: async () => (await prepared(host, engineId, () => required)).snapshot,
    openOf: (view) => host.readerOf(engineId).openSegmentOf(view),
  });
  host.completions.set(engineId, made);
  return made;
}

/** The engine has no newer generation. */
function isCurrent({ reader, snapshot }: Prepared): boolean {
  return reader.snapshot === undefined || reader.snapshot === snapshot;
}

async function dropCompletions(completions: Map<number, CompletionCache>, engineId: number): Promise<void> {
  const dropped = completions.get(engineId);
  completions.delete(engineId);
  await dropped?.[Symbol.asyncDispose]();
}

async function matchingRids(host: Host, engineId: number, filter: FilterNode): ReturnType<SearchIndex['matchingRids']> {
  const { snapshot } = await prepared(host, engineId, () => requiredColumnsOfFilter(filter));
  return { seq: snapshot.seq, rids: host.searcher.matchingRids(snapshot, filter) };
}

/** Of documents that are live, in order of their codes. */
async function listLanguages(reader: EngineReader): Promise<readonly string[]> {
  const { languages, liveLanguages } = await reader.current();
  return languages.filter((code, number) => code !== '' && ((liveLanguages >>> number) & 1) === 1).sort();
}

async function listFields(host: Host, engineId: number): Promise<readonly FieldStatus[]> {
  const none = { fields: new Set<string>(), texts: new Set<string>(), positions: false };
  for (let tries = 1; ; tries++) {
    const { snapshot, reader } = await prepared(host, engineId, () => none);
    try {
      const known = host.fields.get(snapshot) ?? (await fieldsOf(snapshot, reader));
      host.fields.set(snapshot, known);
      return known;
    } catch (error) {
      if (reader.snapshot === snapshot || tries === SNAPSHOT_TRIES) throw error;
    }
  }
}

async function fieldsOf(snapshot: Snapshot, reader: EngineReader): Promise<readonly FieldStatus[]> {
  const fields: FieldStatus[] = [];
  for (const [name, type] of snapshot.types) {
    const number = snapshot.fieldNumbers.get(name)!;
    const documents = await countLive(number, snapshot.segments, (view, field) => reader.loadField(view, field));
    fields.push({ name, type, documents });
  }
  return fields;
}
