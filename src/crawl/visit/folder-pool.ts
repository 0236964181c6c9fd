import { FOLDER_PAGES, type FolderPage, MAX_FOLDER_PAGES } from '../../storage/template-store.ts';
import { foldersAround } from './page-folders.ts';
import { compareRanks, lastOf } from './page-sample.ts';

/** The known pages of the folders of a host, those of lowest rank of each and of all. */
export type FolderPool = {
  readonly pages: ReadonlyMap<number, FolderPage>;
  /** Pages of the folder and of those within, without this one. O(1). */
  othersIn(folder: string, urlId: number): number;
  /** The same pages of at most `FOLDER_PAGES`, of lowest rank. O(folders). */
  lowestIn(folder: string): readonly FolderPage[];
  /** The page of highest rank that one more of the folder would take the place of. */
  lastWithoutRoom(folder: string): number | undefined;
  hold(page: FolderPage): void;
  drop(urlId: number): FolderPage | undefined;
};

export function openFolderPool(stored: readonly FolderPage[]): FolderPool {
  const pages = new Map<number, FolderPage>();
  /** By folder: its own pages. */
  const idsOf = new Map<string, Set<number>>();
  /** By folder: its pages and those of the folders within. */
  const sizes = new Map<string, number>();

  const addSizes = (folder: string, change: 1 | -1) => {
    for (const around of foldersAround(folder)) {
      const size = (sizes.get(around) ?? 0) + change;
      if (size === 0) sizes.delete(around);
      else sizes.set(around, size);
    }
  };
  const hold = (page: FolderPage) => {
    pages.set(page.urlId, page);
    const ids = idsOf.get(page.folder) ?? new Set();
    idsOf.set(page.folder, ids.add(page.urlId));
    addSizes(page.folder, 1);
  };

  for (const page of stored) hold(page);
  return {
    pages,
    hold,
    drop(urlId) {
      const page = pages.get(urlId);
      if (page === undefined) return undefined;
      pages.delete(urlId);
      const ids = idsOf.get(page.folder);
      ids?.delete(urlId);
      if (ids?.size === 0) idsOf.delete(page.folder);
      addSizes(page.folder, -1);
      return page;
    },
    othersIn(folder, urlId) {
      const isWithin = pages.get(urlId)?.folder.startsWith(folder) === true;
      return (sizes.get(folder) ?? 0) - (isWithin ? 1 : 0);
    },
    lowestIn(folder) {
      const within = [...idsOf].flatMap(([own, ids]) => (own.startsWith(folder) ? [...ids] : []));
      const lowest = within.sort(compareRanks).slice(0, FOLDER_PAGES);
      return lowest.map((urlId) => pages.get(urlId)).filter((page) => page !== undefined);
    },
    lastWithoutRoom(folder) {
      const ids = idsOf.get(folder);
      if (ids !== undefined && ids.size >= FOLDER_PAGES) return lastOf(ids);
      return pages.size >= MAX_FOLDER_PAGES ? lastOf(pages.keys()) : undefined;
    },
  };
}
