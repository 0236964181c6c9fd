import { type BlockDocumentFrequency, NO_TEMPLATES } from '../../extract/html/template-blocks.ts';
import { FOLDER_PAGES, type FolderPage } from '../../storage/template-store.ts';
import { openFolderPool } from './folder-pool.ts';
import { foldersAround, type PageFolders } from './page-folders.ts';
import { compareRanks, openPageSample, type PageSample, type SamplePages } from './page-sample.ts';

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
