import { sql } from 'kysely';
import { indexedText } from '../sql/dialect.ts';
import { all, fetchFirst, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';

/** Pages known of a folder: shares of a random 20 are exact to 11 points. */
export const FOLDER_PAGES = 20;
/** Rows of 1 KB, 4 KB at most: 318 folders of a documentation of 4,400 pages have 3,000 of them. */
export const MAX_FOLDER_PAGES = 4_000;

export type BlocksOfPage = {
  readonly urlId: number;
  readonly hostId: number;
  readonly rank: number;
  readonly folder: string | undefined;
  readonly blocks: Uint8Array;
};
export type FolderBlocks = BlocksOfPage & { readonly folder: string };

export type FolderKey = { readonly rank: number; readonly url_id: number };
type FolderValues = { readonly hostId: number; readonly folder: string; readonly rank: number; readonly urlId: number };

export const folderStatements = {
  put: statement<FolderValues & { blocks: Uint8Array }>((p) =>
    engineSql
      .insertInto('folder_pages')
      .values({ host_id: p.hostId, folder: p.folder, rank: p.rank, url_id: p.urlId, blocks: p.blocks })
      .onConflict((page) =>
        page.expression(sql`host_id, ${indexedText('folder')}, rank, url_id`).doUpdateSet({ blocks: p.blocks }),
      ),
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
  dropBeyondInFolder: statement<FolderValues>((p) =>
    engineSql
      .deleteFrom('folder_pages')
      .where('host_id', '=', p.hostId)
      .where('folder', '=', p.folder)
      .where((row) =>
        row.or([row('rank', '>', p.rank), row.and([row('rank', '=', p.rank), row('url_id', '>', p.urlId)])]),
      ),
  ),
  dropBeyondInHost: statement<Omit<FolderValues, 'folder'>>((p) =>
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

/** Inside a write: pages of one host are among those that are known of their folders, unless enough of lower rank are. */
export function* putFolderPages(hostId: number, pages: readonly FolderBlocks[]): Operation<void> {
  const folders = [...new Set(pages.map(({ folder }) => folder))];
  const [inHost, inFolder] = yield* all([
    fetchFirst(folderStatements.lastOfHost, { hostId }),
    mapTogether(folders, (folder) => fetchFirst(folderStatements.lastOfFolder, { hostId, folder })),
  ]);
  const lastByFolder = new Map(folders.map((folder, at) => [folder, inFolder[at]]));
  const early = pages.filter((page) => !isBehind(page, lastByFolder.get(page.folder)) && !isBehind(page, inHost));
  for (const { folder, rank, urlId, blocks } of early) {
    yield* submit(folderStatements.put, { hostId, folder, rank, urlId, blocks });
  }
  const overflowing = [...Map.groupBy(early, ({ folder }) => folder)].filter(([folder, added]) =>
    mayOverflow(added, lastByFolder.get(folder)),
  );
  yield* mapTogether(overflowing, ([folder]) => trimFolder(hostId, folder));
  if (mayOverflow(early, inHost)) yield* trimHost(hostId);
}

function* trimFolder(hostId: number, folder: string): Operation<void> {
  const end = yield* fetchFirst(folderStatements.lastOfFolder, { hostId, folder });
  if (end === undefined) return;
  yield* submit(folderStatements.dropBeyondInFolder, { hostId, folder, rank: end.rank, urlId: end.url_id });
}

function* trimHost(hostId: number): Operation<void> {
  const end = yield* fetchFirst(folderStatements.lastOfHost, { hostId });
  if (end) yield* submit(folderStatements.dropBeyondInHost, { hostId, rank: end.rank, urlId: end.url_id });
}

/** One page more fills a sample at most. */
export function mayOverflow(added: readonly BlocksOfPage[], last: FolderKey | undefined): boolean {
  return added.length > 1 || (added.length > 0 && last !== undefined);
}

export function isBehind(
  page: { readonly rank: number; readonly urlId: number },
  last: FolderKey | undefined,
): boolean {
  return last !== undefined && (page.rank > last.rank || (page.rank === last.rank && page.urlId > last.url_id));
}
