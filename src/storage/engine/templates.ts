import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { URL_STATES } from '../../core/crawl-words.ts';
import type { NewDocument } from '../../core/document.ts';
import {
  all,
  defineStore,
  execute,
  fetchAll,
  fetchFirst,
  fetchFirstOfEach,
  mapTogether,
  type Operation,
  submit,
} from '../sql/operation.ts';
import { engineSql, type Parameters, statement } from '../sql/statement.ts';
import { findDocumentHead } from './apply-removals.ts';
import {
  type BlocksOfPage,
  type FolderBlocks,
  folderStatements,
  isBehind,
  mayOverflow,
  putFolderPages,
} from './folder-pages.ts';
import { applyPuts, preparePuts } from './put-documents.ts';

/**
 * Part of the port `EngineStore`: blocks, titles, headings, crumbs and images of the pages of a host as hashes, by which
 * what its templates repeat is told from what its pages say. Promises:
 * 1. at most `SAMPLED_PAGES` pages of a host are known, those of the lowest ranks (`rankOfPage`) of all that were
 *    recorded, in whatever order; a visit replaces what is known of its page;
 * 2. of each folder at most `FOLDER_PAGES` pages are known and of all folders of a host `MAX_FOLDER_PAGES`, those of
 *    the lowest ranks again;
 * 3. blocks are recorded with the document of their visit, or not at all;
 * 4. a page whose text was chosen while few others were known is kept until it is dropped, at most `MAX_PENDING_PAGES`
 *    per crawler and `MAX_PENDING_OF_HOST` per host; a visit replaces or drops it;
 * 5. `rechoose` changes document and URL record together, unless the page was visited since, has left or was
 *    pushed; a document that stays the same takes no `seq`.
 */
export interface TemplateStore {
  /** What is known of pages of the hosts, by place. */
  templatesOf(hostIds: readonly number[]): Promise<readonly HostTemplatePages[]>;
  /** Pages of a crawler that are kept, ascending by id after `after`. */
  listPendingPages(of: { crawlerId: number; after: number; limit: number }): Promise<readonly PendingPage[]>;
  /** By place; undefined: it was replaced or dropped meanwhile, or its bytes are damaged. */
  readPendingPages(pages: readonly Pick<PendingPage, 'urlId' | 'at'>[]): Promise<readonly (PageBytes | undefined)[]>;
  /** Pages of one crawler, by place: false when nothing was changed. */
  rechoose(input: Rechoose): Promise<readonly boolean[]>;
  dropPendingPages(urlIds: readonly number[]): Promise<void>;
}

/** Pages of a host whose blocks are known: shares of a random 64 are exact to 6 points (one standard deviation). */
export const SAMPLED_PAGES = 64;
export const MAX_PENDING_PAGES = 4_000;
/** The rest of the room is for other hosts. */
export const MAX_PENDING_OF_HOST = 3_000;

/** Place of a page in the random order of its host: 32 bits. */
export function rankOfPage(urlId: number): number {
  let hash = Math.imul(urlId ^ (urlId >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes of 64 bits as 16 hexadecimal digits. */
export type SampledPage = { readonly urlId: number; readonly blocks: readonly string[] };

/** A page of a folder; `blocks` = their hashes, 8 bytes each. */
export type FolderPage = { readonly urlId: number; readonly folder: string; readonly blocks: Uint8Array };

export type HostTemplatePages = {
  /** In order of their ranks. */
  readonly sampled: readonly SampledPage[];
  /** By folder, and within it in order of their ranks. */
  readonly inFolders: readonly FolderPage[];
};

/** A page as it came, and what else its reader was told, as the caller writes it. */
export type PageBytes = { readonly source: string; readonly body: Uint8Array };

/** What a visit says of its page for others of the host. */
export type PageTemplates = {
  /** Hashes of its blocks, and of its texts by their roles. */
  readonly blocks: readonly string[];
  /** Where it is one of the pages that are known of a folder; undefined = nowhere. */
  readonly folder: string | undefined;
  /** The page itself, when so few `voters` were known that its text is to be chosen again. */
  readonly kept: (PageBytes & { readonly sampleSize: number }) | undefined;
};

export type PendingPage = {
  readonly urlId: number;
  readonly hostId: number;
  readonly url: string;
  /** When it was recorded. */
  readonly at: number;
  /** Known pages of its host and its folders when its text was chosen last. */
  readonly sampleSize: number;
};

type Rechosen = Pick<PendingPage, 'urlId' | 'at' | 'sampleSize'> & {
  readonly document: NewDocument;
  /** Signed 64-bit integers as decimal text. */
  readonly contentHash: string;
  readonly similarity: string;
  readonly contentChars: number;
};

type Rechoose = { readonly crawlerId: number; readonly now: number; readonly pages: readonly Rechosen[] };

const LIVE = URL_STATES.indexOf('live');
/** Hexadecimal digits of a hash. */
const HASH_DIGITS = 16;

type PendingRow = { urlId: number; hostId: number; at: number; sampleSize: number };
type SampledValues = { hostId: number; rank: number; urlId: number };

type PendingValues = PendingRow & { crawlerId: number; source: string; body: Uint8Array };

function pendingColumns(p: Parameters<PendingValues>) {
  return {
    crawler_id: p.crawlerId,
    host_id: p.hostId,
    at: p.at,
    sample_size: p.sampleSize,
    source: p.source,
    body: p.body,
  };
}

export const templateStatements = {
  put: statement<SampledValues & { blocks: Uint8Array }>((p) =>
    engineSql
      .insertInto('templates')
      .values({ host_id: p.hostId, rank: p.rank, url_id: p.urlId, blocks: p.blocks })
      .onConflict((page) => page.columns(['host_id', 'rank', 'url_id']).doUpdateSet({ blocks: p.blocks })),
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
  dropBeyond: statement<SampledValues>((p) =>
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
  /** A kept page of the crawler behind so many. */
  keptBehind: statement<{ crawlerId: number; before: number }, { url_id: number }>((p) =>
    engineSql
      .selectFrom('pending_pages')
      .select('url_id')
      .where('crawler_id', '=', p.crawlerId)
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(p.before),
  ),
  keptOfHostBehind: statement<{ hostId: number; before: number }, { url_id: number }>((p) =>
    engineSql
      .selectFrom('pending_pages')
      .select('url_id')
      .where('host_id', '=', p.hostId)
      .orderBy('url_id')
      .limit(sql.lit(1))
      .offset(p.before),
  ),
  keep: statement<PendingValues>((p) =>
    engineSql
      .insertInto('pending_pages')
      .values({ url_id: p.urlId, ...pendingColumns(p) })
      .onConflict((page) => page.column('url_id').doUpdateSet(pendingColumns(p))),
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
    *templatesOf(hostIds) {
      return yield* mapTogether(hostIds, templatesOfHost);
    },
    *listPendingPages(of) {
      return yield* fetchAll(templateStatements.listPending, of);
    },
    *readPendingPages(pages) {
      const rows = yield* fetchFirstOfEach(
        templateStatements.readPending,
        pages.map(({ urlId, at }) => ({ urlId, at })),
      );
      return rows.map((row) => row && pageBytesOf(row));
    },
  },
  {
    rechoose,
    dropPendingPages,
  },
);

function pageBytesOf({ source, body }: { readonly source: string; readonly body: Uint8Array }): PageBytes | undefined {
  try {
    return { source, body: zstdDecompressSync(body) };
  } catch {
    // Damaged: it keeps the text that it has.
    return undefined;
  }
}

function* templatesOfHost(hostId: number): Operation<HostTemplatePages> {
  const [sampled, inFolders] = yield* all([
    fetchAll(templateStatements.pages, { hostId }),
    fetchAll(folderStatements.pages, { hostId }),
  ]);
  return {
    sampled: sampled.map(({ url_id: urlId, blocks }) => ({ urlId, blocks: unpackHashes(blocks) })),
    inFolders: inFolders.map(({ url_id: urlId, folder, blocks }) => ({ urlId, folder, blocks })),
  };
}

type HostKey = { readonly urlId: number; readonly hostId: number; readonly crawlerId: number; readonly now: number };

/** A page with a document that is put, and what its visit says of its blocks. */
export type PagePut = HostKey & { readonly templates: PageTemplates | undefined };

/** Inside a write that puts documents: what the visits say of the blocks of their pages; what was kept of these is void. */
export function* putTemplates(pages: readonly PagePut[]): Operation<void> {
  for (const { urlId } of pages) yield* submit(templateStatements.dropPending, { urlId });
  const blocks = pages.flatMap(({ urlId, hostId, templates }): BlocksOfPage[] => {
    if (templates === undefined) return [];
    const { folder } = templates;
    return [{ urlId, hostId, folder, rank: rankOfPage(urlId), blocks: Buffer.from(templates.blocks.join(''), 'hex') }];
  });
  const inFolders = blocks.filter((page) => page.folder !== undefined) as FolderBlocks[];
  yield* all([
    mapTogether(
      Map.groupBy(blocks, ({ hostId }) => hostId),
      ([hostId, ofHost]) => putSampled(hostId, ofHost),
    ),
    mapTogether(
      Map.groupBy(inFolders, ({ hostId }) => hostId),
      ([hostId, ofHost]) => putFolderPages(hostId, ofHost),
    ),
    keepPages(pages),
  ]);
}

/** The pages themselves while there is room: at once when there is for all of them, else one after the other. */
function* keepPages(pages: readonly PagePut[]): Operation<void> {
  const coming = pages.filter(({ templates }) => templates?.kept !== undefined);
  const isRoomy = coming.length > 0 && (yield* hasRoom(coming));
  for (const page of coming) if (isRoomy || (yield* hasRoom([page]))) yield* keepPage(page);
}

function* keepPage({ urlId, hostId, crawlerId, now: at, templates }: PagePut): Operation<void> {
  if (templates?.kept === undefined) return;
  const { source, sampleSize, body } = templates.kept;
  yield* submit(templateStatements.keep, {
    urlId,
    crawlerId,
    hostId,
    at,
    sampleSize,
    source,
    body: zstdCompressSync(body),
  });
}

/** For all of these pages, of one crawler. */
function* hasRoom(coming: readonly HostKey[]): Operation<boolean> {
  const crawlerId = coming[0]?.crawlerId ?? 0;
  const behind = yield* all([
    fetchFirst(templateStatements.keptBehind, { crawlerId, before: MAX_PENDING_PAGES - coming.length }),
    mapTogether(
      Map.groupBy(coming, ({ hostId }) => hostId),
      ([hostId, { length }]) =>
        fetchFirst(templateStatements.keptOfHostBehind, { hostId, before: MAX_PENDING_OF_HOST - length }),
    ),
  ]);
  return behind.flat().every((page) => page === undefined);
}

/** Of pages of one host: those of lower rank than the last page of the full sample, which then loses its last ones. */
function* putSampled(hostId: number, pages: readonly BlocksOfPage[]): Operation<void> {
  const full = { hostId, before: SAMPLED_PAGES - 1 };
  const last = yield* fetchFirst(templateStatements.last, full);
  const early = pages.filter((page) => !isBehind(page, last));
  for (const { rank, urlId, blocks } of early) yield* submit(templateStatements.put, { hostId, rank, urlId, blocks });
  if (!mayOverflow(early, last)) return;
  const end = yield* fetchFirst(templateStatements.last, full);
  if (end) yield* submit(templateStatements.dropBeyond, { hostId, rank: end.rank, urlId: end.url_id });
}

/** Write operation. */
function* rechoose({ crawlerId, now, pages }: Rechoose): Operation<readonly boolean[]> {
  const [counted, heads] = yield* all([
    mapTogether(pages, ({ urlId, at, sampleSize }) => execute(templateStatements.count, { urlId, at, sampleSize })),
    mapTogether(pages, ({ document }) => findDocumentHead(crawlerId, document.id)),
  ]);
  // What was pushed came after the fetch of the page that is kept.
  const kept = pages.filter((_page, at) => counted[at]?.changes === 1 && heads[at]?.origin === 'crawled');
  const [prepared, changed] = yield* all([
    preparePuts(
      crawlerId,
      kept.map(({ document }) => document),
    ),
    mapTogether(kept, ({ urlId: id, contentHash, similarity, contentChars }) => {
      const hashes = { contentHash: BigInt(contentHash), similarity: BigInt(similarity) };
      return execute(templateStatements.changeContent, { id, ...hashes, contentChars });
    }),
  ]);
  const chosen = new Set(kept.filter((_page, at) => changed[at]?.changes === 1));
  const documents = new Set([...chosen].map(({ document }) => document));
  const puts = prepared.puts.filter(({ document }) => documents.has(document));
  if (puts.length > 0) yield* applyPuts({ ...prepared, puts }, now);
  return pages.map((page) => chosen.has(page));
}

/** Write operation. */
function* dropPendingPages(urlIds: readonly number[]): Operation<void> {
  for (const urlId of urlIds) yield* execute(templateStatements.dropPending, { urlId });
}

function unpackHashes(packed: Uint8Array): readonly string[] {
  const digits = Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('hex');
  return Array.from({ length: digits.length / HASH_DIGITS }, (_, at) =>
    digits.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS),
  );
}
