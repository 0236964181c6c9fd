import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { URL_STATES } from '../../core/crawl-words.ts';
import {
  MAX_PENDING_OF_HOST,
  MAX_PENDING_PAGES,
  type PageTemplates,
  type Rechosen,
  rankOfPage,
  SAMPLED_PAGES,
  type TemplateStore,
} from '../template-store.ts';
import type { EngineConnection } from './connection.ts';
import { engineSql } from './dialects.ts';
import { putDocuments } from './documents.ts';
import { folderStatements, putFolderPage } from './folder-pages.ts';
import { findDocumentHead } from './removals.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

const LIVE = URL_STATES.indexOf('live');
/** Hexadecimal digits of a hash. */
const HASH_DIGITS = 16;

type PendingRow = { urlId: number; hostId: number; at: number; sampleSize: number };
type Page = { hostId: number; rank: number; urlId: number };

export const templateStatements = {
  put: statement<Page & { blocks: Uint8Array }>((p) =>
    engineSql.replaceInto('templates').values({ host_id: p.hostId, rank: p.rank, url_id: p.urlId, blocks: p.blocks }),
  ),
  /** The last page that belongs to the sample, when it is full. */
  last: statement<{ hostId: number; before: number }, { rank: number; url_id: number }>((p) =>
    engineSql
      .selectFrom('templates')
      .select(['rank', 'url_id'])
      .where('host_id', '=', p.hostId)
      .orderBy('rank')
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(p.before),
  ),
  dropBeyond: statement<Page>((p) =>
    engineSql
      .deleteFrom('templates')
      .where('host_id', '=', p.hostId)
      .where((row) =>
        row.or([row('rank', '>', p.rank), row.and([row('rank', '=', p.rank), row('url_id', '>', p.urlId)])]),
      ),
  ),
  pages: statement<{ hostId: number }, { url_id: number; blocks: Uint8Array }>((p) =>
    engineSql
      .selectFrom('templates')
      .select(['url_id', 'blocks'])
      .where('host_id', '=', p.hostId)
      .orderBy('rank')
      .orderBy('url_id'),
  ),
  isFull: statement<{ crawlerId: number }, { url_id: number }>((p) =>
    engineSql
      .selectFrom('pending_pages')
      .select('url_id')
      .where('crawler_id', '=', p.crawlerId)
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(sql.lit(MAX_PENDING_PAGES - 1)),
  ),
  isHostFull: statement<{ hostId: number }, { url_id: number }>((p) =>
    engineSql
      .selectFrom('pending_pages')
      .select('url_id')
      .where('host_id', '=', p.hostId)
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(sql.lit(MAX_PENDING_OF_HOST - 1)),
  ),
  keep: statement<PendingRow & { crawlerId: number; source: string; body: Uint8Array }>((p) =>
    engineSql.replaceInto('pending_pages').values({
      url_id: p.urlId,
      crawler_id: p.crawlerId,
      host_id: p.hostId,
      at: p.at,
      sample_size: p.sampleSize,
      source: p.source,
      body: p.body,
    }),
  ),
  dropPending: statement<{ urlId: number }>((p) => engineSql.deleteFrom('pending_pages').where('url_id', '=', p.urlId)),
  listPending: statement<{ crawlerId: number; after: number; limit: number }, PendingRow & { url: string }>((p) =>
    engineSql
      .selectFrom('pending_pages as page')
      .innerJoin('urls', 'urls.id', 'page.url_id')
      .select([
        'page.url_id as urlId',
        'page.host_id as hostId',
        'page.at',
        'page.sample_size as sampleSize',
        'urls.url',
      ])
      .where('page.crawler_id', '=', p.crawlerId)
      .where('page.url_id', '>', p.after)
      .orderBy('page.url_id')
      .limit(p.limit),
  ),
  readPending: statement<{ urlId: number; at: number }, { source: string; body: Uint8Array }>((p) =>
    engineSql
      .selectFrom('pending_pages')
      .select(['source', 'body'])
      .where('url_id', '=', p.urlId)
      .where('at', '=', p.at),
  ),
  count: statement<{ urlId: number; at: number; sampleSize: number }>((p) =>
    engineSql
      .updateTable('pending_pages')
      .set({ sample_size: p.sampleSize })
      .where('url_id', '=', p.urlId)
      .where('at', '=', p.at),
  ),
  changeContent: statement<{ id: number; contentHash: bigint; similarity: bigint; contentChars: number }>((p) =>
    engineSql
      .updateTable('urls')
      .set({ content_hash: p.contentHash, similarity: p.similarity, content_chars: p.contentChars })
      .where('id', '=', p.id)
      .where('state', '=', LIVE),
  ),
};

export function templateStore({ engineId, read, thread }: EngineConnection): TemplateStore {
  return {
    sampledPages: async (hostId) =>
      read
        .allOf(templateStatements.pages, { hostId })
        .map(({ url_id: urlId, blocks }) => ({ urlId, blocks: unpackHashes(blocks) })),
    folderPages: async (hostId) =>
      read
        .allOf(folderStatements.pages, { hostId })
        .map(({ url_id: urlId, folder, blocks }) => ({ urlId, folder, blocks })),
    listPendingPages: async (of) => read.allOf(templateStatements.listPending, of),
    readPendingPage: async ({ urlId, at }) => {
      const row = read.firstOf(templateStatements.readPending, { urlId, at });
      return row && { source: row.source, body: zstdDecompressSync(row.body) };
    },
    rechoose: (input) => thread.engine(engineId, 'rechoose', input),
    dropPendingPages: (urlIds) => thread.engine(engineId, 'dropPendingPages', { urlIds }),
  };
}

type HostKey = { readonly urlId: number; readonly hostId: number; readonly crawlerId: number; readonly now: number };

/** Inside a write that puts a document: what the visit says of the blocks of its page; what was kept of it is void. */
export function putTemplates(db: SqliteDatabase, position: HostKey, templates: PageTemplates | undefined): void {
  const { urlId, hostId, crawlerId, now: at } = position;
  db.runOf(templateStatements.dropPending, { urlId });
  if (templates === undefined) return;
  const { folder, kept } = templates;
  const page = { hostId, rank: rankOfPage(urlId), urlId };
  const blocks = Buffer.from(templates.blocks.join(''), 'hex');
  putSampled(db, page, blocks);
  if (folder !== undefined) putFolderPage(db, { ...page, folder }, blocks);
  if (kept === undefined || hasNoRoom(db, position)) return;
  const { source, sampleSize } = kept;
  db.runOf(templateStatements.keep, {
    urlId,
    crawlerId,
    hostId,
    at,
    sampleSize,
    source,
    body: zstdCompressSync(kept.body),
  });
}

function hasNoRoom(db: SqliteDatabase, { hostId, crawlerId }: HostKey): boolean {
  if (db.firstOf(templateStatements.isHostFull, { hostId }) !== undefined) return true;
  return db.firstOf(templateStatements.isFull, { crawlerId }) !== undefined;
}

function putSampled(db: SqliteDatabase, page: Page, blocks: Uint8Array): void {
  const full = { hostId: page.hostId, before: SAMPLED_PAGES - 1 };
  const last = db.firstOf(templateStatements.last, full);
  const isLate = last !== undefined && (page.rank > last.rank || (page.rank === last.rank && page.urlId > last.url_id));
  if (isLate) return;
  db.runOf(templateStatements.put, { ...page, blocks });
  const end = last && db.firstOf(templateStatements.last, full);
  if (end) db.runOf(templateStatements.dropBeyond, { hostId: page.hostId, rank: end.rank, urlId: end.url_id });
}

/** Write operation. */
export function rechoose(db: SqliteDatabase, input: Rechosen): boolean {
  const { urlId, at, sampleSize, crawlerId, document, contentHash, similarity, contentChars, now } = input;
  if (db.runOf(templateStatements.count, { urlId, at, sampleSize }).changes === 0) return false;
  // What was pushed came after the fetch of the page that is kept.
  if (findDocumentHead(db, crawlerId, document.id)?.origin !== 'crawled') return false;
  const hashes = { contentHash: BigInt(contentHash), similarity: BigInt(similarity) };
  const { changes } = db.runOf(templateStatements.changeContent, { id: urlId, ...hashes, contentChars });
  if (changes === 0) return false;
  putDocuments(db, { crawlerId, documents: [document], at: now });
  return true;
}

/** Write operation. */
export function dropPendingPages(db: SqliteDatabase, { urlIds }: { readonly urlIds: readonly number[] }): void {
  for (const urlId of urlIds) db.runOf(templateStatements.dropPending, { urlId });
}

function unpackHashes(packed: Uint8Array): readonly string[] {
  const digits = Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('hex');
  return Array.from({ length: digits.length / HASH_DIGITS }, (_, at) =>
    digits.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS),
  );
}
