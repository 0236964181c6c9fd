/** When the built pages in `web/dist` are out of date: a hash of everything that the build reads. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Not read by the build: its own output, and the demo site, which is served as it lies, with its sources. */
const NOT_BUILT = new Set(['dist', 'sample-site', 'sample-content']);

export const webMarker = (root) => join(root, 'web', 'dist', '.sources-sha256');

/** Read from elsewhere: the client, and the words shared with the server. */
const OTHER_FOLDERS = ['packages/client/src', 'src/core'];

/** SHA-256 over paths and bytes of the sources and of the lock file; undefined in a copy without `web/`. */
export function hashWebSources(root) {
  const folder = join(root, 'web');
  if (!existsSync(join(folder, 'vite.config.ts'))) return undefined;
  const hash = createHash('sha256');
  const others = OTHER_FOLDERS.flatMap((name) => listFiles(join(root, name)));
  for (const path of [...listFiles(folder), ...others, join(root, 'package-lock.json')]) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return NOT_BUILT.has(entry.name) ? [] : listFiles(path);
  });
}
