import { type BlockDocumentFrequency, NO_TEMPLATES } from '../../extract/html/template-blocks.ts';
import { FOLDER_PAGES, MAX_FOLDER_PAGES } from '../../storage/engine/folder-pages.ts';
import { type FolderPage, rankOfPage } from '../../storage/engine/templates.ts';

/** Counted folders of a host at a time, half a megabyte each at most; to count one again takes half a millisecond. */
const COUNTED_FOLDERS = 32;
const HASH_BYTES = 8;
/** Known pages of a folder from which they vote. A frame that is on all of them needs no more. */
export const MIN_IN_FOLDER = 5;
/** Pages that say no to everything, so that a few that agree by chance are not sure. */
const SMOOTHING_COUNT = 2;

export type FolderSample = {
  /** Sum over the folders of the page: the others that are known of each, as far as they can vote. */
  readonly known: number;
  /** What the smallest folder says that has enough pages. */
  readonly share: BlockDocumentFrequency;
};

/** The known pages of the folders of a host. A folder has those of the folders within it, too. */
export type FolderSamples = {
  /** Pages that are held. */
  size(): number;
  sampledPagesFor(urlId: number, folders: PageFolders): FolderSample;
  /** Whether enough pages of the folder are known beside this one. */
  isKnown(folder: string, urlId: number): boolean;
  /** False when the page is not one of those that are known, or known like this. */
  put(urlId: number, folder: string, blocks: readonly string[]): boolean;
};

export function openFolderSamples(stored: readonly FolderPage[]): FolderSamples {
  const pool = openFolderPool(stored);
  const counted = new Map<string, PageSample>();
  const count = (folder: string) => {
    const sample = openPageSample(FOLDER_PAGES);
    for (const { urlId, blocks } of pool.lowestIn(folder)) sample.put(urlId, hashesOf(blocks));
    return sample;
  };
  const sampleOf = (folder: string) => {
    const sample = counted.get(folder) ?? count(folder);
    counted.delete(folder);
    const [oldest] = counted.keys();
    if (counted.size >= COUNTED_FOLDERS && oldest !== undefined) counted.delete(oldest);
    counted.set(folder, sample);
    return sample;
  };
  return {
    size: () => pool.pages.size,
    sampledPagesFor(urlId, { all }) {
      const others = all.map((folder) => pool.othersIn(folder, urlId));
      const smallest = all[others.findIndex((size) => size >= MIN_IN_FOLDER)];
      return {
        known: others.reduce((sum, size) => sum + Math.min(size, FOLDER_PAGES), 0),
        share: smallest === undefined ? NO_TEMPLATES : withSmoothing(sampleOf(smallest).sampledPagesFor(urlId)),
      };
    },
    isKnown: (folder, urlId) => pool.othersIn(folder, urlId) >= MIN_IN_FOLDER,
    put(urlId, folder, hashes) {
      const known = pool.pages.get(urlId);
      const last = known === undefined ? pool.lastWithoutRoom(folder) : undefined;
      if (last !== undefined && compareRanks(urlId, last) > 0) return false;
      const blocks = Buffer.from(hashes.join(''), 'hex');
      if (known !== undefined && blocks.equals(known.blocks)) return false;
      const dropped = pool.drop(last ?? urlId);
      for (const around of foldersAround(dropped?.folder ?? '')) counted.delete(around);
      pool.hold({ urlId, folder, blocks });
      for (const around of foldersAround(folder)) counted.get(around)?.put(urlId, hashes);
      return true;
    },
  };
}

function withSmoothing({ count, share }: SamplePages): BlockDocumentFrequency {
  return (hash) => (share(hash) * count) / (count + SMOOTHING_COUNT);
}

function hashesOf(packed: Uint8Array): readonly string[] {
  const digits = Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString('hex');
  return Array.from({ length: packed.length / HASH_BYTES }, (_, at) =>
    digits.slice(at * 2 * HASH_BYTES, (at + 1) * 2 * HASH_BYTES),
  );
}

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

function openFolderPool(stored: readonly FolderPage[]): FolderPool {
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

/** Levels and characters of the folders that are told apart: deeper pages belong to the folder above. */
const MAX_LEVELS = 8;
const MAX_FOLDER_CHARS = 300;

type PageFolders = {
  /** Where the page lies, with a slash at both ends; `/` is the host itself. */
  readonly own: string;
  /** The folder that is named like the page: `/a/b/` of `/a/b.html` and of `/a/b/`. Undefined where it is too deep. */
  readonly led: string | undefined;
  /** Both and those around them, innermost first, without the host itself. */
  readonly all: readonly string[];
};

/** The folders by which the path of a page places it in its site. */
export function foldersOf(url: string): PageFolders {
  const names = new URL(url).pathname.replace(/^\/+|\/+$/g, '').split('/');
  const name = (names.pop() ?? '').replace(/\.[^.]*$/, '');
  const around: string[] = [];
  let own = '/';
  for (const folder of names) {
    const inner = `${own}${folder}/`;
    if (around.length === MAX_LEVELS || inner.length > MAX_FOLDER_CHARS) return { own, led: undefined, all: around };
    own = inner;
    around.unshift(own);
  }
  const led = `${own}${name}/`;
  if (name === '' || led.length > MAX_FOLDER_CHARS) return { own, led: undefined, all: around };
  return { own, led, all: [led, ...around] };
}

/** The folder and those around it, innermost first, without the host itself. */
function foldersAround(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let end = folder.indexOf('/', 1); end > 0; end = folder.indexOf('/', end + 1)) {
    folders.unshift(folder.slice(0, end + 1));
  }
  return folders;
}

/** The pages of a sample but one, and the share of them that hold a block. */
type SamplePages = { readonly count: number; readonly share: BlockDocumentFrequency };

/** Blocks of the pages of lowest rank of a host or folder, counted. */
export type PageSample = {
  sampledPagesFor(urlId: number): SamplePages;
  /** False when the page is not one of the sample, or known like this. */
  put(urlId: number, blocks: readonly string[]): boolean;
};

export function openPageSample(limit: number): PageSample {
  const pages = new Map<number, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  const count = (blocks: ReadonlySet<string>, change: 1 | -1) => {
    for (const hash of blocks) {
      const sum = (counts.get(hash) ?? 0) + change;
      if (sum === 0) counts.delete(hash);
      else counts.set(hash, sum);
    }
  };
  const drop = (urlId: number) => {
    const known = pages.get(urlId);
    if (known === undefined) return;
    pages.delete(urlId);
    count(known, -1);
  };
  return {
    sampledPagesFor(urlId) {
      const own = pages.get(urlId);
      const others = pages.size - (own === undefined ? 0 : 1);
      const holding = (hash: string) => (counts.get(hash) ?? 0) - (own?.has(hash) === true ? 1 : 0);
      return { count: others, share: (hash) => (others === 0 ? 0 : holding(hash) / others) };
    },
    put(urlId, blocks) {
      const last = pages.size < limit ? undefined : lastOf(pages.keys());
      if (last !== undefined && !pages.has(urlId) && compareRanks(urlId, last) > 0) return false;
      const next = new Set(blocks);
      const known = pages.get(urlId);
      if (known !== undefined && known.size === next.size && known.isSubsetOf(next)) return false;
      drop(urlId);
      if (last !== undefined && pages.size >= limit) drop(last);
      pages.set(urlId, next);
      count(next, 1);
      return true;
    },
  };
}

/** The page that leaves first. */
function lastOf(urlIds: Iterable<number>): number | undefined {
  let last: number | undefined;
  for (const urlId of urlIds) if (last === undefined || compareRanks(urlId, last) > 0) last = urlId;
  return last;
}

function compareRanks(a: number, b: number): number {
  return rankOfPage(a) - rankOfPage(b) || a - b;
}
