import { hash as digestOf } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  DOCUMENT_KINDS,
  DOCUMENT_ORIGINS,
  type DocumentKind,
  type DocumentOrigin,
  type Fields,
  firstValue,
  type StoredDocument,
  type Structure,
} from '../../core/document.ts';
import type { LinkText } from '../../core/link-texts.ts';
import { randomNumber } from '../sql/dialect.ts';
import { fetchFirst, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

/** A row of `documents` as SQLite returns it. */
export type DocumentRow = {
  readonly rid: number;
  readonly crawler_id: number;
  readonly id: string;
  readonly seq: number;
  readonly write_seq: number;
  readonly kind: number;
  readonly origin: number;
  readonly language: string;
  readonly encoding: number;
  readonly fields: Uint8Array | null;
  readonly structure: Uint8Array | null;
  readonly content_hash: Uint8Array;
  readonly row_hash: Uint8Array;
  readonly deleted: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** Of the title as `titleHashOf` writes it; null without one. */
  readonly title_hash: number | null;
  /** What the page's head calls it in place of its title; null when it says nothing else. */
  readonly head_title: string | null;
};

/** What a write stores of a document's content. */
export type DocumentContent = {
  readonly kind: DocumentKind;
  readonly origin: DocumentOrigin;
  readonly language: string;
  readonly fields: Fields;
  readonly structure: Structure | undefined;
};

export type EncodedContent = {
  readonly kind: number;
  readonly origin: number;
  readonly language: string;
  readonly encoding: number;
  readonly fields: Uint8Array;
  readonly structure: Uint8Array | null;
  readonly contentHash: Uint8Array;
  readonly titleHash: number | null;
};

/** What `encoding` says of a row: nothing is compressed, fields and structure are, fields alone are. */
const PLAIN = 0;
const PACKED = 1;
const FIELDS_PACKED = 2;
/** Below this compression doubles the cost of indexing from the store; above it halves the bytes (search-engine 5). */
const COMPRESS_FROM_BYTES = 8 * 1024;
/** A structure below that gains less than its own compression costs: 32 µs, half of what a text of 18 KB takes. */
const PACK_STRUCTURE_FROM_BYTES = 1024;
/** Text of 20 KB takes 0.12 ms instead of 0.17 ms at the usual level, and 1 % more bytes. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1 };
const HASH_BYTES = 16;
/** zlib takes no smaller one. */
const SMALLEST_CHUNK = 64;

/** Fields as pairs, so that names such as `1` or `__proto__` keep their place. */
export function encodeContent(content: DocumentContent): EncodedContent {
  const fields = Buffer.from(JSON.stringify([...content.fields]));
  const structure = content.structure === undefined ? null : Buffer.from(JSON.stringify(content.structure));
  const kind = DOCUMENT_KINDS.indexOf(content.kind);
  const contentHash = hash([String(kind), content.language, fields, structure ?? '']);
  const isLong = fields.length + (structure?.length ?? 0) >= COMPRESS_FROM_BYTES;
  const encoding = isLong ? packedAs(structure) : PLAIN;
  return {
    kind,
    origin: DOCUMENT_ORIGINS.indexOf(content.origin),
    language: content.language,
    encoding,
    fields: encoding === PLAIN ? fields : pack(fields),
    structure: encoding === PACKED && structure !== null ? pack(structure) : structure,
    contentHash,
    titleHash: titleHashOf(firstValue(content.fields, 'Title')),
  };
}

const TITLE_HASH_BYTES = 6;

/** 48 bits, which a number holds exactly; titles that differ in case alone have the same. */
export function titleHashOf(title: string): number | null {
  const text = title.trim().toLowerCase();
  return text === '' ? null : digestOf('sha256', text, 'buffer').readUIntBE(0, TITLE_HASH_BYTES);
}

function packedAs(structure: Uint8Array | null): number {
  return (structure?.length ?? 0) < PACK_STRUCTURE_FROM_BYTES ? FIELDS_PACKED : PACKED;
}

/** The size told before keeps the tables small, and one buffer takes the result. */
function pack(bytes: Uint8Array): Uint8Array {
  const chunkSize = Math.max(SMALLEST_CHUNK, bytes.length >> 1);
  return zstdCompressSync(bytes, { params: FAST, pledgedSrcSize: bytes.length, chunkSize });
}

/** Digest over what the row holds, so that damage on disk is found whenever it is read. */
export function rowHash(
  row: Pick<DocumentRow, 'crawler_id' | 'id' | 'seq' | 'kind' | 'language' | 'encoding' | 'fields' | 'structure'>,
): Uint8Array {
  const head = [row.crawler_id, row.seq, row.kind, row.encoding, row.language, row.id].join('\n');
  return hash([head, row.fields ?? '', row.structure ?? '']);
}

/** Whether the row does not agree with its digest. */
export function isDamaged(row: DocumentRow): boolean {
  return Buffer.compare(rowHash(row), row.row_hash) !== 0;
}

/** A row that does not agree with its digest says nothing but that. */
export function decodeDocument(row: DocumentRow): StoredDocument {
  if (isDamaged(row)) return { ...headOf(row), fields: new Map(), structure: undefined, damaged: true };
  return {
    ...headOf(row),
    fields: new Map(row.fields === null ? [] : (parse(row.fields, row.encoding !== PLAIN) as [string, string[]][])),
    structure: row.structure === null ? undefined : (parse(row.structure, row.encoding === PACKED) as Structure),
  };
}

/** Of pairs of a text and its pages, as JSON. */
export function decodeLinkTexts(texts: string): readonly LinkText[] {
  return (JSON.parse(texts) as [string, number][]).map(([text, pages]) => ({ text, pages }));
}

function headOf(row: DocumentRow): Omit<StoredDocument, 'fields' | 'structure' | 'damaged'> {
  return {
    rid: row.rid,
    seq: row.seq,
    writeSeq: row.write_seq,
    crawlerId: row.crawler_id,
    id: row.id,
    kind: DOCUMENT_KINDS[row.kind] ?? 'PageContent',
    origin: DOCUMENT_ORIGINS[row.origin] ?? 'pushed',
    language: row.language,
    deleted: row.deleted === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function parse(bytes: Uint8Array, isPacked: boolean): unknown {
  const plain = isPacked ? zstdDecompressSync(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return JSON.parse(plain.toString());
}

/** Each part ends with a zero byte. In one call: a digest that is fed in parts costs twice as much. */
function hash(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const bytes = parts.flatMap((part) => [typeof part === 'string' ? Buffer.from(part) : part, END]);
  return digestOf('sha256', Buffer.concat(bytes), 'buffer').subarray(0, HASH_BYTES);
}

const END = new Uint8Array(1);

/** Marks that are kept behind the index: a reader may open one that is some generations old. */
const RETAINED_SEQS = 10_000;

const put = statement<{ seq: number }>(({ seq }) =>
  engineSql.insertInto('write_marks').values({ seq, mark: randomNumber }),
);
const find = statement<{ seq: number }, { mark: number }>(({ seq }) =>
  engineSql.selectFrom('write_marks').select('mark').where('seq', '>=', seq).orderBy('seq').limit(1),
);
const drop = statement<{ below: number }>(({ below }) =>
  engineSql.deleteFrom('write_marks').where('seq', '<', below).$castTo<never>(),
);

/** Marks the write whose last `seq` is given with a random number. */
export function* markWrite(seq: number): Operation<void> {
  yield* submit(put, { seq });
}

/** Of the write that took `seq`, whatever became of its documents; undefined when there was none. */
export function* markOf(seq: number): Operation<number | undefined> {
  return (yield* fetchFirst(find, { seq }))?.mark;
}

/** The table stays small: what the index has passed long ago is not asked for. */
export function* dropMarks(indexedSeq: number): Operation<void> {
  yield* submit(drop, { below: indexedSeq - RETAINED_SEQS });
}
