import type { DocumentKind, StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import type { QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, IndexHit } from '../search-index/search-index.ts';
import { askedPatterns } from './asked-patterns.ts';
import { highlightField } from './highlight.ts';
import { type ReturnedField, returnedFields } from './returned-fields.ts';
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
 * next hit. Contract: 2.6.
 */
export async function readHits(
  { readDocuments }: { readonly readDocuments: ReadDocuments },
  input: Found,
): Promise<{ readonly hits: readonly SearchHit[]; readonly topHits: readonly TopValueHits[] }> {
  const { engine, plan, found } = input;
  const top = found.topHits.flatMap(({ values }) => values.flatMap(({ hits }) => hits));
  const rids = [...new Set([...found.hits, ...top].map(({ rid }) => rid))];
  const rows = await readDocuments(engine.id, rids);
  const rowByRid = new Map(rids.map((rid, index) => [rid, rows[index]]));
  const shown = (hits: readonly IndexHit[], { offset, limit }: { offset: number; limit: number }) => {
    const present = hits.flatMap((hit) => {
      const row = rowByRid.get(hit.rid);
      return row === undefined || row.deleted ? [] : [{ hit, row }];
    });
    return present
      .slice(0, limit)
      .map(({ hit, row }, index) => searchHit(hit, row, { ...input, rank: offset + index + 1 }));
  };
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
  return {
    rank: input.rank,
    id: row.id,
    crawlerId: row.crawlerId,
    score: hit.score,
    kind: row.kind,
    fields: fieldsOf(row, input),
    sortValues: hit.sortValues,
  };
}

function fieldsOf(row: StoredDocument, { engine, request, plan, found }: Found): readonly HitField[] {
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
  return returnedFields(row, request.fields).map(({ name, values }) => ({
    name,
    values,
    highlights: request.highlight ? highlightField(name, values, rules) : [],
  }));
}
