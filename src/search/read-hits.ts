import { type DocumentKind, firstValue, type StoredDocument } from '../core/document.ts';
import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackgroundAfter } from '../core/yield.ts';
import type { QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { Hits, IndexHit, SearchIndex } from '../search-index/search-index.ts';
import type { HiddenPages } from '../search-tools/tool-snapshot.ts';
import { nameTerm } from '../text/term-keys.ts';
import { type HighlightRules, highlightField } from './highlight.ts';
import { findSections, type HitSection } from './hit-sections.ts';
import type { SearchRequest } from './query/plan-query.ts';
import { wordNodes } from './query/read-query.ts';
import { queryPatterns } from './word-finder.ts';

/** Documents by row id in the order asked; undefined for rows that are gone. */
export type ReadDocuments = (
  engineId: number,
  rids: readonly number[],
) => Promise<readonly (StoredDocument | undefined)[]>;

/** A field of a hit with its highlighted fragments; `[]` when highlighting is off or nothing matched. */
export type HitField = ReturnedField & { readonly highlights: readonly string[] };

export type SearchHit = {
  /** 1-based rank over all pages; of a top hit, among those of its value. */
  readonly rank: number;
  readonly id: string;
  readonly crawlerId: number;
  readonly score: number;
  readonly kind: DocumentKind;
  readonly fields: readonly HitField[];
  /** Whether or not the title is among the fields; false when highlighting is off. */
  readonly titleHasMatch: boolean;
  /** Places within the document that match, best first; undefined when they are not asked for. */
  readonly sections: readonly HitSection[] | undefined;
  readonly sortValues: readonly (number | string | undefined)[];
};

/** The most frequent values of a field with their best hits. */
export type TopValueHits<Some extends Iterable<SearchHit> | AsyncIterable<SearchHit>> = {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly count: number; readonly hits: Some }[];
};

export type HitsOfSearch<Some extends Iterable<SearchHit> | AsyncIterable<SearchHit>> = {
  readonly hits: Some;
  readonly topHits: readonly TopValueHits<Some>[];
};

export type Found = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly plan: QueryPlan;
  readonly found: Hits;
};

type ReadDeps = { readonly readDocuments: ReadDocuments };
type Page = { readonly offset: number; readonly limit: number };

/** Documents read at once; the first ones tell how long the others are. */
const FIRST_ROWS = 2;
const MOST_ROWS = 20;
/** Characters of text that documents read at once have in all: a millisecond or two. */
const CHARS_AT_ONCE = 1 << 16;
/** Milliseconds after which others have their turn; what is done with a hit before the next one is asked for counts. */
const SLICE_MS = 2;

/**
 * The hits of the page and the top hits with their fields, read and marked as they are asked for, some documents at a
 * time, in slices of time that all of them share and in which engines take turns. A row that has just gone gives way to the next hit; spare hits are
 * read only then. Contract: 2.6.
 */
export function readHits(deps: ReadDeps, input: Found): HitsOfSearch<AsyncIterable<SearchHit>> {
  const { plan, found } = input;
  const pause = yieldInBackgroundAfter(SLICE_MS, input.engine.id);
  const read = (hits: readonly IndexHit[], page: Page, request = { ...input.request, sections: 0 }) =>
    readEach(deps, { ...input, request, pause }, hits, page);
  return {
    hits: read(found.hits, plan, input.request),
    topHits: found.topHits.map(({ field, values }) => ({
      field,
      values: values.map(({ value, count, hits }) => ({
        value,
        count,
        hits: read(hits, { offset: 0, limit: hits.length }),
      })),
    })),
  };
}

async function* readEach(
  { readDocuments }: ReadDeps,
  input: Found & { readonly pause: () => Promise<void> },
  hits: readonly IndexHit[],
  { offset, limit }: Page,
): AsyncGenerator<SearchHit> {
  let shown = 0;
  let rowsAtOnce = FIRST_ROWS;
  for (let next = 0; next < hits.length && shown < limit; ) {
    const some = hits.slice(next, next + Math.min(rowsAtOnce, limit - shown));
    next += some.length;
    const rids = some.map(({ rid }) => rid);
    const rows = await readDocuments(input.engine.id, rids);
    let chars = 0;
    for (const [i, hit] of some.entries()) {
      const row = rows[i];
      if (row === undefined || row.deleted) continue;
      chars += charsOf(row);
      yield searchHit(hit, row, { ...input, rank: offset + ++shown });
      await input.pause();
    }
    rowsAtOnce = Math.max(1, Math.min(MOST_ROWS, Math.floor((CHARS_AT_ONCE * some.length) / Math.max(1, chars))));
  }
}

function charsOf({ fields }: StoredDocument): number {
  let chars = 0;
  for (const values of fields.values()) for (const value of values) chars += value.length;
  return chars;
}

function searchHit(hit: IndexHit, row: StoredDocument, input: Found & { readonly rank: number }): SearchHit {
  const rules = highlightRules(row, input);
  const highlightsOf = highlighter(rules, input.request.highlight);
  const { sections } = input.request;
  return {
    rank: input.rank,
    id: row.id,
    crawlerId: row.crawlerId,
    score: hit.score,
    kind: row.kind,
    fields: returnedFields(row, input.request.fields).map(({ name, values }) => ({
      name,
      values,
      highlights: highlightsOf(storedNameOf(name, row.kind), values),
    })),
    titleHasMatch: highlightsOf('Title', row.fields.get('Title') ?? []).length > 0,
    sections:
      sections === 0 ? undefined : findSections(row, { names: namesIn(input), highlight: rules, most: sections }),
    sortValues: hit.sortValues,
  };
}

/** What the whole query may name, and what is named in it. */
function namesIn({ plan, request }: Found): readonly string[] {
  const written = wordNodes(plan.match).flatMap(({ role, text }) => (role === 'name' ? [text] : []));
  const whole = nameTerm(request.query);
  return whole === undefined ? written : [whole, ...written];
}

function highlightRules(row: StoredDocument, { engine, plan, found }: Found): HighlightRules {
  return {
    matched: found.matched,
    vocabulary: found.vocabulary,
    patterns: queryPatterns(plan.match),
    phraseSlop: plan.match.kind === 'phrase' ? plan.match.slop : undefined,
    // A page that tells no language is analysed in the engine's.
    language: row.language === '' ? engine.language : row.language,
    settings: engine.settings.highlight,
  };
}

/** Highlights of a stored field, made once each: a file's title and text are returned twice. */
function highlighter(rules: HighlightRules, isOn: boolean) {
  const made = new Map<string, readonly string[]>();
  return (field: string, values: readonly string[]): readonly string[] => {
    if (!isOn) return [];
    const highlights = made.get(field) ?? highlightField(field, values, rules);
    made.set(field, highlights);
    return highlights;
  };
}

/** A field of a hit: its name and all its values, in order. */
type ReturnedField = { readonly name: string; readonly values: readonly string[] };

const ALWAYS = ['Id', 'Title', 'Url', 'Description', '_type'] as const;
const ALWAYS_WHEN_NAMED = ['Id', 'Url'] as const;
const FILE_COPIES: ReadonlyMap<string, string> = new Map([
  ['fc_Title', 'Title'],
  ['fc_Content', 'Content'],
]);

/**
 * The fields of a hit: all stored ones, or with `named` those of them that the document has; the system's own
 * values of `Id` and `_type` win over stored ones. Contract: 2.8.
 */
export function returnedFields(document: StoredDocument, named: readonly string[]): readonly ReturnedField[] {
  const all = allFields(document);
  const wanted: ReadonlySet<string> = new Set(named.length === 0 ? all.keys() : [...ALWAYS_WHEN_NAMED, ...named]);
  const always: readonly string[] = named.length === 0 ? ALWAYS : ALWAYS_WHEN_NAMED;
  return [...all]
    .filter(([name, values]) => wanted.has(name) && (values.length > 0 || always.includes(name)))
    .map(([name, values]) => ({ name, values }));
}

/** The stored field that a returned one repeats: `Title` of `fc_Title` in a file, any other itself. */
function storedNameOf(name: string, kind: DocumentKind): string {
  return kind === 'FileContent' ? (FILE_COPIES.get(name) ?? name) : name;
}

function allFields({ id, kind, fields }: StoredDocument): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>(ALWAYS.map((name) => [name, []]));
  for (const [name, values] of fields) all.set(name, values);
  if (kind === 'FileContent') {
    for (const [copy, name] of FILE_COPIES) all.set(copy, fields.get(name) ?? []);
  }
  all.set('Id', [id]);
  all.set('_type', [kind]);
  return all;
}

export type FindDocumentsDeps = {
  readonly searchIndex: Pick<SearchIndex, 'search'>;
  readonly tools: HiddenPages;
  readonly readDocuments: ReadDocuments;
};

/** Documents that share a name: the same id under several crawlers, or the same address under several ids. */
const SAME_NAME = 20;

/**
 * The documents that the names mean, in their order, each once: by document id, else by `Url`. What no document of the
 * engine is called, or no visitor is shown, is left out. Contract: 5.1. Costs one search without words.
 */
export async function findDocuments(
  deps: FindDocumentsDeps,
  input: {
    readonly engine: Pick<Engine, 'id' | 'customerId'>;
    readonly names: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<readonly { readonly name: string; readonly document: StoredDocument }[]> {
  const { engine, names, signal } = input;
  const hidden = (await deps.tools.of(engine.customerId)).hiddenOf(engine.id);
  const { hits } = await deps.searchIndex.search(engine.id, { ...planOf(names), removed: hidden }, signal);
  const rids = hits.map(({ rid }) => rid).sort((a, b) => a - b);
  const rows = (await deps.readDocuments(engine.id, rids)).filter((row) => row?.deleted === false);
  const taken = new Set<number>();
  return [...new Set(names)].flatMap((name) => {
    const document =
      rows.find((row) => row?.id === name) ?? rows.find((row) => row && firstValue(row.fields, 'Url') === name);
    if (document === undefined || taken.has(document.rid)) return [];
    taken.add(document.rid);
    return [{ name, document }];
  });
}

const ALL: FilterNode = { kind: 'all' };

function planOf(names: readonly string[]): QueryPlan {
  const called = (field: string): FilterNode => ({ kind: 'value', field, values: [...names] });
  return {
    match: { kind: 'all' },
    operator: 'OR',
    filter: { kind: 'or', of: [called('Id'), called('Url')] },
    postFilter: ALL,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: SAME_NAME * names.length,
    spare: 0,
    counts: 'none',
    weights: DEFAULT_RELEVANCE,
  };
}
