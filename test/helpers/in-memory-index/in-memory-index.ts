import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { StoredDocument } from '../../../src/core/document.ts';
import type { FieldType } from '../../../src/core/field-values.ts';
import { matchesFilter, type TypeOfField, typeOfValues, valuesOf } from '../../../src/core/filters.ts';
import { EXPLAINED_HITS } from '../../../src/search-index/explanation.ts';
import type { Generation, IndexWriter } from '../../../src/search-index/index-writer.ts';
import { isOfText, isPattern, type MatchNode, type QueryPlan } from '../../../src/search-index/query-plan.ts';
import { addScores } from '../../../src/search-index/relevance.ts';
import type { FieldStatus, Hits, MatchedWord, SearchIndex } from '../../../src/search-index/search-index.ts';
import { type WordKnowledge, withoutAbsentName, withWordForms } from '../../../src/search-index/word-forms.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../../src/text/compounds.ts';
import { stemWord } from '../../../src/text/stemming.ts';
import { LINK_TEXT_PREFIX, SECONDARY_PREFIX } from '../../../src/text/term-keys.ts';
import { complete } from './complete.ts';
import { countFacet, countRanges, type ScoredDocument } from './count-facets.ts';
import { createScorer, type Leaf, matchesNode, rarestOf, scoringLeaves, withoutStopWords } from './evaluate-match.ts';
import { type Evaluated, explainDocument } from './explain.ts';
import { findFuzzyTerms, surfaceFrequency, withFuzzyTerms } from './fuzzy-terms.ts';
import { type IndexedDocument, indexDocument } from './indexed-document.ts';
import { orderHits, RELEVANCE_FIELDS } from './order-hits.ts';
import { createContext, type MatchContext } from './patterns.ts';
import { pinnedDocuments, placePinned } from './pinned.ts';
import { boostDocument, queryWordsOf, rerank } from './rerank.ts';
import { topHitsOf } from './top-hits.ts';

/** A `SearchIndex` with its writers in one process: `writer(engineId)` is the one writer of that engine. */
export interface InMemoryIndex extends SearchIndex {
  writer(engineId: number): IndexWriter;
}

/** Every search looks at every document; more of them would only be slow. */
const MAX_DOCUMENTS = 20_000;
const DOCUMENTS_PER_YIELD = 200;

type Published = Generation & { readonly live: readonly IndexedDocument[] };

type EngineState = {
  readonly vocabulary: Vocabulary;
  published: Published;
  /** Latest state of every row ever applied, deletions included, so that replays are recognised. */
  readonly rows: Map<number, IndexedDocument>;
  readonly waiting: Map<number, StoredDocument>;
  /** Nothing is left to apply up to here. */
  skippedTo: number;
  readonly onPublish: Set<() => void>;
};

const EMPTY: Published = { number: 0, seq: 0, documents: 0, live: [] };

/**
 * Reference adapter: every clause is a loop over all documents, written from the contract. Holds nothing on disk.
 * `vocabulary` splits the compounds; it learns nothing itself.
 */
export function createInMemoryIndex(vocabulary: Vocabulary = EMPTY_VOCABULARY): InMemoryIndex {
  const engines = new Map<number, EngineState>();
  const stateOf = (engineId: number): EngineState => {
    const known = engines.get(engineId);
    if (known !== undefined) return known;
    const state = {
      vocabulary,
      published: EMPTY,
      rows: new Map(),
      waiting: new Map(),
      skippedTo: 0,
      onPublish: new Set<() => void>(),
    };
    engines.set(engineId, state);
    return state;
  };
  const liveOf = (engineId: number) => (engines.get(engineId)?.published ?? EMPTY).live;
  return {
    writer: (engineId) => createWriter(stateOf(engineId)),
    search: (engineId, plan, signal) => searchGeneration(stateOf(engineId), plan, signal),
    async matchingRids(engineId, filter) {
      const { seq, live } = engines.get(engineId)?.published ?? EMPTY;
      const typeOf = typesOf(live);
      const rids = live.filter(({ document }) => matchesFilter(document, filter, typeOf)).map(ridOf);
      return { seq, rids: Uint32Array.from(rids) };
    },
    async hasMatch(engineId, match, signal) {
      signal.throwIfAborted();
      const live = liveOf(engineId);
      const words = withWordForms(match, knowledgeOf(live, vocabulary));
      const selecting = withFuzzyTerms(withoutName(withoutStopWords(words), live), live);
      const context = createContext(live, typesOf(live));
      return live.some((indexed) => matchesNode(indexed, selecting, context));
    },
    async explain(engineId, asked, documents, signal) {
      const state = stateOf(engineId);
      const plan = { ...asked, offset: 0, limit: EXPLAINED_HITS, spare: 0 };
      const evaluated = await evaluate(state, plan, signal);
      const { live, seq, number } = state.published;
      const generation = { live, seq, generation: number, rows: [...state.rows.values()] };
      return documents.map((document) => explainDocument(evaluated, generation, document));
    },
    completions: async (engineId, text, options) =>
      complete(
        liveOf(engineId).map(({ document }) => document),
        text,
        options,
      ),
    async fuzzyTerms(engineId, word, options, signal) {
      signal.throwIfAborted();
      return findFuzzyTerms(liveOf(engineId), word, options);
    },
    async documentFrequencies(engineId, words) {
      return words.map((word) => rarestOf(liveOf(engineId), [word]));
    },
    async surfaceFrequencies(engineId, words) {
      return words.map((word) => surfaceFrequency(liveOf(engineId), word));
    },
    fields: async (engineId) => fieldsOf(liveOf(engineId)),
    languages: async (engineId) => languagesOf(liveOf(engineId)),
    visibleSeq: (engineId) => engines.get(engineId)?.published.seq ?? 0,
    waitVisible: (engineId, seq, signal) => waitVisible(stateOf(engineId), seq, signal),
    async forget(engineId) {
      engines.delete(engineId);
    },
    async [Symbol.asyncDispose]() {
      engines.clear();
    },
  };
}

function createWriter(state: EngineState): IndexWriter {
  return {
    get appliedSeq() {
      return state.published.seq;
    },
    get pending() {
      return state.waiting.size;
    },
    apply(changes) {
      for (const change of changes) {
        const latest = state.waiting.get(change.rid) ?? state.rows.get(change.rid)?.document;
        if (latest === undefined || change.seq > latest.seq) state.waiting.set(change.rid, change);
      }
    },
    refresh: async () => publish(state),
    async skipTo(seq) {
      state.skippedTo = Math.max(state.skippedTo, seq);
      return publish(state);
    },
    async rebuild() {
      for (const [rid, { document }] of state.rows) state.rows.set(rid, indexDocument(document, state.vocabulary));
      publish(state);
    },
    rollBack: async () => undefined,
    async [Symbol.asyncDispose]() {
      state.waiting.clear();
    },
  };
}

function publish(state: EngineState): Generation {
  for (const [rid, document] of state.waiting) state.rows.set(rid, indexDocument(document, state.vocabulary));
  state.waiting.clear();
  const all = [...state.rows.values()];
  const live = all.filter(({ document }) => !document.deleted);
  if (live.length > MAX_DOCUMENTS) throw new RangeError(`The in-memory index holds at most ${MAX_DOCUMENTS} documents`);
  const seq = all.reduce((highest, { document }) => Math.max(highest, document.seq), state.skippedTo);
  state.published = { number: state.published.number + 1, seq, documents: live.length, live };
  for (const notify of [...state.onPublish]) notify();
  return state.published;
}

function waitVisible(state: EngineState, seq: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (visible: boolean) => {
      state.onPublish.delete(check);
      signal.removeEventListener('abort', stop);
      resolve(visible);
    };
    const isVisible = () => state.published.seq >= seq;
    const check = () => {
      if (isVisible()) finish(true);
    };
    const stop = () => finish(isVisible());
    state.onPublish.add(check);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else check();
  });
}

async function searchGeneration(state: EngineState, plan: QueryPlan, signal: AbortSignal): Promise<Hits> {
  const { live, seq } = state.published;
  const { vocabulary } = state;
  const { found, results, ranked, pinned, leaves, typeOf, context, bestCoverage } = await evaluate(state, plan, signal);
  const { offset, limit, spare } = plan;
  return {
    seq,
    total: results.length,
    hits: placePinned(orderHits(ranked, plan.sort, typeOf), pinned).slice(offset, offset + limit + spare),
    ...countAll(plan, { counted: plan.postFilterCounts ? results : found, live, typeOf }),
    matched: leaves.flatMap((leaf) => matchedWords(leaf, live, context)),
    vocabulary,
    bestCoverage,
  };
}

function withoutName(match: MatchNode, live: readonly IndexedDocument[]): MatchNode {
  return withoutAbsentName(match, (term) => rarestOf(live, [term]));
}

async function evaluate(state: EngineState, plan: QueryPlan, signal: AbortSignal): Promise<Evaluated> {
  const { live } = state.published;
  const typeOf = typesOf(live);
  const words = withWordForms(plan.match, knowledgeOf(live, state.vocabulary));
  const selecting = withoutStopWords(words);
  const match = withFuzzyTerms(withoutName(selecting, live), live);
  const leaves = scoringLeaves(match);
  const context = createContext(live, typeOf);
  const scorer = createScorer(live, plan.weights, { context, leaves });
  const candidates = live.filter(({ document }) => !plan.removed.includes(document.id));
  const passes = ({ document }: IndexedDocument) => matchesFilter(document, plan.filter, typeOf);
  const isResult = ({ document }: IndexedDocument) => matchesFilter(document, plan.postFilter, typeOf);
  const byRelevance = plan.sort.every(({ field }) => RELEVANCE_FIELDS.includes(field));
  const pinned = pinnedDocuments(byRelevance ? plan.pins : [], candidates, (own) => passes(own) && isResult(own));
  const found: ScoredDocument[] = [];
  for (const [index, indexed] of candidates.entries()) {
    if (index % DOCUMENTS_PER_YIELD === 0) await yieldToEventLoop();
    signal.throwIfAborted();
    if (!passes(indexed)) continue;
    if (matchesNode(indexed, match, context)) {
      const first = leaves.map((leaf) => scorer.scoreOf(indexed, leaf)).reduce(addScores, 0);
      found.push({ indexed, first, score: boostDocument(indexed, first, plan) });
    } else if (pinned.some((pin) => pin.indexed === indexed)) {
      found.push({ indexed, first: 0, score: 0 });
    }
  }
  signal.throwIfAborted();
  const results = found.filter(({ indexed }) => isResult(indexed));
  const scope = { plan, words: queryWordsOf({ words, selecting, match }), scorer, typeOf };
  return { ...scope, match, context, leaves, pinned, found, results, ...rerank(results, scope) };
}

type Counting = {
  readonly counted: readonly ScoredDocument[];
  readonly live: readonly IndexedDocument[];
  readonly typeOf: TypeOfField;
};

function countAll(plan: QueryPlan, { counted, live, typeOf }: Counting): Pick<Hits, 'facets' | 'ranges' | 'topHits'> {
  if (plan.counts === 'none') return { facets: [], ranges: [], topHits: [] };
  return {
    facets: plan.facets.map((facet) => countFacet(facet, counted, live)),
    ranges: plan.ranges.map((range) => countRanges(range, counted, typeOf)),
    topHits: plan.topHits.map((request) => topHitsOf(request, counted, { plan, typeOf })),
  };
}

/** The stems of a leaf's words in every language of the engine. */
function matchedWords(leaf: Leaf, live: readonly IndexedDocument[], context: MatchContext): readonly MatchedWord[] {
  if (leaf.kind === 'all' || leaf.kind === 'filter' || (leaf.kind === 'word' && leaf.role === 'name')) return [];
  if (isPattern(leaf)) {
    const text = leaf.kind === 'fuzzy' ? leaf.text : leaf.pattern;
    return [{ text, forms: new Set(), field: leaf.field, surfaces: new Set(context.surfacesOf(leaf).keys()) }];
  }
  const languages = languagesOf(live);
  const formsOf = (text: string) => new Set(languages.map((language) => stemWord(text, language)));
  const { field } = leaf;
  if (leaf.kind === 'phrase') return leaf.words.map((text) => ({ text, forms: formsOf(text), field }));
  const found = leaf.also.filter(({ source, words }) => isOfText(source) && rarestOf(live, words) > 0);
  const also = found.map(({ words, slop, source }) => ({ words, slop, source, forms: words.map(formsOf) }));
  return [{ text: leaf.text, forms: formsOf(leaf.text), field, ...(also.length === 0 ? {} : { also }) }];
}

function knowledgeOf(live: readonly IndexedDocument[], vocabulary: Vocabulary): WordKnowledge {
  const has = (prefix: string) => live.some(({ bareTerms }) => bareTerms.some(({ term }) => term.startsWith(prefix)));
  return {
    languages: languagesOf(live),
    vocabulary,
    hasSecondaryText: has(SECONDARY_PREFIX),
    hasLinkTexts: has(LINK_TEXT_PREFIX),
  };
}

function languagesOf(live: readonly IndexedDocument[]): readonly string[] {
  return [...new Set(live.map(({ document }) => document.language))].sort();
}

/** Types of the fields by all live values; a document's own id and kind are texts. */
function typesOf(live: readonly IndexedDocument[]): TypeOfField {
  const known = new Map<string, FieldType>([
    ['Id', 'text'],
    ['_type', 'text'],
  ]);
  return (field) => {
    const type =
      known.get(field) ??
      typeOfValues(
        field,
        live.flatMap(({ document }) => valuesOf(document, field)),
      );
    known.set(field, type);
    return type;
  };
}

function fieldsOf(live: readonly IndexedDocument[]): readonly FieldStatus[] {
  const typeOf = typesOf(live);
  const having = (name: string) => live.filter(({ document }) => (document.fields.get(name) ?? []).length > 0);
  const names = new Set(live.flatMap(({ document }) => [...document.fields.keys()]));
  return [...names]
    .map((name) => ({ name, type: typeOf(name), documents: having(name).length }))
    .filter(({ documents }) => documents > 0);
}

function ridOf({ document }: IndexedDocument): number {
  return document.rid;
}
