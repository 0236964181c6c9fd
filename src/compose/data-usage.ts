import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a part of the data folder takes: `system.db`, `engines/6`, `redis`. */
export type FolderUsage = { readonly name: string; readonly bytes: number };

/** One look serves all who ask within this time. */
const LOOK_LIVES_MS = 30_000;
/** Files of one part that are looked at; indexes and stores have a few dozen. */
const MOST_FILES = 20_000;
/** What Node has compiled: 4,000 small files of 26 MB, which would take 0.2 s to look at. */
const LEFT_OUT = 'compile-cache';

/** Looks at the parts of the data folder, the largest first; each engine is one. */
export function createDataUsage(dataDir: string): () => Promise<readonly FolderUsage[]> {
  let held: { readonly atMs: number; readonly usage: Promise<readonly FolderUsage[]> } | undefined;
  return () => {
    const atMs = performance.now();
    if (held === undefined || atMs - held.atMs > LOOK_LIVES_MS) held = { atMs, usage: readUsage(dataDir) };
    return held.usage;
  };
}

async function readUsage(dataDir: string): Promise<readonly FolderUsage[]> {
  const names = (await namesIn(dataDir)).filter((name) => name !== 'engines' && name !== LEFT_OUT);
  const engines = (await namesIn(join(dataDir, 'engines'))).map((id) => join('engines', id));
  const usage: FolderUsage[] = [];
  for (const name of [...names, ...engines]) usage.push({ name, bytes: await bytesOf(join(dataDir, name)) });
  return usage.sort((a, b) => b.bytes - a.bytes);
}

/** Whatever goes away meanwhile takes nothing. */
async function bytesOf(path: string): Promise<number> {
  const waiting = [path];
  let bytes = 0;
  for (let looked = 0; looked < MOST_FILES; looked++) {
    const next = waiting.pop();
    if (next === undefined) break;
    const stat = await lstat(next).catch(() => undefined);
    if (stat?.isDirectory() === true) waiting.push(...(await namesIn(next)).map((name) => join(next, name)));
    else bytes += stat?.size ?? 0;
  }
  return bytes;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}
