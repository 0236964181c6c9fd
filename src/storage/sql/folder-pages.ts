import { sql } from 'kysely';
import { FOLDER_PAGES, MAX_FOLDER_PAGES } from '../template-store.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

type FolderKey = { readonly rank: number; readonly url_id: number };
type Page = { readonly hostId: number; readonly folder: string; readonly rank: number; readonly urlId: number };

export const folderStatements = {
  put: statement<Page & { blocks: Uint8Array }>((p) =>
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
  dropBeyondInFolder: statement<Page>((p) =>
    engineSql
      .deleteFrom('folder_pages')
      .where('host_id', '=', p.hostId)
      .where('folder', '=', p.folder)
      .where((row) =>
        row.or([row('rank', '>', p.rank), row.and([row('rank', '=', p.rank), row('url_id', '>', p.urlId)])]),
      ),
  ),
  dropBeyondInHost: statement<Omit<Page, 'folder'>>((p) =>
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
export function putFolderPage(db: SqliteDatabase, page: Page, blocks: Uint8Array): void {
  const isLate = (last: FolderKey | undefined) =>
    last !== undefined && (page.rank > last.rank || (page.rank === last.rank && page.urlId > last.url_id));
  const inFolder = db.firstOf(folderStatements.lastOfFolder, page);
  if (isLate(inFolder)) return;
  const inHost = db.firstOf(folderStatements.lastOfHost, page);
  if (isLate(inHost)) return;
  db.runOf(folderStatements.put, { ...page, blocks });
  const { hostId, folder } = page;
  const endOfFolder = inFolder && db.firstOf(folderStatements.lastOfFolder, page);
  if (endOfFolder) {
    const { rank, url_id: urlId } = endOfFolder;
    db.runOf(folderStatements.dropBeyondInFolder, { hostId, folder, rank, urlId });
  }
  const endOfHost = inHost && db.firstOf(folderStatements.lastOfHost, page);
  if (endOfHost) {
    const { rank, url_id: urlId } = endOfHost;
    db.runOf(folderStatements.dropBeyondInHost, { hostId, rank, urlId });
  }
}
