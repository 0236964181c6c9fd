import { sql } from 'kysely';
import type { StoredDocument } from '../../../core/document.ts';
import { type DamagedDocuments, type DocumentStore, INDEX_WORKS } from '../../document-store.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation, type OperationsOf } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';
import { type DocumentRow, decodeDocument, isDamaged, markOf } from './document-rows.ts';
import {
  countLive,
  deleteCrawlerDocuments,
  deleteDocuments,
  deleteMatching,
  lastSeq,
  patchDocuments,
  purgeDeleted,
  putDocuments,
} from './documents.ts';

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

/** The operations behind `DocumentStore`; what publishes an index (`claimGeneration`) is the adapter's. */
export function documentStore(onDamaged: OnDamaged) {
  const decode = (row: DocumentRow): StoredDocument => {
    const document = decodeDocument(row);
    if (document.damaged) onDamaged(document);
    return document;
  };
  const whole = (row: DocumentRow): StoredDocument | undefined => {
    const document = decode(row);
    return document.damaged ? undefined : document;
  };
  return defineStore<Omit<DocumentStore, 'claimGeneration'>>()(
    {
      readDocuments: (rids) => readByRid(rids, whole),
      *findDocument(crawlerId, id) {
        const row = live().where('crawler_id', '=', crawlerId).where('id', '=', id);
        const found = yield* fetchFirst(row.$castTo<DocumentRow>());
        return found === undefined ? undefined : whole(found);
      },
      *listDocuments({ crawlerId, after, limit }) {
        const page = live()
          .where('rid', '>', after)
          .$if(crawlerId !== undefined, (query) => query.where('crawler_id', '=', crawlerId ?? 0))
          .orderBy('rid')
          .limit(limit);
        return (yield* fetchAll(page.$castTo<DocumentRow>())).map(decode);
      },
      damagedDocuments,
      countDocuments: countLive,
      changesAfter: (seq, limit) => changesAfter(seq, { ...limit, decode }),
      *liveRids(after, limit) {
        return (yield* fetchAll(liveRids, { after, limit })).map(({ rid }) => rid);
      },
      lastSeq,
      markOf,
      indexGeneration,
      *indexWork() {
        const asked = yield* readMeta('index_work');
        return INDEX_WORKS.find((work) => work === asked);
      },
    },
    documentWrites,
  );
}

export const documentWrites = {
  putDocuments,
  patchDocuments: (crawlerId, input, at) => patchDocuments({ ...input, crawlerId, at }),
  deleteDocuments,
  deleteMatching: (crawlerId, input, at) => deleteMatching({ ...input, crawlerId, at }),
  deleteCrawlerDocuments,
  askIndexWork,
  endIndexWork,
  purgeDeleted,
} satisfies Partial<OperationsOf<DocumentStore>>;

function live() {
  return engineSql.selectFrom('documents').selectAll().where('deleted', '=', 0);
}

function* readByRid(
  rids: readonly number[],
  decode: (row: DocumentRow) => StoredDocument | undefined,
): Operation<readonly (StoredDocument | undefined)[]> {
  if (rids.length === 0) return [];
  const rows = yield* fetchAll(liveByRid, { rids: JSON.stringify(rids) });
  const found = new Map(rows.map((row) => [row.rid, decode(row)]));
  return rids.map((rid) => found.get(rid));
}

type ChangesLimit = {
  readonly rows: number;
  readonly bytes: number;
  readonly decode: (row: DocumentRow) => StoredDocument;
};

/** Latest states above `seq`, at least one whole write, then whole writes until a limit is reached. */
function* changesAfter(seq: number, limit: ChangesLimit): Operation<readonly StoredDocument[]> {
  const page = createChangesPage(limit);
  for (let after = seq; ; ) {
    const rows = yield* fetchAll(changes, { after, limit: CHANGE_STEP });
    if (!rows.every(page.add) || rows.length < CHANGE_STEP) return page.documents;
    after = rows.at(-1)?.seq ?? after;
  }
}

function createChangesPage(limit: ChangesLimit) {
  const documents: StoredDocument[] = [];
  let bytes = 0;
  let boundarySeq = Number.MAX_SAFE_INTEGER;
  return {
    documents,
    /** False for a row behind the last write that the page takes. */
    add: (row: DocumentRow): boolean => {
      if (row.seq > boundarySeq) return false;
      const document = limit.decode(row);
      documents.push(document.damaged ? { ...document, deleted: true } : document);
      bytes += (row.fields?.length ?? 0) + (row.structure?.length ?? 0);
      // The first row that reaches a limit sets the border: the end of its own write.
      if (documents.length >= limit.rows || bytes >= limit.bytes) boundarySeq = Math.min(boundarySeq, row.write_seq);
      return true;
    },
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
export function* noteDamaged({ rid }: { readonly rid: number }): Operation<void> {
  const all = yield* fetchAll(noted, { limit: MAX_NOTED });
  const damaged = new Set((yield* damagedRows()).map((row) => row.rid));
  for (const known of all) if (!damaged.has(known.rid)) yield* execute(forget, { rid: known.rid });
  if (damaged.size < MAX_NOTED) yield* execute(note, { rid });
}

function* damagedDocuments(): Operation<DamagedDocuments> {
  const rows = yield* damagedRows();
  const first = rows.slice(0, FIRST).map(({ rid, crawler_id: crawlerId, id }) => ({ rid, crawlerId, id }));
  return { count: rows.length, first };
}

/** Of those that are remembered; a row that was written again since is whole. */
function* damagedRows(): Operation<readonly DocumentRow[]> {
  const damaged: DocumentRow[] = [];
  for (const { rid } of yield* fetchAll(noted, { limit: MAX_NOTED })) {
    const row = yield* fetchFirst(rowOf, { rid });
    if (row !== undefined && isDamaged(row)) damaged.push(row);
  }
  return damaged;
}

/** Compare and set on the stored generation of the index. */
export function* setGeneration(expected: number, next: number): Operation<boolean> {
  if ((yield* indexGeneration()) !== expected) return false;
  yield* writeMeta('index_generation', String(next));
  return true;
}

function* indexGeneration(): Operation<number> {
  return Number((yield* readMeta('index_generation')) ?? '0');
}

function* askIndexWork(work: string): Operation<void> {
  yield* writeMeta('index_work', work);
}

function* endIndexWork(work: string): Operation<void> {
  if ((yield* readMeta('index_work')) === work) yield* writeMeta('index_work', '');
}
