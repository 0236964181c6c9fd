import type { DocumentVectors } from '../../core/document-vectors.ts';
import { listedNumbers } from '../sql/dialect.ts';
import { readMeta, writeMeta } from '../sql/meta.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

/**
 * Part of the port `EngineStore`: vectors of passages, in one set per model. Promises:
 * 1. `putVectors` keeps the vectors of each document that still is the version they were made of, in place of those
 *    before; together with the `seq` up to which the set knows the documents, which never falls;
 * 2. vectors without a passage are none;
 * 3. what was put comes back exactly; each time a document's vectors are put they take a higher `change`, and
 *    `vectorsAfter` returns them once, ascending by it;
 * 4. a document whose row is purged has no vectors left, in no set;
 * 5. a set is complete once `completeVectors` was called for it, until another one is; the others are dropped in steps.
 */
export interface PassageVectorStore {
  putVectors(set: string, input: { seq: number; documents: readonly DocumentVectors[] }): Promise<void>;
  /** `seq` up to which the set knows all documents; 0 when it was never written to. */
  vectorSeq(set: string): Promise<number>;
  /** Of the rows that have some, ascending by rid. */
  readVectors(set: string, rids: readonly number[]): Promise<readonly DocumentVectors[]>;
  vectorsAfter(set: string, of: { change: number; limit: number }): Promise<readonly ChangedVectors[]>;
  /** Rows that have vectors in the set, ascending. */
  vectorRids(set: string): Promise<readonly number[]>;
  completeVectorSet(): Promise<string | undefined>;
  completeVectors(set: string): Promise<void>;
  /** Drops up to `limit` documents' vectors of other sets; resolves with how many. */
  dropOtherVectors(set: string, limit: number): Promise<number>;
}

type ChangedVectors = DocumentVectors & { readonly change: number };

const HASH_BYTES = 16;
const COMPLETE = 'vectors_complete';

const COLUMNS = ['change', 'rid', 'seq', 'context_hash', 'dimensions', 'hashes', 'vectors'] as const;

const passageVectorStatements = {
  isVersion: statement<{ rid: number; seq: number }, { rid: number }>((p) =>
    engineSql
      .selectFrom('documents')
      .select('rid')
      .where('rid', '=', p.rid)
      .where('seq', '=', p.seq)
      .where('deleted', '=', 0),
  ),
  put: statement<Omit<VectorRow, 'change'> & { set: string }>((p) =>
    engineSql.insertInto('passage_vectors').values({
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
      .where('rid', 'in', listedNumbers(p.rids))
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

function* putVectors({ set, seq, documents }: PutInput): Operation<void> {
  for (const document of documents) {
    const { rid } = document;
    // A version that came meanwhile is still to be read, and a row that was purged never comes back.
    if ((yield* fetchFirst(passageVectorStatements.isVersion, { rid, seq: document.seq })) === undefined) continue;
    yield* execute(passageVectorStatements.drop, { set, rid });
    if (document.hashes.length > 0) yield* execute(passageVectorStatements.put, { set, ...rowOf(document) });
  }
  if (seq > (yield* vectorSeq(set))) yield* writeMeta(seqName(set), String(seq));
}

function* completeVectors(set: string): Operation<void> {
  yield* writeMeta(COMPLETE, set);
}

function* dropOtherVectors(set: string, limit: number): Operation<number> {
  return (yield* execute(passageVectorStatements.dropOthers, { set, limit })).changes;
}

export const passageVectorStore = defineStore<PassageVectorStore>()(
  {
    vectorSeq,
    *readVectors(set, rids) {
      return (yield* fetchAll(passageVectorStatements.read, { set, rids: JSON.stringify(rids) })).map(vectorsOf);
    },
    *vectorsAfter(set, { change, limit }) {
      return (yield* fetchAll(passageVectorStatements.after, { set, change, limit })).map(vectorsOf);
    },
    *vectorRids(set) {
      return (yield* fetchAll(passageVectorStatements.rids, { set })).map(({ rid }) => rid);
    },
    *completeVectorSet() {
      return yield* readMeta(COMPLETE);
    },
  },
  {
    putVectors: (set, { seq, documents }) => putVectors({ set, seq, documents }),
    completeVectors,
    dropOtherVectors,
  },
);

function* vectorSeq(set: string): Operation<number> {
  return Number((yield* readMeta(seqName(set))) ?? '0');
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
