import { sql } from 'kysely';
import { DOCUMENT_KINDS, type DocumentKind, type NewDocument, textBytes } from '../../core/document.ts';
import { typeBySuffix } from '../../core/field-values.ts';
import { matchesFilter } from '../../core/filters.ts';
import { indexedText } from '../sql/dialect.ts';
import { readMeta, writeMeta } from '../sql/meta.ts';
import { execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import {
  type DocumentRow,
  decodeDocument,
  dropMarks,
  type EncodedContent,
  encodeContent,
  isDamaged,
  markWrite,
  rowHash,
} from './document-rows.ts';
import type { DeleteMatching, DeleteOutcome, PatchInput, PatchOutcome, PutOutcome, WriteReceipt } from './documents.ts';
import { removalStatements } from './removal-statements.ts';

/** Write operations on documents; each is one savepoint of the write thread. Contract: `DocumentStore`. */

export type DocumentKey = { readonly crawlerId: number; readonly id: string };
type Known = {
  readonly rid: number;
  readonly kind: number;
  readonly deleted: number;
  readonly content_hash: Uint8Array;
  readonly created_at: number;
  readonly title_hash: number | null;
};
type Saved = { readonly [Column in Exclude<keyof DocumentRow, 'rid'>]: DocumentRow[Column] };

export const findKnown = statement<{ crawlerId: number; id: string }, Known>(({ crawlerId, id }) =>
  engineSql
    .selectFrom('documents')
    .select(['rid', 'kind', 'deleted', 'content_hash', 'created_at', 'title_hash'])
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
      })),
    )
    .$castTo<never>(),
);

/** Of a row that was written before titles were counted. */
const nameTitle = statement<{ rid: number; titleHash: number | null }>(({ rid, titleHash }) =>
  engineSql.updateTable('documents').set({ title_hash: titleHash }).where('rid', '=', rid).$castTo<never>(),
);

const endWrite = statement<{ first: number; last: number }>(({ first, last }) =>
  engineSql.updateTable('documents').set({ write_seq: last }).where('seq', '>', first).$castTo<never>(),
);

/** Numbers the changes of one write: every change takes the next `seq`, all of them end at the same border. */
type Numbering = { next(): number; end(): Operation<number> };

export function* startNumbering(): Operation<Numbering> {
  const first = yield* lastSeq();
  let last = first;
  return {
    next: () => ++last,
    *end() {
      if (last > first) {
        yield* writeMeta('last_seq', String(last));
        yield* markWrite(last);
      }
      if (last > first + 1) yield* execute(endWrite, { first, last });
      return last;
    },
  };
}

export function* lastSeq(): Operation<number> {
  return Number((yield* readMeta('last_seq')) ?? '0');
}

export type PutDocuments = {
  readonly crawlerId: number;
  readonly documents: readonly NewDocument[];
  readonly at: number;
};

export function* putDocuments(
  crawlerId: number,
  documents: readonly NewDocument[],
  at: number,
): Operation<WriteReceipt<PutOutcome> & { readonly kinds: readonly DocumentKind[] }> {
  const numbering = yield* startNumbering();
  const rows = yield* mapSeries(documents, (document) => {
    const key = { crawlerId, id: document.id };
    const content = encodeContent({ ...document, structure: document.structure });
    return put({ key, content, at, numbering });
  });
  return { seq: yield* numbering.end(), rows, kinds: documents.map(({ kind }) => kind) };
}

type Put = {
  readonly key: DocumentKey;
  readonly content: EncodedContent;
  readonly at: number;
  readonly numbering: Numbering;
};

function* put({ key, content, at, numbering }: Put): Operation<PutOutcome> {
  const known = yield* fetchFirst(findKnown, key);
  const live = known !== undefined && known.deleted === 0;
  if (live && Buffer.compare(known.content_hash, content.contentHash) === 0 && (yield* isIntact(key))) {
    const { titleHash } = content;
    if (known.title_hash !== titleHash) yield* execute(nameTitle, { rid: known.rid, titleHash });
    return 'same';
  }
  yield* write({ key, content, seq: numbering.next(), createdAt: live ? known.created_at : at, at });
  return live ? 'replaced' : 'created';
}

/** Writing the same content again repairs a damaged row. */
function* isIntact(key: DocumentKey): Operation<boolean> {
  const row = yield* fetchFirst(findRow, key);
  return row !== undefined && !isDamaged(row);
}

type Write = {
  readonly key: DocumentKey;
  readonly content: EncodedContent;
  readonly seq: number;
  readonly createdAt: number;
  readonly at: number;
};

function* write({ key, content, seq, createdAt, at }: Write): Operation<void> {
  const { kind, origin, language, encoding, fields, structure } = content;
  const row = { crawler_id: key.crawlerId, id: key.id, seq, kind, origin, language, encoding, fields, structure };
  yield* execute(save, {
    ...row,
    write_seq: seq,
    content_hash: content.contentHash,
    row_hash: rowHash(row),
    deleted: 0,
    created_at: createdAt,
    updated_at: at,
    title_hash: content.titleHash,
  });
}

export function* patchDocuments({
  crawlerId,
  patches,
  maxTextBytes,
  at,
}: PatchInput & { readonly crawlerId: number; readonly at: number }): Operation<
  WriteReceipt<PatchOutcome> & { readonly kinds: readonly (DocumentKind | undefined)[] }
> {
  const numbering = yield* startNumbering();
  const kinds: (DocumentKind | undefined)[] = [];
  const rows = yield* mapSeries(patches, function* (patch): Operation<PatchOutcome> {
    const row = yield* fetchFirst(findRow, { crawlerId, id: patch.id });
    const document = row === undefined ? undefined : decodeDocument(row);
    // In a damaged row there is nothing that the patch could be merged into.
    if (document === undefined || document.damaged) {
      kinds.push(undefined);
      return 'missing';
    }
    const fields = merged(document.fields, patch.fields);
    if (textBytes(fields) > Math.max(maxTextBytes, textBytes(document.fields))) {
      kinds.push(document.kind);
      return 'too-large';
    }
    const { kind = document.kind, language = document.language } = patch;
    kinds.push(kind);
    // The structure is that of the text before.
    const structure = patch.fields.has('Content') ? undefined : document.structure;
    const content = encodeContent({ ...document, kind, language, fields, structure });
    const outcome = yield* put({ key: { crawlerId, id: patch.id }, content, at, numbering });
    return outcome === 'same' ? 'same' : 'updated';
  });
  return { seq: yield* numbering.end(), rows, kinds };
}

/** Sent fields replace or add; an empty list of values removes. */
function merged(
  fields: ReadonlyMap<string, readonly string[]>,
  sent: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const result = new Map(fields);
  for (const [name, values] of sent) {
    if (values.length === 0) result.delete(name);
    else result.set(name, values);
  }
  return result;
}

export type DeleteDocuments = { readonly crawlerId: number; readonly ids: readonly string[]; readonly at: number };

export function* deleteDocuments(
  crawlerId: number,
  ids: readonly string[],
  at: number,
): Operation<WriteReceipt<DeleteOutcome> & { readonly kinds: readonly (DocumentKind | undefined)[] }> {
  const numbering = yield* startNumbering();
  const kinds: (DocumentKind | undefined)[] = [];
  const rows = yield* mapSeries(ids, function* (id): Operation<DeleteOutcome> {
    const known = yield* fetchFirst(findKnown, { crawlerId, id });
    const isLive = known !== undefined && known.deleted === 0;
    kinds.push(isLive ? DOCUMENT_KINDS[known.kind] : undefined);
    if (known !== undefined) yield* execute(removalStatements.forget, { rid: known.rid });
    if (!isLive) return 'missing';
    yield* removeRow({ key: { crawlerId, id }, known, seq: numbering.next(), at });
    return 'deleted';
  });
  return { seq: yield* numbering.end(), rows, kinds };
}

const EMPTY = new Uint8Array(0);

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
  yield* execute(save, {
    ...row,
    write_seq: seq,
    origin: 0,
    content_hash: EMPTY,
    row_hash: rowHash(row),
    deleted: 1,
    created_at: known.created_at,
    updated_at: at,
    title_hash: null,
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
