import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { URL_STATES } from '../../../core/crawl-words.ts';
import {
  FOLDER_PAGES,
  MAX_FOLDER_PAGES,
  MAX_PENDING_OF_HOST,
  MAX_PENDING_PAGES,
  type PageTemplates,
  type Rechosen,
  rankOfPage,
  SAMPLED_PAGES,
  type TemplateStore,
} from '../../template-store.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';
import { putDocuments } from './documents.ts';
import { findDocumentHead } from './removals.ts';

const LIVE = URL_STATES.indexOf('live');
/** Hexadecimal digits of a hash. */
const HASH_DIGITS = 16;

type PendingRow = { urlId: number; hostId: number; at: number; sampleSize: number };
type SampledPage = { hostId: number; rank: number; urlId: number };

export const templateStatements = {
  put: statement<SampledPage & { blocks: Uint8Array }>((p) =>
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
  dropBeyond: statement<SampledPage>((p) =>
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

export const templateStore = defineStore<TemplateStore>()(
  {
    *sampledPages(hostId) {
      return (yield* fetchAll(templateStatements.pages, { hostId })).map(({ url_id: urlId, blocks }) => ({
        urlId,
        blocks: unpackHashes(blocks),
      }));
    },
    *folderPages(hostId) {
      return (yield* fetchAll(folderStatements.pages, { hostId })).map(({ url_id: urlId, folder, blocks }) => ({
        urlId,
        folder,
        blocks,
      }));
    },
    *listPendingPages(of) {
      return yield* fetchAll(templateStatements.listPending, of);
    },
    *readPendingPage({ urlId, at }) {
      const row = yield* fetchFirst(templateStatements.readPending, { urlId, at });
      return row && { source: row.source, body: zstdDecompressSync(row.body) };
    },
  },
  {
    rechoose,
    dropPendingPages,
  },
);

type HostKey = { readonly urlId: number; readonly hostId: number; readonly crawlerId: number; readonly now: number };

/** Inside a write that puts a document: what the visit says of the blocks of its page; what was kept of it is void. */
export function* putTemplates(position: HostKey, templates: PageTemplates | undefined): Operation<void> {
  const { urlId, hostId, crawlerId, now: at } = position;
  yield* execute(templateStatements.dropPending, { urlId });
  if (templates === undefined) return;
  const { folder, kept } = templates;
  const page = { hostId, rank: rankOfPage(urlId), urlId };
  const blocks = Buffer.from(templates.blocks.join(''), 'hex');
  yield* putSampled(page, blocks);
  if (folder !== undefined) yield* putFolderPage({ ...page, folder }, blocks);
  if (kept === undefined || (yield* hasNoRoom(position))) return;
  const { source, sampleSize } = kept;
  yield* execute(templateStatements.keep, {
    urlId,
    crawlerId,
    hostId,
    at,
    sampleSize,
    source,
    body: zstdCompressSync(kept.body),
  });
}

function* hasNoRoom({ hostId, crawlerId }: HostKey): Operation<boolean> {
  if ((yield* fetchFirst(templateStatements.isHostFull, { hostId })) !== undefined) return true;
  return (yield* fetchFirst(templateStatements.isFull, { crawlerId })) !== undefined;
}

function* putSampled(page: SampledPage, blocks: Uint8Array): Operation<void> {
  const full = { hostId: page.hostId, before: SAMPLED_PAGES - 1 };
  const last = yield* fetchFirst(templateStatements.last, full);
  const isLate = last !== undefined && (page.rank > last.rank || (page.rank === last.rank && page.urlId > last.url_id));
  if (isLate) return;
  yield* execute(templateStatements.put, { ...page, blocks });
  const end = last && (yield* fetchFirst(templateStatements.last, full));
  if (end) yield* execute(templateStatements.dropBeyond, { hostId: page.hostId, rank: end.rank, urlId: end.url_id });
}

/** Write operation. */
export function* rechoose(input: Rechosen): Operation<boolean> {
  const { urlId, at, sampleSize, crawlerId, document, contentHash, similarity, contentChars, now } = input;
  if ((yield* execute(templateStatements.count, { urlId, at, sampleSize })).changes === 0) return false;
  // What was pushed came after the fetch of the page that is kept.
  if ((yield* findDocumentHead(crawlerId, document.id))?.origin !== 'crawled') return false;
  const hashes = { contentHash: BigInt(contentHash), similarity: BigInt(similarity) };
  const { changes } = yield* execute(templateStatements.changeContent, { id: urlId, ...hashes, contentChars });
  if (changes === 0) return false;
  yield* putDocuments(crawlerId, [document], now);
  return true;
}

/** Write operation. */
export function* dropPendingPages(urlIds: readonly number[]): Operation<void> {
  for (const urlId of urlIds) yield* execute(templateStatements.dropPending, { urlId });
}

function unpackHashes(packed: Uint8Array): readonly string[] {
  const digits = Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('hex');
  return Array.from({ length: digits.length / HASH_DIGITS }, (_, at) =>
    digits.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS),
  );
}

type FolderKey = { readonly rank: number; readonly url_id: number };
type FolderPage = { readonly hostId: number; readonly folder: string; readonly rank: number; readonly urlId: number };

export const folderStatements = {
  put: statement<FolderPage & { blocks: Uint8Array }>((p) =>
    engineSql
      .replaceInto('folder_pages')
      .values({ host_id: p.hostId, folder: p.folder, rank: p.rank, url_id: p.urlId, blocks: p.blocks }),
  ),
  /** The last page that belongs to the sample of the folder, when it is full. */
  lastOfFolder: statement<{ hostId: number; folder: string }, FolderKey>((p) =>
    engineSql
      .selectFrom('folder_pages')
      .select(['rank', 'url_id'])
      .where('host_id', '=', p.hostId)
      .where('folder', '=', p.folder)
      .orderBy('rank')
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(sql.lit(FOLDER_PAGES - 1)),
  ),
  /** The last page that has room in the host, when it is full. */
  lastOfHost: statement<{ hostId: number }, FolderKey>((p) =>
    engineSql
      .selectFrom('folder_pages')
      .select(['rank', 'url_id'])
      .where('host_id', '=', p.hostId)
      .orderBy('rank')
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(sql.lit(MAX_FOLDER_PAGES - 1)),
  ),
  dropBeyondInFolder: statement<FolderPage>((p) =>
    engineSql
      .deleteFrom('folder_pages')
      .where('host_id', '=', p.hostId)
      .where('folder', '=', p.folder)
      .where((row) =>
        row.or([row('rank', '>', p.rank), row.and([row('rank', '=', p.rank), row('url_id', '>', p.urlId)])]),
      ),
  ),
  dropBeyondInHost: statement<Omit<FolderPage, 'folder'>>((p) =>
    engineSql
      .deleteFrom('folder_pages')
      .where('host_id', '=', p.hostId)
      .where((row) =>
        row.or([row('rank', '>', p.rank), row.and([row('rank', '=', p.rank), row('url_id', '>', p.urlId)])]),
      ),
  ),
  pages: statement<{ hostId: number }, { folder: string; url_id: number; blocks: Uint8Array }>((p) =>
    engineSql
      .selectFrom('folder_pages')
      .select(['folder', 'url_id', 'blocks'])
      .where('host_id', '=', p.hostId)
      .orderBy('folder')
      .orderBy('rank')
      .orderBy('url_id'),
  ),
};

/** Inside a write: the page is one of those that are known of its folder, unless enough of lower rank are. */
function* putFolderPage(page: FolderPage, blocks: Uint8Array): Operation<void> {
  const isLate = (last: FolderKey | undefined) =>
    last !== undefined && (page.rank > last.rank || (page.rank === last.rank && page.urlId > last.url_id));
  const inFolder = yield* fetchFirst(folderStatements.lastOfFolder, page);
  if (isLate(inFolder)) return;
  const inHost = yield* fetchFirst(folderStatements.lastOfHost, page);
  if (isLate(inHost)) return;
  yield* execute(folderStatements.put, { ...page, blocks });
  const { hostId, folder } = page;
  const endOfFolder = inFolder && (yield* fetchFirst(folderStatements.lastOfFolder, page));
  if (endOfFolder) {
    const { rank, url_id: urlId } = endOfFolder;
    yield* execute(folderStatements.dropBeyondInFolder, { hostId, folder, rank, urlId });
  }
  const endOfHost = inHost && (yield* fetchFirst(folderStatements.lastOfHost, page));
  if (endOfHost) {
    const { rank, url_id: urlId } = endOfHost;
    yield* execute(folderStatements.dropBeyondInHost, { hostId, rank, urlId });
  }
}
