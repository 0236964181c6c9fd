import { sql } from 'kysely';
import type { DocumentVectors } from '../../../core/document-vectors.ts';
import type { ChangedVectors, PassageVectorStore } from '../../engine-store.ts';
import { readMeta, writeMeta } from '../meta.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, statement } from '../statement.ts';
import type { EngineConnection } from '../write-thread.ts';

const HASH_BYTES = 16;
const COMPLETE = 'vectors_complete';

const COLUMNS = ['change', 'rid', 'seq', 'context_hash', 'dimensions', 'hashes', 'vectors'] as const;

export const passageVectorStatements = {
  isVersion: statement<{ rid: number; seq: number }, { rid: number }>((p) =>
    engineSql
      .selectFrom('documents')
      .select('rid')
      .where('rid', '=', p.rid)
      .where('seq', '=', p.seq)
      .where('deleted', '=', 0),
  ),
  put: statement<Omit<VectorRow, 'change'> & { set: string }>((p) =>
    engineSql.replaceInto('passage_vectors').values({
      vector_set: p.set,
      rid: p.rid,
      seq: p.seq,
      context_hash: p.context_hash,
      dimensions: p.dimensions,
      hashes: p.hashes,
      vectors: p.vectors,
    }),
  ),
  drop: statement<{ set: string; rid: number }>((p) =>
    engineSql.deleteFrom('passage_vectors').where('vector_set', '=', p.set).where('rid', '=', p.rid),
  ),
  /** `rids` as JSON. */
  read: statement<{ set: string; rids: string }, VectorRow>((p) =>
    engineSql
      .selectFrom('passage_vectors')
      .select(COLUMNS)
      .where('vector_set', '=', p.set)
      .where('rid', 'in', sql<number>`(SELECT value FROM json_each(${p.rids}))`)
      .orderBy('rid'),
  ),
  after: statement<{ set: string; change: number; limit: number }, VectorRow>((p) =>
    engineSql
      .selectFrom('passage_vectors')
      .select(COLUMNS)
      .where('change', '>', p.change)
      .where('vector_set', '=', p.set)
      .orderBy('change')
      .limit(p.limit),
  ),
  rids: statement<{ set: string }, { rid: number }>((p) =>
    engineSql.selectFrom('passage_vectors').select('rid').where('vector_set', '=', p.set).orderBy('rid'),
  ),
  dropOthers: statement<{ set: string; limit: number }>((p) =>
    engineSql
      .deleteFrom('passage_vectors')
      .where('change', 'in', (other) =>
        other.selectFrom('passage_vectors').select('change').where('vector_set', '<>', p.set).limit(p.limit),
      ),
  ),
};

type PutInput = { readonly set: string; readonly seq: number; readonly documents: readonly DocumentVectors[] };

export function putVectors(db: SqliteDatabase, { set, seq, documents }: PutInput): void {
  for (const document of documents) {
    const { rid } = document;
    // A version that came meanwhile is still to be read, and a row that was purged never comes back.
    if (db.firstOf(passageVectorStatements.isVersion, { rid, seq: document.seq }) === undefined) continue;
    if (document.hashes.length === 0) db.runOf(passageVectorStatements.drop, { set, rid });
    else db.runOf(passageVectorStatements.put, { set, ...rowOf(document) });
  }
  if (seq > vectorSeq(db, set)) writeMeta(db, seqName(set), String(seq));
}

export function completeVectors(db: SqliteDatabase, { set }: { readonly set: string }): void {
  writeMeta(db, COMPLETE, set);
}

export function dropOtherVectors(
  db: SqliteDatabase,
  { set, limit }: { readonly set: string; readonly limit: number },
): number {
  return db.runOf(passageVectorStatements.dropOthers, { set, limit }).changes;
}

export function passageVectorStore({ engineId, read, thread }: EngineConnection): PassageVectorStore {
  return {
    putVectors: (set, { seq, documents }) => thread.engine(engineId, 'putVectors', { set, seq, documents }),
    vectorSeq: async (set) => vectorSeq(read, set),
    readVectors: async (set, rids) =>
      read.allOf(passageVectorStatements.read, { set, rids: JSON.stringify(rids) }).map(vectorsOf),
    vectorsAfter: async (set, { change, limit }) =>
      read.allOf(passageVectorStatements.after, { set, change, limit }).map(vectorsOf),
    vectorRids: async (set) => read.allOf(passageVectorStatements.rids, { set }).map(({ rid }) => rid),
    completeVectorSet: async () => readMeta(read, COMPLETE),
    completeVectors: (set) => thread.engine(engineId, 'completeVectors', { set }),
    dropOtherVectors: (set, limit) => thread.engine(engineId, 'dropOtherVectors', { set, limit }),
  };
}

function vectorSeq(db: SqliteDatabase, set: string): number {
  return Number(readMeta(db, seqName(set)) ?? '0');
}

function seqName(set: string): string {
  return `vectors_seq ${set}`;
}

function rowOf({ rid, seq, contextHash, dimensions, hashes, packed }: DocumentVectors): Omit<VectorRow, 'change'> {
  const joined = Buffer.from(hashes.join(''), 'hex');
  return { rid, seq, context_hash: Buffer.from(contextHash, 'hex'), dimensions, hashes: joined, vectors: packed };
}

function vectorsOf({ change, rid, seq, context_hash, dimensions, hashes, vectors }: VectorRow): ChangedVectors {
  const joined = Buffer.from(hashes).toString('hex');
  const digits = 2 * HASH_BYTES;
  const each = Array.from({ length: hashes.length / HASH_BYTES }, (_, index) =>
    joined.slice(index * digits, (index + 1) * digits),
  );
  return {
    change,
    rid,
    seq,
    contextHash: Buffer.from(context_hash).toString('hex'),
    dimensions,
    hashes: each,
    packed: vectors,
  };
}

/** A row of `passage_vectors` without its set: the vectors of one document. */
export type VectorRow = {
  /** Higher for each row that is written. */
  change: number;
  rid: number;
  seq: number;
  context_hash: Uint8Array;
  dimensions: number;
  /** 16 bytes of each passage. */
  hashes: Uint8Array;
  vectors: Uint8Array;
};
