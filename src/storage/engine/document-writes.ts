import { sql } from 'kysely';
import { DOCUMENT_KINDS, type DocumentKind } from '../../core/document.ts';
import { typeBySuffix } from '../../core/field-values.ts';
import { matchesFilter } from '../../core/filters.ts';
import { indexedText } from '../sql/dialect.ts';
import { readMeta, writeMeta } from '../sql/meta.ts';
import { execute, fetchAll, fetchFirst, mapSeries, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { type DocumentRow, decodeDocument, dropMarks, markWrite, rowHash } from './document-rows.ts';
import type { DeleteMatching, DeleteOutcome, WriteReceipt } from './documents.ts';
import { removalStatements } from './removal-statements.ts';

/** Write operations on documents; each is one savepoint of the write thread. Contract: `DocumentStore`. */

export type DocumentKey = { readonly crawlerId: number; readonly id: string };
export type Known = {
  readonly rid: number;
  readonly kind: number;
  readonly deleted: number;
  readonly content_hash: Uint8Array;
  readonly created_at: number;
  readonly title_hash: number | null;
  readonly head_title: string | null;
};
type Saved = { readonly [Column in Exclude<keyof DocumentRow, 'rid'>]: DocumentRow[Column] };

export const findKnown = statement<{ crawlerId: number; id: string }, Known>(({ crawlerId, id }) =>
  engineSql
    .selectFrom('documents')
    .select(['rid', 'kind', 'deleted', 'content_hash', 'created_at', 'title_hash', 'head_title'])
    .where('crawler_id', '=', crawlerId)
    .where('id', '=', id)
    .$castTo<Known>(),
);

export const findRow = statement<{ crawlerId: number; id: string }, DocumentRow>(({ crawlerId, id }) =>
  engineSql
    .selectFrom('documents')
    .selectAll()
    .where('crawler_id', '=', crawlerId)
    .where('id', '=', id)
    .where('deleted', '=', 0)
    .$castTo<DocumentRow>(),
);

const findChanged = statement<{ crawlerId: number; after: number; limit: number }, DocumentRow>((values) =>
  engineSql
    .selectFrom('documents')
    .selectAll()
    .where('seq', '>', values.after)
    .where('crawler_id', '=', values.crawlerId)
    .where('deleted', '=', 0)
    .orderBy('seq')
    .limit(values.limit)
    .$castTo<DocumentRow>(),
);

export const save = statement<Saved>((row) =>
  engineSql
    .insertInto('documents')
    .values({
      crawler_id: row.crawler_id,
      id: row.id,
      seq: row.seq,
      write_seq: row.write_seq,
      kind: row.kind,
      origin: row.origin,
      language: row.language,
      encoding: row.encoding,
      fields: row.fields,
      structure: row.structure,
      content_hash: row.content_hash,
      row_hash: row.row_hash,
      deleted: row.deleted,
      created_at: row.created_at,
      updated_at: row.updated_at,
      title_hash: row.title_hash,
      head_title: row.head_title,
    })
    .onConflict((conflict) =>
      conflict.expression(sql`crawler_id, ${indexedText('id')}`).doUpdateSet(({ ref }) => ({
        seq: ref('excluded.seq'),
        write_seq: ref('excluded.write_seq'),
        kind: ref('excluded.kind'),
        origin: ref('excluded.origin'),
        language: ref('excluded.language'),
        encoding: ref('excluded.encoding'),
        fields: ref('excluded.fields'),
        structure: ref('excluded.structure'),
        content_hash: ref('excluded.content_hash'),
        row_hash: ref('excluded.row_hash'),
        deleted: ref('excluded.deleted'),
        created_at: ref('excluded.created_at'),
        updated_at: ref('excluded.updated_at'),
        title_hash: ref('excluded.title_hash'),
        head_title: ref('excluded.head_title'),
      })),
    )
    .$castTo<never>(),
);

const endWrite = statement<{ first: number; last: number }>(({ first, last }) =>
  engineSql.updateTable('documents').set({ write_seq: last }).where('seq', '>', first).$castTo<never>(),
);

/** Numbers the changes of one write: every change takes the next `seq`, all of them end at the same border. */
export type Numbering = {
  next(): number;
  /** The number that was given last. */
  last(): number;
  /** All changes end at the last number. */
  end(): Operation<number>;
  /** The same when they were written with it. */
  mark(): Operation<number>;
};

export function* startNumbering(): Operation<Numbering> {
  const first = yield* lastSeq();
  let last = first;
  const mark = function* () {
    if (last > first) {
      yield* writeMeta('last_seq', String(last));
      yield* markWrite(last);
    }
    return last;
  };
  return {
    next: () => ++last,
    last: () => last,
    mark,
    *end() {
      if (last > first + 1) yield* submit(endWrite, { first, last });
      return yield* mark();
    },
  };
}

export function* lastSeq(): Operation<number> {
  return Number((yield* readMeta('last_seq')) ?? '0');
}

export type DeleteDocuments = { readonly crawlerId: number; readonly ids: readonly string[]; readonly at: number };

export function* deleteDocuments(
  crawlerId: number,
  ids: readonly string[],
  at: number,
): Operation<WriteReceipt<DeleteOutcome> & { readonly kinds: readonly (DocumentKind | undefined)[] }> {
  const numbering = yield* startNumbering();
  const kinds: (DocumentKind | undefined)[] = [];
  const rows: DeleteOutcome[] = [];
  const live = new Map<string, Known>();
  const distinct = [...new Set(ids)];
  const found = yield* mapTogether(distinct, (id) => fetchFirst(findKnown, { crawlerId, id }));
  for (const [at, id] of distinct.entries()) {
    const known = found[at];
    if (known === undefined) continue;
    yield* submit(removalStatements.forget, { rid: known.rid });
    if (known.deleted === 0) live.set(id, known);
  }
  for (const id of ids) {
    const known = live.get(id);
    kinds.push(known && DOCUMENT_KINDS[known.kind]);
    rows.push(known === undefined ? 'missing' : 'deleted');
    if (known === undefined) continue;
    yield* removeRow({ key: { crawlerId, id }, known, seq: numbering.next(), at });
    live.delete(id);
  }
  return { seq: yield* numbering.end(), rows, kinds };
}

/** Of a row without content. */
export const EMPTY = new Uint8Array(0);

/** Fields and structure go at once; the row stays until the index has passed its `seq`. */
export function* removeRow(input: {
  readonly key: DocumentKey;
  readonly known: Known;
  readonly seq: number;
  readonly at: number;
}): Operation<void> {
  const { key, known, seq, at } = input;
  const row = {
    crawler_id: key.crawlerId,
    id: key.id,
    seq,
    kind: 0,
    language: '',
    encoding: 0,
    fields: null,
    structure: null,
  };
  yield* submit(save, {
    ...row,
    write_seq: seq,
    origin: 0,
    content_hash: EMPTY,
    row_hash: rowHash(row),
    deleted: 1,
    created_at: known.created_at,
    updated_at: at,
    title_hash: null,
    head_title: null,
  });
}

/** Rows that one step of a long deletion reads at once. */
const STEP = 500;

export function* deleteMatching(
  input: DeleteMatching & { readonly crawlerId: number; readonly at: number },
): Operation<{ readonly seq: number; readonly deleted: number }> {
  const { crawlerId, at, candidates } = input;
  const unchanged = yield* mapSeries(chunks(candidates.rids, STEP), (rids) =>
    fetchAll(
      engineSql
        .selectFrom('documents')
        .select('id')
        .where('rid', 'in', rids)
        .where('crawler_id', '=', crawlerId)
        .where('deleted', '=', 0)
        .where('seq', '<=', candidates.seq),
    ),
  );
  const ids = [...unchanged.flat().map(({ id }) => id), ...(yield* changedMatches(input))];
  const { seq, rows } = yield* deleteDocuments(crawlerId, ids, at);
  return { seq, deleted: rows.length };
}

function* chunks(rids: Uint32Array, size: number): Generator<number[]> {
  for (let from = 0; from < rids.length; from += size) yield [...rids.subarray(from, from + size)];
}

/** Ids of live documents that changed after the index looked and match now. */
function* changedMatches(input: DeleteMatching & { readonly crawlerId: number }): Operation<string[]> {
  const typeOf = (field: string) => typeBySuffix(field) ?? input.types.get(field) ?? 'text';
  const { crawlerId, candidates, filter } = input;
  const ids: string[] = [];
  let after = candidates.seq;
  for (;;) {
    const rows = yield* fetchAll(findChanged, { crawlerId, after, limit: STEP });
    for (const row of rows) {
      const document = decodeDocument(row);
      if (!document.damaged && matchesFilter(document, filter, typeOf)) ids.push(row.id);
    }
    if (rows.length < STEP) return ids;
    after = rows.at(-1)?.seq ?? after;
  }
}

export function* deleteCrawlerDocuments(crawlerId: number, limit: number, at: number): Operation<number> {
  const live = engineSql
    .selectFrom('documents')
    .select('id')
    .where('crawler_id', '=', crawlerId)
    .where('deleted', '=', 0)
    .limit(limit);
  yield* execute(removalStatements.forgetCrawler, { crawlerId });
  const ids = (yield* fetchAll(live)).map(({ id }) => id);
  return (yield* deleteDocuments(crawlerId, ids, at)).rows.length;
}

export function* purgeDeleted(seq: number, limit: number): Operation<number> {
  const gone = engineSql
    .selectFrom('documents')
    .select('rid')
    .where('seq', '<=', seq)
    .where('deleted', '=', 1)
    .limit(limit);
  yield* dropMarks(seq);
  yield* execute(engineSql.deleteFrom('passage_vectors').where('rid', 'in', gone));
  yield* execute(engineSql.deleteFrom('document_link_texts').where('rid', 'in', gone));
  return (yield* execute(engineSql.deleteFrom('documents').where('rid', 'in', gone))).changes;
}

/** Total of live documents, by crawler when one is named. */
export function* countLive(crawlerId: number | undefined): Operation<number> {
  const count = engineSql
    .selectFrom('documents')
    .select(sql<number>`count(*)`.as('count'))
    .where('deleted', '=', 0)
    .$if(crawlerId !== undefined, (query) => query.where('crawler_id', '=', crawlerId ?? 0));
  return (yield* fetchFirst(count))?.count ?? 0;
}

/** Reads an index of live rows alone. */
const liveByCrawler = statement<Record<never, never>, { crawler_id: number; count: number }>(() =>
  engineSql
    .selectFrom('documents')
    .select((row) => ['crawler_id', row.fn.countAll<number>().as('count')])
    .where('deleted', '=', 0)
    .groupBy('crawler_id'),
);

export function* countLiveByCrawler(): Operation<ReadonlyMap<number, number>> {
  return new Map((yield* fetchAll(liveByCrawler, {})).map((row) => [row.crawler_id, row.count]));
}
