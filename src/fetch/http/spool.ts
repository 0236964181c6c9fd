import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpoolFile } from '../fetcher.ts';

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
