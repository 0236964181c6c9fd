import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { FileSpool, SpoolFile } from '../fetcher.ts';

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

/**
 * Writes a body into the folder, under its SHA-256 and a name of its own, mode 600. Nothing is left behind when the
 * source fails; a part that a killed process leaves ends in `.part`.
 */
export async function spoolBody(folder: string, source: AsyncIterable<Uint8Array>): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const part = join(folder, `${id}.part`);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    const name = `${sha256}-${id}`;
    const path = join(folder, name);
    await rename(part, path);
    return { path, name, bytes, sha256 };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
