import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { hasBit } from './bytes/bitset.ts';
import { type Manifest, readManifest, segmentFile, tombstonesFile } from './manifest.ts';
import { checkSegment } from './segment/segment-file.ts';
import { readTombstones } from './segment/tombstones.ts';

/** What an index says that it holds, every byte of its files held against its checksum. */
export type VerifiedIndex = {
  /** It holds the changes up to here. */
  readonly seq: number;
  /** The store that it was made of; null where an older program made it. */
  readonly origin: Manifest['origin'];
  /** Its live documents, ascending; one that it holds twice is there twice. */
  readonly rids: Uint32Array;
};

/** A merge may replace files while they are read: then the next manifest is read. */
const TRIES = 5;

/**
 * Reads an index whole, while its writer goes on; undefined when there is none. Four bytes of memory for a document.
 * @throws AppError `index.corrupt` when a file of it is damaged or missing
 */
export async function verifyIndex(directory: string): Promise<VerifiedIndex | undefined> {
  for (let attempt = 1; ; attempt++) {
    const manifest = await readManifest(directory);
    if (manifest === undefined) return undefined;
    try {
      const { seq, origin } = manifest;
      return { seq, origin, rids: await liveRids(directory, manifest) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt >= TRIES) throw error;
    }
  }
}

async function liveRids(directory: string, { segments }: Manifest): Promise<Uint32Array> {
  const parts: Uint32Array[] = [];
  for (const { n, uid, tombstones } of segments) {
    const file = await open(join(directory, segmentFile(n)));
    try {
      const { rids } = await checkSegment(file);
      if (tombstones === null) {
        parts.push(rids);
        continue;
      }
      const live = await readTombstones(join(directory, tombstonesFile(n, tombstones)), uid, rids.length);
      parts.push(rids.filter((_rid, index) => hasBit(live, index)));
    } finally {
      await file.close();
    }
  }
  const all = new Uint32Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}
