import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentFile } from '../manifest.ts';
import { headBytes, loadExtent, readHead, Segment } from '../segment/segment.ts';
import { corrupt } from '../segment/segment-file.ts';

/** A segment with its file: open as long as a snapshot has it, so that a deleted file can still be read. */
export type OpenSegment = {
  readonly segment: Segment;
  readonly head: SharedArrayBuffer;
  readonly fileBytes: number;
  /** Attaches an extent, once however often it is asked. */
  load(extent: number): Promise<void>;
  /** Lets go of an extent that no search reads now. */
  drop(extent: number): void;
  /** Waits for what is being read, then closes the file. */
  close(): Promise<void>;
};

/** Bytes of memory that opening a segment takes. @throws AppError `index.corrupt` */
export async function bytesToOpen(directory: string, { n }: { n: number }): Promise<number> {
  const file = await open(join(directory, segmentFile(n)), 'r');
  return headBytes(file).finally(() => file.close());
}

/** @throws AppError `index.corrupt` when the file is not the segment with this uid */
export async function openSegment(directory: string, entry: { n: number; uid: string }): Promise<OpenSegment> {
  const file: FileHandle = await open(join(directory, segmentFile(entry.n)), 'r');
  try {
    const { head, fileBytes } = await readHead(file);
    const segment = new Segment(head, fileBytes);
    if (segment.uid !== entry.uid) throw corrupt('uid');
    const loads = new Map<number, Promise<void>>();
    return {
      segment,
      head,
      fileBytes,
      load(extent) {
        const known = loads.get(extent);
        if (known !== undefined) return known;
        const loading = loadExtent(segment, file, extent);
        loads.set(extent, loading);
        loading.catch(() => loads.delete(extent));
        return loading;
      },
      drop(extent) {
        loads.delete(extent);
        segment.detach(extent);
      },
      async close() {
        await Promise.allSettled(loads.values());
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
