import {
  type DocumentKind,
  type Fields,
  type NewDocument,
  type StoredDocument,
  textBytes,
} from '../../core/document.ts';
import { all, fetchFirst, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import {
  decodeDocument,
  type EncodedContent,
  encodeContent,
  isDamaged,
  rowHash,
  titleHashOf,
} from './document-rows.ts';
import {
  type DocumentKey,
  EMPTY,
  findKnown,
  findRow,
  type Known,
  type Numbering,
  save,
  startNumbering,
} from './document-writes.ts';
import type { PatchInput, PatchOutcome, PutOutcome, WriteReceipt } from './documents.ts';

/** Writes of whole documents and of some of their fields, each one savepoint. Contract: `DocumentStore`. */

/** What is kept of titles beside the content. */
type Titles = { readonly titleHash: number | null; readonly headTitle: string | null };

const changeTitles = statement<{ rid: number } & Titles>(({ rid, titleHash, headTitle }) =>
  engineSql
    .updateTable('documents')
    .set({ title_hash: titleHash, head_title: headTitle })
    .where('rid', '=', rid)
    .$castTo<never>(),
);

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
  const { seq, rows } = yield* applyPuts(yield* preparePuts(crawlerId, documents), at);
  return { seq, rows, kinds: documents.map(({ kind }) => kind) };
}

/** Documents that are to be put, with what is stored under their ids. */
export type PreparedPuts = {
  readonly numbering: Numbering;
  readonly puts: readonly PreparedPut[];
  readonly known: ReadonlyMap<string, Stored | undefined>;
};

type PreparedPut = {
  readonly document: NewDocument;
  readonly key: DocumentKey;
  readonly content: EncodedContent;
  readonly headTitle: string | null;
};

/** What a put has to know of the row that is there. */
type Stored = Pick<Known, 'rid' | 'deleted' | 'content_hash' | 'created_at' | 'title_hash' | 'head_title'>;

/** Inside a write that puts documents: what it reads, before any of them is written. Nothing of none. */
export function* preparePuts(crawlerId: number, documents: readonly NewDocument[]): Operation<PreparedPuts> {
  const ids = [...new Set(documents.map(({ id }) => id))];
  const [numbering, found] = yield* all([
    startNumbering(),
    mapTogether(ids, (id) => fetchFirst(findKnown, { crawlerId, id })),
  ]);
  const known = new Map(ids.map((id, at) => [id, found[at]]));
  const puts = documents.map((document) => {
    const fields = fieldsOf(document, known.get(document.id));
    return {
      document,
      key: { crawlerId, id: document.id },
      content: encodeContent({ ...document, fields, structure: document.structure }),
      headTitle: document.headTitle || null,
    };
  });
  return { numbering, puts, known };
}

/** A page that was given the title of its head keeps it while its head says so. */
function fieldsOf({ fields, headTitle }: NewDocument, stored: Known | undefined): Fields {
  if (!headTitle || stored === undefined || stored.deleted === 1 || stored.head_title !== headTitle) return fields;
  return stored.title_hash === titleHashOf(headTitle) ? withTitle(fields, headTitle) : fields;
}

export function withTitle(fields: Fields, title: string): Fields {
  return new Map(fields).set('Title', [title]);
}

/** Inside the same write: puts them, in order. One with the content that is stored changes nothing and takes no `seq`. */
export function* applyPuts(prepared: PreparedPuts, at: number): Operation<WriteReceipt<PutOutcome>> {
  const { numbering, puts } = prepared;
  const stored = yield* intactRows(prepared);
  const writes: Write[] = [];
  const rows: PutOutcome[] = [];
  for (const { key, content, headTitle } of puts) {
    const before = stored.get(key.id);
    const { contentHash: content_hash, titleHash: title_hash } = content;
    if (before !== undefined && isSame(before, content)) {
      if (before.title_hash !== title_hash || before.head_title !== headTitle)
        yield* submit(changeTitles, { rid: before.rid, titleHash: title_hash, headTitle });
      rows.push('same');
      continue;
    }
    const live = before?.deleted === 0 ? before : undefined;
    const created_at = live?.created_at ?? at;
    writes.push({ key, content, headTitle, seq: numbering.next(), createdAt: created_at, at });
    const written = { content_hash, created_at, title_hash, head_title: headTitle };
    stored.set(key.id, { rid: before?.rid ?? 0, deleted: 0, ...written });
    rows.push(live === undefined ? 'created' : 'replaced');
  }
  const seq = numbering.last();
  yield* mapTogether(writes, (one) => write(one, seq));
  return { seq: yield* numbering.mark(), rows };
}

/** What is stored, by id: a damaged row has no content, so that writing the same again repairs it. */
function* intactRows({ puts, known }: PreparedPuts): Operation<Map<string, Stored | undefined>> {
  const stored = new Map(known);
  const same = puts.filter(({ key, content }) => isSame(known.get(key.id), content));
  const rows = yield* mapTogether(same, ({ key }) => fetchFirst(findRow, key));
  for (const [place, { key }] of same.entries()) {
    const row = rows[place];
    const found = known.get(key.id);
    if (found !== undefined && (row === undefined || isDamaged(row))) {
      stored.set(key.id, { ...found, content_hash: EMPTY });
    }
  }
  return stored;
}

function isSame(stored: Stored | undefined, { contentHash }: EncodedContent): boolean {
  return stored !== undefined && stored.deleted === 0 && Buffer.compare(stored.content_hash, contentHash) === 0;
}

type Write = Pick<PreparedPut, 'key' | 'content' | 'headTitle'> & {
  readonly seq: number;
  readonly createdAt: number;
  readonly at: number;
};

function* write({ key, content, headTitle, seq, createdAt, at }: Write, writeSeq: number): Operation<void> {
  const { kind, origin, language, encoding, fields, structure } = content;
  const row = { crawler_id: key.crawlerId, id: key.id, seq, kind, origin, language, encoding, fields, structure };
  yield* submit(save, {
    ...row,
    write_seq: writeSeq,
    content_hash: content.contentHash,
    row_hash: rowHash(row),
    deleted: 0,
    created_at: createdAt,
    updated_at: at,
    title_hash: content.titleHash,
    head_title: headTitle,
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
  const ids = [...new Set(patches.map(({ id }) => id))];
  const found = yield* mapTogether(ids, (id) => fetchFirst(findRow, { crawlerId, id }));
  const present = new Map<string, StoredDocument>();
  for (const row of found) if (row !== undefined) present.set(row.id, decodeDocument(row));
  const puts: NewDocument[] = [];
  const kinds: (DocumentKind | undefined)[] = [];
  const outcomes = patches.map((patch): PatchOutcome | 'put' => {
    const document = present.get(patch.id);
    // In a damaged row there is nothing that the patch could be merged into.
    const isThere = document !== undefined && !document.damaged;
    const fields = isThere ? merged(document.fields, patch.fields) : new Map<string, readonly string[]>();
    const isTooLarge = isThere && textBytes(fields) > Math.max(maxTextBytes, textBytes(document.fields));
    if (!isThere || isTooLarge) {
      kinds.push(isThere ? document.kind : undefined);
      return isThere ? 'too-large' : 'missing';
    }
    const { kind = document.kind, language = document.language } = patch;
    kinds.push(kind);
    // The structure is that of the text before.
    const structure = patch.fields.has('Content') ? undefined : document.structure;
    const patched = { ...document, kind, language, fields, structure };
    present.set(patch.id, patched);
    puts.push(patched);
    return 'put';
  });
  const { seq, rows: put } = yield* applyPuts(yield* preparePuts(crawlerId, puts), at);
  const results = put.values();
  const rows = outcomes.map((outcome): PatchOutcome => {
    if (outcome !== 'put') return outcome;
    return results.next().value === 'same' ? 'same' : 'updated';
  });
  return { seq, rows, kinds };
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
