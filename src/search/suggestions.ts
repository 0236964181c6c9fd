import { editDistance } from '../core/compare-text.ts';
import { normalQuery } from '../core/normal-query.ts';
import type { MatchNode, QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE, maxEditsOf } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { foldWord } from '../text/folding.ts';
import { contentStems, type NeighbourSource, type QueryNeighbours, queriesLike } from './popular-queries.ts';
import { type PlainWord, plainWordsOf, type QueryReader, type ReadQuery, replaceWords } from './query/read-query.ts';

export type SuggestionDeps = {
  readonly searchIndex: Pick<SearchIndex, 'hasMatch' | 'fuzzyTerms' | 'documentFrequencies' | 'completions'>;
};

export type SuggestionInput = {
  readonly engine: { readonly id: number; readonly language: string };
  readonly query: ReadQuery;
  /** Texts that are no news: the query as sent and as it was run. */
  readonly except: readonly string[];
  /** Documents that the query found. */
  readonly total: number;
  /** Committed queries; undefined while they are not in memory. */
  readonly neighbours: QueryNeighbours | undefined;
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  readonly signal: AbortSignal;
};

/** Contract 2.9 and search-engine design 14.3 (start values). */
const MAX_SUGGESTIONS = 5;
const MAX_CHECKED_SUGGESTIONS = 10;
/** With so many results nobody needs the words of the dictionary. */
const ENOUGH_RESULTS = 10;
const RARE_DOCUMENTS = 5;
const MORE_FREQUENT = 20;
/**
 * A word of fewer documents than this is taken for a misspelt one, whatever the query found, when one edit makes it a
 * word of so many times as many; one of no document, when that has so many.
 */
const MISSPELT_DOCUMENTS = 20;
const MISSPELT_FREQUENT = 50;
const FEWEST_MEANT = 5;
const MAX_RARE_WORDS = 2;
const FUZZY_TERMS = 5;
const MAX_EDITS = 2;
const MIN_EDITED_CHARS = 4;
const COMPLETIONS = 5;

/** `similarity` from 0 to 1; `count` = how often it was searched for, or documents that have it. */
type Suggestion = {
  readonly text: string;
  readonly similarity: number;
  readonly count: number;
  readonly isCommitted: boolean;
};

/**
 * Up to five other query texts that match documents, best first: the query with a word put right that is most likely
 * misspelt, committed queries that share a word with this one, and for a query with few results committed queries with
 * a letter or two of difference, frequent words for its rare ones, and titles and headings that begin with it when its
 * last word is unknown. Contract: 2.9.
 */
export async function findSuggestions(deps: SuggestionDeps, input: SuggestionInput): Promise<readonly string[]> {
  const { query, except, total } = input;
  const found = [...sharingWords(input)];
  const { misspelt, rare } = await frequentWords(deps, input);
  if (total < ENOUGH_RESULTS) found.push(...fewEditsAway(input), ...rare, ...(await continued(deps, input)));
  const known = new Set([query.text, ...except].map(normalQuery));
  const suggestions: string[] = [];
  for (const suggestion of ranked([misspelt, found], known).slice(0, MAX_CHECKED_SUGGESTIONS)) {
    if (suggestions.length === MAX_SUGGESTIONS) break;
    if (await hasMatch(deps, input, suggestion)) suggestions.push(suggestion.text);
  }
  return suggestions;
}

/** Committed queries are suggested often, so what they match is remembered. */
async function hasMatch(
  { searchIndex }: SuggestionDeps,
  { engine, read, operator, neighbours, signal }: SuggestionInput,
  { text, isCommitted }: Suggestion,
): Promise<boolean> {
  const memory = isCommitted ? neighbours?.matching : undefined;
  const key = `${operator} ${text}`;
  const known = memory?.get(key) ?? (await searchIndex.hasMatch(engine.id, read(text, operator).match, signal));
  memory?.set(key, known);
  return known;
}

/** Each list best first, each text once, in any spelling. */
function ranked(lists: readonly (readonly Suggestion[])[], known: ReadonlySet<string>): readonly Suggestion[] {
  const value = ({ similarity, count }: Suggestion) => similarity * Math.log(1 + count);
  const ordered = lists.flatMap((found) => found.toSorted((a, b) => value(b) - value(a) || (a.text < b.text ? -1 : 1)));
  const seen = new Set(known);
  return ordered.filter(({ text }) => {
    const normal = normalQuery(text);
    if (seen.has(normal)) return false;
    seen.add(normal);
    return true;
  });
}

function sharingWords({ query, neighbours, engine }: SuggestionInput): readonly Suggestion[] {
  if (neighbours === undefined) return [];
  const weights = new Map(contentStems(query.text, engine.language).map((stem) => [stem, 1]));
  return queriesLike(neighbours, weights).flatMap(({ query: { text, count, resultCount }, similarity }) =>
    resultCount === 0 ? [] : [{ text, similarity, count, isCommitted: true }],
  );
}

function fewEditsAway({ query, neighbours }: SuggestionInput): readonly Suggestion[] {
  const typed = normalQuery(query.text);
  if (neighbours === undefined || typed.length < MIN_EDITED_CHARS) return [];
  const letters = lettersOf(typed);
  return neighbours.queries.flatMap(({ query: other, text, count, resultCount }) => {
    const mayHaveFuzzyTerms = Math.abs(other.length - typed.length) <= MAX_EDITS && resultCount !== 0;
    if (!mayHaveFuzzyTerms || differingLetters(letters, lettersOf(other)) > 2 * MAX_EDITS) return [];
    const edits = editDistance(typed, other);
    return edits > MAX_EDITS ? [] : [{ text, count, similarity: 1 - edits / typed.length, isCommitted: true }];
  });
}

/** The letters of a text as bits: an edit changes at most two of them. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

function differingLetters(a: number, b: number): number {
  let differing = 0;
  for (let bits = a ^ b; bits !== 0; bits &= bits - 1) differing++;
  return differing;
}

type RareWord = PlainWord & { readonly documents: number };

/** The query with a rare word replaced by a near one that is more frequent, or so much that the rare one is misspelt. */
async function frequentWords(
  { searchIndex }: SuggestionDeps,
  input: SuggestionInput,
): Promise<{ readonly misspelt: readonly Suggestion[]; readonly rare: readonly Suggestion[] }> {
  const { engine, query, signal } = input;
  const misspelt: Suggestion[] = [];
  const rare: Suggestion[] = [];
  for (const { start, end, surface, documents: own } of await rareWords({ searchIndex }, input)) {
    const maxDistance = maxEditsOf(foldWord(surface));
    if (maxDistance === 0) continue;
    const options = { maxDistance, limit: FUZZY_TERMS };
    for (const { display, documents, distance } of await searchIndex.fuzzyTerms(engine.id, surface, options, signal)) {
      const isMeant = distance === 1 && documents >= Math.max(FEWEST_MEANT, own * MISSPELT_FREQUENT);
      if (!isMeant && (own >= RARE_DOCUMENTS || documents < own * MORE_FREQUENT)) continue;
      const text = replaceWords(query.text, [{ start, end, text: display }]);
      const similarity = 1 - distance / surface.length;
      (isMeant ? misspelt : rare).push({ text, count: documents, similarity, isCommitted: false });
    }
  }
  return { misspelt, rare };
}

/** Words that few documents have in any form, with their number. */
async function rareWords(
  { searchIndex }: SuggestionDeps,
  { engine, query }: SuggestionInput,
): Promise<readonly RareWord[]> {
  const words = plainWordsOf(query).filter(({ surface }) => maxEditsOf(foldWord(surface)) > 0);
  if (words.length === 0) return [];
  const counts = await searchIndex.documentFrequencies(
    engine.id,
    words.map(({ surface }) => surface),
  );
  const counted = words.map((word, index) => ({ ...word, documents: counts[index] ?? 0 }));
  return counted.filter(({ documents }) => documents < MISSPELT_DOCUMENTS).slice(0, MAX_RARE_WORDS);
}

/** What the query is the beginning of, when its last word is in no document and so may be cut short. */
async function continued(
  { searchIndex }: SuggestionDeps,
  { engine, query, except }: SuggestionInput,
): Promise<readonly Suggestion[]> {
  const last = plainWordsOf(query).at(-1);
  if (last === undefined || query.text.slice(last.end).trim() !== '') return [];
  const [documents = 0] = await searchIndex.documentFrequencies(engine.id, [last.surface]);
  if (documents > 0) return [];
  const options = { limit: COMPLETIONS, enough: 0, except: [query.text, ...except] };
  const { items } = await searchIndex.completions(engine.id, query.text, options);
  return items.map(({ text, documents: count }) => ({
    text,
    count,
    similarity: Math.min(1, query.text.trim().length / text.length),
    isCommitted: false,
  }));
}

export type RelatedDeps = {
  readonly searchIndex: Pick<SearchIndex, 'search'>;
  readonly queryNeighbours: NeighbourSource;
};

export type RelatedInput = {
  readonly engine: { readonly id: number; readonly language: string };
  readonly query: ReadQuery;
  /** Texts that are no news: the query as sent and as it was run. */
  readonly except: readonly string[];
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  /** Ids of documents that do not count, as no visitor is shown them. */
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
};

export type RelatedSearch = { readonly text: string; readonly documents: number };

/** Contract 2.6 and search-engine design 14.4 (start values). */
const MAX_RELATED = 10;
const MAX_CHECKED_RELATED = 20;
const SYNONYM_WEIGHT = 0.6;
const SAME_SESSION_FACTOR = 2;

/**
 * Queries that other visitors committed and that share words or meaning with this one, best first, with the documents
 * that each of them matches now. What was searched for in one query session with it counts twice. Contract: 2.6.
 */
export async function findRelatedSearches(deps: RelatedDeps, input: RelatedInput): Promise<readonly RelatedSearch[]> {
  const { engine, query, except, read, operator, hidden, signal } = input;
  const neighbours = await deps.queryNeighbours.of(engine);
  if (neighbours.queries.length === 0) return [];
  const own = normalQuery(query.text);
  const together = await deps.queryNeighbours.together(engine.id, own);
  const known = new Set([own, ...except.map(normalQuery)]);
  const ranked = queriesLike(neighbours, stemWeights(query, engine.language))
    .filter((neighbour) => !known.has(neighbour.query.query) && neighbour.query.resultCount !== 0)
    .map(({ query: { query: normal, text, count }, similarity }) => {
      const factor = together.has(normal) ? SAME_SESSION_FACTOR : 1;
      return { text, score: similarity * Math.log(1 + count) * factor };
    })
    .toSorted((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const related: RelatedSearch[] = [];
  for (const { text } of ranked.slice(0, MAX_CHECKED_RELATED)) {
    if (related.length === MAX_RELATED) break;
    const { match } = read(text, operator);
    const documents = await countMatches(deps, { engineId: engine.id, match, hidden, signal });
    if (documents > 0) related.push({ text, documents });
  }
  return related;
}

/** Stems of the query's words, and with less weight those of its synonyms. */
function stemWeights({ text, expansions }: ReadQuery, language: string): ReadonlyMap<string, number> {
  const synonyms = expansions.flatMap((expansion) => contentStems(expansion.text, language));
  return new Map([
    ...synonyms.map((stem) => [stem, SYNONYM_WEIGHT] as const),
    ...contentStems(text, language).map((stem) => [stem, 1] as const),
  ]);
}

type Counted = {
  readonly engineId: number;
  readonly match: MatchNode;
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
};

/** Documents of the engine that match, exactly, whatever any filter. */
async function countMatches(
  { searchIndex }: { readonly searchIndex: Pick<SearchIndex, 'search'> },
  { engineId, match, hidden, signal }: Counted,
): Promise<number> {
  const everything = { kind: 'all' } as const;
  const plan: QueryPlan = {
    match,
    operator: 'OR',
    filter: everything,
    postFilter: everything,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: hidden,
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: 0,
    spare: 0,
    weights: DEFAULT_RELEVANCE,
    counts: 'exact',
  };
  const { total } = await searchIndex.search(engineId, plan, signal);
  return total;
}
