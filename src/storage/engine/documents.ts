import { type DocumentPatch, firstValue, type NewDocument, type StoredDocument } from '../../core/document.ts';
import type { FieldType } from '../../core/field-values.ts';
import type { FilterNode } from '../../core/filters.ts';
import { listedNumbers } from '../sql/dialect.ts';
import { readMeta, writeMeta } from '../sql/meta.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation, type OperationsOf } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { type DocumentRow, decodeDocument, decodeLinkTexts, isDamaged, markOf } from './document-rows.ts';
import {
  countLive,
  countLiveByCrawler,
  deleteCrawlerDocuments,
  deleteDocuments,
  deleteMatching,
  lastSeq,
  purgeDeleted,
} from './document-writes.ts';
import { sharedTitleHashes } from './head-titles.ts';
import { patchDocuments, putDocuments } from './put-documents.ts';

export type PutOutcome = 'created' | 'replaced' | 'same';
export type PatchOutcome = 'updated' | 'same' | 'missing' | 'too-large';
export type DeleteOutcome = 'deleted' | 'missing';

/** What an operator asks of the index: to be made anew, or to go back to what the last rebuild replaced. */
export const INDEX_WORKS = ['rebuild', 'rollback'] as const;
type IndexWork = (typeof INDEX_WORKS)[number];

/** At most 1,000 are counted. */
type DamagedDocuments = {
  readonly count: number;
  readonly first: readonly { readonly rid: number; readonly crawlerId: number; readonly id: string }[];
};

export type SharedTitles = {
  readonly documents: number;
  /** Those of most documents first. */
  readonly titles: readonly { readonly title: string; readonly documents: number }[];
};

/** `seq` = the store's last number after the write: visible when the index has reached it. */
export type WriteReceipt<Outcome> = { readonly seq: number; readonly rows: readonly Outcome[] };

/**
 * Part of the port `EngineStore`: the documents of one engine. Promises:
 * 1. a write resolves after its commit is on disk; it is all or nothing; an error means nothing changed;
 * 2. every changed document takes a `seq` above all earlier ones, in commit order: a reader that has seen n never
 *    later meets a change ≤ n;
 * 3. a write that changes nothing (same kind, language, fields, structure) takes no `seq` and reports `same`;
 * 4. `changesAfter` returns each document's latest state with the texts of links that it was told of, once, ascending by
 *    `seq`, deletions included; it stops at
 *    either limit, but never inside one write (`writeSeq`) and never at nothing while changes exist;
 * 5. `rid` is stable over replacement and never given to another document, also after removal of the row;
 * 6. ids and field names are compared byte for byte; the same id under two crawlers is two documents; values come
 *    back exactly as written, in order;
 * 7. within one call the same id twice is applied in order; the last wins; every row is reported;
 * 8. a deletion drops fields and structure at once; its row stays until `purgeDeleted`;
 * 9. `deleteMatching` decides on the state at its commit: candidates unchanged since `candidates.seq` are deleted
 *    as given, documents changed later are judged by the filter; all or nothing;
 * 10. `claimGeneration` runs `publish` only while the stored generation is `expected`, and stores `next` with it;
 *     two writers never both succeed;
 * 11. reads never wait for writes;
 * 12. removing a crawler's documents deletes all of them in steps, each step with its own `seq`;
 * 13. `liveRids` lists the rows that are not deleted, ascending after a rid, up to a limit;
 * 14. work that is asked of the index stays asked until `endIndexWork`, also over a restart; the last request counts.
 *     Where each machine has an index of its own it is asked of each of them;
 * 15. `markOf` tells a random number of the write that took a `seq`, the same whatever became of its documents: a store
 *     that was taken back and written to again has others. Undefined above the last `seq`; those of changes that
 *     the index has passed long ago may be another's;
 * 16. a row that is not what was written costs its own document only: reads by rid and id leave it out, `listDocuments`
 *     shows it without content, `changesAfter` gives it as deleted. It is logged once, and counted by
 *     `damagedDocuments` until it is written again or deleted;
 * 17. `sharedTitles` counts the live documents whose title another one of the crawler has, case aside, and names the
 *     titles of most documents; documents that were last written before titles were counted are left out;
 * 18. from `startProjection` on `purgeDeleted` leaves what this machine's index has not passed. One that nobody has
 *     written for a day holds up nothing: it learns from `indexGeneration` that it is not the latest.
 */
export interface DocumentStore {
  putDocuments(
    crawlerId: number,
    documents: readonly NewDocument[],
    at: number,
  ): Promise<WriteReceipt<PutOutcome> & { readonly kinds: readonly StoredDocument['kind'][] }>;
  patchDocuments(
    crawlerId: number,
    input: PatchInput,
    at: number,
  ): Promise<WriteReceipt<PatchOutcome> & { readonly kinds: readonly (StoredDocument['kind'] | undefined)[] }>;
  /** `kinds` = what each deleted document was. */
  deleteDocuments(
    crawlerId: number,
    ids: readonly string[],
    at: number,
  ): Promise<WriteReceipt<DeleteOutcome> & { readonly kinds: readonly (StoredDocument['kind'] | undefined)[] }>;
  deleteMatching(crawlerId: number, input: DeleteMatching, at: number): Promise<{ seq: number; deleted: number }>;
  /** Deletes up to `limit` documents of a crawler; resolves with how many. */
  deleteCrawlerDocuments(crawlerId: number, limit: number, at: number): Promise<number>;
  /** In the order asked; undefined for rows that are gone or deleted. */
  readDocuments(rids: readonly number[]): Promise<readonly (StoredDocument | undefined)[]>;
  findDocument(crawlerId: number, id: string): Promise<StoredDocument | undefined>;
  /** Live documents of a crawler, or of all, ascending by rid after `after`. */
  listDocuments(of: { crawlerId?: number; after: number; limit: number }): Promise<readonly StoredDocument[]>;
  /** Those that were read since they were damaged. */
  damagedDocuments(): Promise<DamagedDocuments>;
  countDocuments(crawlerId?: number): Promise<number>;
  /** Of the crawlers that have some. */
  countDocumentsByCrawler(): Promise<ReadonlyMap<number, number>>;
  sharedTitles(of: { crawlerId: number; limit: number }): Promise<SharedTitles>;
  changesAfter(seq: number, limit: { rows: number; bytes: number }): Promise<readonly StoredDocument[]>;
  liveRids(after: number, limit: number): Promise<readonly number[]>;
  lastSeq(): Promise<number>;
  markOf(seq: number): Promise<number | undefined>;
  /** To be called before the index reads changes. */
  startProjection(): Promise<void>;
  indexGeneration(): Promise<number>;
  claimGeneration(expected: number, next: number, publish: () => Promise<void>): Promise<boolean>;
  askIndexWork(work: IndexWork): Promise<void>;
  indexWork(): Promise<IndexWork | undefined>;
  /** Nothing when something else has been asked since. */
  endIndexWork(work: IndexWork): Promise<void>;
  /**
   * Told that this machine's index has passed `seq`. Removes rows of deleted documents up to there, as far as all other
   * indexes have come; at most `limit`; resolves with how many.
   */
  purgeDeleted(seq: number, limit: number): Promise<number>;
}

/** A document whose text (UTF-8 bytes of all values) would grow over the limit stays as it was: `too-large`. */
export type PatchInput = { readonly patches: readonly DocumentPatch[]; readonly maxTextBytes: number };

export type DeleteMatching = {
  /** What the index says matches at `seq`. */
  readonly candidates: { readonly seq: number; readonly rids: Uint32Array };
  /** Judges documents that changed after `candidates.seq`; `types` = the fields' types at that time. */
  readonly filter: FilterNode;
  readonly types: ReadonlyMap<string, FieldType>;
};

/** Rows that a reader of changes takes at once, so that the byte limit is looked at often enough. */
const CHANGE_STEP = 200;

/** With what it was told of the texts of links to it. */
type ChangedRow = DocumentRow & { readonly link_texts: string | null };

const changes = statement<{ after: number; limit: number }, ChangedRow>(({ after, limit }) =>
  engineSql
    .selectFrom('documents')
    .leftJoin('document_link_texts', 'document_link_texts.rid', 'documents.rid')
    .selectAll('documents')
    .select('document_link_texts.texts as link_texts')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .$castTo<ChangedRow>(),
);

/** `rids` as JSON: one statement, compiled once, however many there are. */
const liveByRid = statement<{ rids: string }, DocumentRow>(({ rids }) =>
  engineSql
    .selectFrom('documents')
    .selectAll()
    .where('deleted', '=', 0)
    .where('rid', 'in', listedNumbers(rids))
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

/** By title: how many live documents of a crawler have it. Reads an index alone. */
function titleCounts(crawlerId: number) {
  return sharedTitleHashes(crawlerId).select((row) => [
    row.fn.countAll<number>().as('count'),
    row.fn.min<number>('rid').as('rid'),
  ]);
}

const mostShared = statement<{ crawlerId: number; limit: number }, { count: number; rid: number }>((p) =>
  titleCounts(p.crawlerId).orderBy('count', 'desc').orderBy('rid').limit(p.limit),
);

const countSharing = statement<{ crawlerId: number }, { documents: number | null }>((p) =>
  engineSql
    .selectFrom(titleCounts(p.crawlerId).as('shared'))
    .select((row) => row.fn.sum<number>('count').as('documents')),
);

function titleOf(document: StoredDocument | undefined): string {
  return document === undefined ? '' : firstValue(document.fields, 'Title');
}

/** Told of each row that is met damaged. */
type OnDamaged = (document: StoredDocument) => void;

/** The operations behind `DocumentStore`; what an index of this machine is (`startProjection`, `claimGeneration`) is the adapter's. */
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
  return defineStore<Omit<DocumentStore, 'startProjection' | 'claimGeneration'>>()(
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
      countDocumentsByCrawler: countLiveByCrawler,
      *sharedTitles({ crawlerId, limit }) {
        const documents = (yield* fetchFirst(countSharing, { crawlerId }))?.documents ?? 0;
        const shared = yield* fetchAll(mostShared, { crawlerId, limit });
        const named = yield* readByRid(
          shared.map(({ rid }) => rid),
          whole,
        );
        const titles = shared.map(({ count }, at) => ({ title: titleOf(named[at]), documents: count }));
        return { documents, titles: titles.filter(({ title }) => title !== '') };
      },
      changesAfter: (seq, limit) => changesAfter(seq, { ...limit, decode }),
      *liveRids(after, limit) {
        return (yield* fetchAll(liveRids, { after, limit })).map(({ rid }) => rid);
      },
      lastSeq,
      markOf,
      indexGeneration,
      *indexWork() {
        const rawRequest = yield* readMeta('index_work');
        return INDEX_WORKS.find((work) => work === rawRequest);
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
    add: (row: ChangedRow): boolean => {
      if (row.seq > boundarySeq) return false;
      const linkTexts = row.link_texts === null ? undefined : decodeLinkTexts(row.link_texts);
      const document = { ...limit.decode(row), ...(linkTexts !== undefined && { linkTexts }) };
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
