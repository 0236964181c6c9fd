import { sql } from 'kysely';
import type { StoredDocument } from '../../../core/document.ts';
import { type DamagedDocuments, type DocumentStore, INDEX_WORKS } from '../../document-store.ts';
import { readMeta } from '../meta.ts';
import { openForWriting, type SqliteDatabase } from '../sqlite-database.ts';
import { engineSql, statement } from '../statement.ts';
import type { EngineConnection } from '../write-thread.ts';
import { type DocumentRow, decodeDocument, isDamaged, markOf } from './document-rows.ts';
import { countLive, lastSeq, setGeneration } from './documents.ts';

/** Rows that a reader of changes takes at once, so that the byte limit is looked at often enough. */
const CHANGE_STEP = 200;

const changes = statement<{ after: number; limit: number }, DocumentRow>(({ after, limit }) =>
  engineSql
    .selectFrom('documents')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .$castTo<DocumentRow>(),
);

/** `rids` as JSON: one statement, compiled once, however many there are. */
const liveByRid = statement<{ rids: string }, DocumentRow>(({ rids }) =>
  engineSql
    .selectFrom('documents')
    .selectAll()
    .where('deleted', '=', 0)
    .where('rid', 'in', sql<number>`(SELECT value FROM json_each(${rids}))`)
    .$castTo<DocumentRow>(),
);

const liveRids = statement<{ after: number; limit: number }, { rid: number }>(({ after, limit }) =>
  engineSql
    .selectFrom('documents')
    .select('rid')
    .where('rid', '>', after)
    .where('deleted', '=', 0)
    .orderBy('rid')
    .limit(limit)
    .$castTo<{ rid: number }>(),
);

/** Told of each row that is met damaged. */
type OnDamaged = (document: StoredDocument) => void;

/** The document part of an engine's store: reads on this thread, writes on the write thread. Owner closes. */
export function documentStore(
  connection: EngineConnection,
  { path, onDamaged }: { readonly path: string; readonly onDamaged: OnDamaged },
): DocumentStore & { closeClaims(): void } {
  const { engineId, read, thread } = connection;
  const claims = generationClaims(path);
  const decode = (row: DocumentRow): StoredDocument => {
    const document = decodeDocument(row);
    if (document.damaged) onDamaged(document);
    return document;
  };
  const whole = (row: DocumentRow): StoredDocument | undefined => {
    const document = decode(row);
    return document.damaged ? undefined : document;
  };
  return {
    putDocuments: (crawlerId, documents, at) => thread.engine(engineId, 'putDocuments', { crawlerId, documents, at }),
    patchDocuments: (crawlerId, input, at) => thread.engine(engineId, 'patchDocuments', { ...input, crawlerId, at }),
    deleteDocuments: (crawlerId, ids, at) => thread.engine(engineId, 'deleteDocuments', { crawlerId, ids, at }),
    deleteMatching: (crawlerId, input, at) => thread.engine(engineId, 'deleteMatching', { ...input, crawlerId, at }),
    deleteCrawlerDocuments: (crawlerId, limit, at) =>
      thread.engine(engineId, 'deleteCrawlerDocuments', { crawlerId, limit, at }),
    readDocuments: async (rids) => readByRid(read, rids, whole),
    findDocument: async (crawlerId, id) => {
      const row = live().where('crawler_id', '=', crawlerId).where('id', '=', id);
      const found = read.first(row.$castTo<DocumentRow>().compile());
      return found === undefined ? undefined : whole(found);
    },
    listDocuments: async ({ crawlerId, after, limit }) => {
      const page = live()
        .where('rid', '>', after)
        .$if(crawlerId !== undefined, (query) => query.where('crawler_id', '=', crawlerId ?? 0))
        .orderBy('rid')
        .limit(limit);
      return read.all(page.$castTo<DocumentRow>().compile()).map(decode);
    },
    damagedDocuments: async () => damagedDocuments(read),
    countDocuments: async (crawlerId) => countLive(read, crawlerId),
    changesAfter: async (seq, limit) => changesAfter(read, seq, { ...limit, decode }),
    liveRids: async (after, limit) => read.allOf(liveRids, { after, limit }).map(({ rid }) => rid),
    lastSeq: async () => lastSeq(read),
    markOf: async (seq) => markOf(read, seq),
    indexGeneration: async () => Number(readMeta(read, 'index_generation') ?? '0'),
    claimGeneration: claims.claim,
    askIndexWork: (work) => thread.engine(engineId, 'askIndexWork', { work }),
    indexWork: async () => INDEX_WORKS.find((work) => work === readMeta(read, 'index_work')),
    endIndexWork: (work) => thread.engine(engineId, 'endIndexWork', { work }),
    purgeDeleted: (seq, limit) => thread.engine(engineId, 'purgeDeleted', { seq, limit }),
    closeClaims: claims.close,
  };
}

function live() {
  return engineSql.selectFrom('documents').selectAll().where('deleted', '=', 0);
}

function readByRid(
  read: SqliteDatabase,
  rids: readonly number[],
  decode: (row: DocumentRow) => StoredDocument | undefined,
): readonly (StoredDocument | undefined)[] {
  if (rids.length === 0) return [];
  const rows = read.allOf(liveByRid, { rids: JSON.stringify(rids) });
  const found = new Map(rows.map((row) => [row.rid, decode(row)]));
  return rids.map((rid) => found.get(rid));
}

/** Latest states above `seq`, at least one whole write, then whole writes until a limit is reached. */
function changesAfter(
  read: SqliteDatabase,
  seq: number,
  limit: { readonly rows: number; readonly bytes: number; readonly decode: (row: DocumentRow) => StoredDocument },
): readonly StoredDocument[] {
  const result: StoredDocument[] = [];
  let bytes = 0;
  let boundarySeq = Number.MAX_SAFE_INTEGER;
  for (const row of changedRows(read, seq)) {
    if (row.seq > boundarySeq) break;
    const document = limit.decode(row);
    result.push(document.damaged ? { ...document, deleted: true } : document);
    bytes += (row.fields?.length ?? 0) + (row.structure?.length ?? 0);
    // The first row that reaches a limit sets the border: the end of its own write.
    if (result.length >= limit.rows || bytes >= limit.bytes) boundarySeq = Math.min(boundarySeq, row.write_seq);
  }
  return result;
}

function* changedRows(read: SqliteDatabase, seq: number): Generator<DocumentRow> {
  let after = seq;
  for (;;) {
    const rows = read.allOf(changes, { after, limit: CHANGE_STEP });
    yield* rows;
    if (rows.length < CHANGE_STEP) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/**
 * Claims hold the store's write lock while the index publishes, so that no other writer can publish at the same
 * time. A connection of their own: publishing awaits the file system, which the write thread never does.
 */
function generationClaims(path: string) {
  let connection: SqliteDatabase | undefined;
  return {
    claim: async (expected: number, next: number, publish: () => Promise<void>): Promise<boolean> => {
      connection ??= openForWriting(path);
      const db = connection;
      db.execute('BEGIN IMMEDIATE');
      try {
        const claimed = setGeneration(db, { expected, next });
        if (claimed) await publish();
        db.execute('COMMIT');
        return claimed;
      } catch (error) {
        if (db.isInTransaction()) db.execute('ROLLBACK');
        throw error;
      }
    },
    close: () => connection?.close(),
  };
}

/** Rows that are remembered: a store with more is to be restored. */
const MAX_NOTED = 1_000;
const FIRST = 10;

const note = statement<{ rid: number }>(({ rid }) =>
  engineSql
    .insertInto('damaged_documents')
    .values({ rid })
    .onConflict((conflict) => conflict.doNothing()),
);
const forget = statement<{ rid: number }>(({ rid }) =>
  engineSql.deleteFrom('damaged_documents').where('rid', '=', rid).$castTo<never>(),
);
const noted = statement<{ limit: number }, { rid: number }>(({ limit }) =>
  engineSql.selectFrom('damaged_documents').select('rid').orderBy('rid').limit(limit),
);
const rowOf = statement<{ rid: number }, DocumentRow>(({ rid }) =>
  engineSql.selectFrom('documents').selectAll().where('rid', '=', rid).where('deleted', '=', 0).$castTo<DocumentRow>(),
);

/** Write operation: remembers a damaged row, and forgets those that are whole again or gone. */
export function noteDamaged(db: SqliteDatabase, { rid }: { readonly rid: number }): void {
  const all = db.allOf(noted, { limit: MAX_NOTED });
  const damaged = new Set(damagedRows(db).map((row) => row.rid));
  for (const known of all) if (!damaged.has(known.rid)) db.runOf(forget, { rid: known.rid });
  if (damaged.size < MAX_NOTED) db.runOf(note, { rid });
}

function damagedDocuments(db: SqliteDatabase): DamagedDocuments {
  const rows = damagedRows(db);
  const first = rows.slice(0, FIRST).map(({ rid, crawler_id: crawlerId, id }) => ({ rid, crawlerId, id }));
  return { count: rows.length, first };
}

/** Of those that are remembered; a row that was written again since is whole. */
function damagedRows(db: SqliteDatabase): readonly DocumentRow[] {
  return db.allOf(noted, { limit: MAX_NOTED }).flatMap(({ rid }) => {
    const row = db.firstOf(rowOf, { rid });
    return row !== undefined && isDamaged(row) ? [row] : [];
  });
}
