import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { FileSpool } from '../file-spool.ts';

/** How long a count of the bytes is good for. */
const COUNTED_MS = 1_000;

/** The folder into which the fetcher spools, shared by the processes of a machine. */
export function createFileSpool(options: { readonly folder: string; readonly boundBytes: number }): FileSpool {
  const { folder, boundBytes } = options;
  let countedAt = Number.NEGATIVE_INFINITY;
  let held = Promise.resolve(0);
  return {
    isFull: async () => {
      if (performance.now() - countedAt >= COUNTED_MS) {
        countedAt = performance.now();
        held = filesIn(folder).then((files) => files.reduce((sum, { size }) => sum + size, 0));
      }
      return (await held) >= boundBytes;
    },
    read: (name) => readFile(join(folder, name)).catch(unlessMissing),
    drop: (name) => rm(join(folder, name), { force: true }),
  };
}

/** Deletes what lost its row: bodies, and parts of bodies, not written to for `keptMs`. */
export async function cleanFileSpool(
  { clock }: { readonly clock: Clock },
  { folder, keptMs }: { readonly folder: string; readonly keptMs: number },
): Promise<void> {
  const before = clock.now() - keptMs;
  for (const { name, mtimeMs } of await filesIn(folder)) {
    if (mtimeMs < before) await rm(join(folder, name), { force: true });
  }
}

type SpooledFile = { readonly name: string; readonly size: number; readonly mtimeMs: number };

async function filesIn(folder: string): Promise<readonly SpooledFile[]> {
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  const files: SpooledFile[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(unlessMissing);
    if (found !== undefined) files.push({ name, size: found.size, mtimeMs: found.mtimeMs });
  }
  return files;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
