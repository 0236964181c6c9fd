import type { DocumentKind, StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import type { QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, IndexHit } from '../search-index/search-index.ts';
import { askedPatterns } from './asked-patterns.ts';
import { highlightField } from './highlight.ts';
import { type ReturnedField, returnedFields, storedNameOf } from './returned-fields.ts';
import type { SearchRequest } from './search-request.ts';

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
  readonly sortValues: readonly (number | string | undefined)[];
};

/** The most frequent values of a field with their best hits. */
export type TopValueHits = {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly count: number; readonly hits: readonly SearchHit[] }[];
};

export type Found = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly plan: QueryPlan;
  readonly found: Hits;
};

/**
 * The hits of the page and the top hits with their fields, read at once. A row that has just gone gives way to the
 * next hit; spare hits are read only then. Contract: 2.6.
 */
export async function readHits(
  { readDocuments }: { readonly readDocuments: ReadDocuments },
  input: Found,
): Promise<{ readonly hits: readonly SearchHit[]; readonly topHits: readonly TopValueHits[] }> {
  const { engine, plan, found } = input;
  const rows = new Map<number, StoredDocument>();
  const read = async (hits: readonly IndexHit[]) => {
    const rids = [...new Set(hits.map(({ rid }) => rid))].filter((rid) => !rows.has(rid));
    for (const row of await readDocuments(engine.id, rids)) if (row?.deleted === false) rows.set(row.rid, row);
  };
  const page = found.hits.slice(0, plan.limit);
  await read([...page, ...found.topHits.flatMap(({ values }) => values.flatMap(({ hits }) => hits))]);
  if (!page.every(({ rid }) => rows.has(rid))) await read(found.hits.slice(plan.limit));
  const shown = (hits: readonly IndexHit[], { offset, limit }: { offset: number; limit: number }) =>
    hits
      .flatMap((hit) => {
        const row = rows.get(hit.rid);
        return row === undefined ? [] : [{ hit, row }];
      })
      .slice(0, limit)
      .map(({ hit, row }, index) => searchHit(hit, row, { ...input, rank: offset + index + 1 }));
  return {
    hits: shown(found.hits, plan),
    topHits: found.topHits.map(({ field, values }) => ({
      field,
      values: values.map(({ value, count, hits }) => ({
        value,
        count,
        hits: shown(hits, { offset: 0, limit: hits.length }),
      })),
    })),
  };
}

function searchHit(hit: IndexHit, row: StoredDocument, input: Found & { readonly rank: number }): SearchHit {
  const highlightsOf = highlighter(row, input);
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
    sortValues: hit.sortValues,
  };
}

/** Highlights of a stored field, made once each: a file's title and text are returned twice. */
function highlighter(row: StoredDocument, { engine, request, plan, found }: Found) {
  const phraseSlop = plan.match.kind === 'phrase' ? plan.match.slop : undefined;
  const rules = {
    matched: found.matched,
    vocabulary: found.vocabulary,
    patterns: askedPatterns(plan.match),
    phraseSlop,
    // A page that tells no language is analysed in the engine's.
    language: row.language === '' ? engine.language : row.language,
    settings: engine.settings.highlight,
  };
  const made = new Map<string, readonly string[]>();
  return (field: string, values: readonly string[]): readonly string[] => {
    if (!request.highlight) return [];
    const highlights = made.get(field) ?? highlightField(field, values, rules);
    made.set(field, highlights);
    return highlights;
  };
}
