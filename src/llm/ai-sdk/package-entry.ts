import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The conditions of Node's `import`. */
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'default']);
const MANIFEST = z.object({ exports: z.unknown() });

/**
 * The file that a package's name means for modules in the folder; undefined when nothing usable is installed there. By
 * the rules of `import`, which Node lets nobody begin at a place of their own (`import.meta.resolve` takes none), and of
 * `require` for packages without `exports`.
 */
export function packageEntry(folder: string, name: string): string | undefined {
  if (isBuiltin(name)) return undefined;
  const position = join(folder, 'package.json');
  try {
    return exportedEntry(position, name) ?? createRequire(position).resolve(name);
  } catch {
    return undefined;
  }
}

function exportedEntry(position: string, name: string): string | undefined {
  const manifest = findPackageJSON(name, pathToFileURL(position));
  if (manifest === undefined) return undefined;
  const { exports } = MANIFEST.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  const entry = targetOf(exports);
  return entry && join(dirname(manifest), entry);
}

/** Of the package itself, by the first condition that holds, however deep (Node's "conditional exports"). */
function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  const held = Object.entries(exports ?? {}).find(([key]) => key === '.' || CONDITIONS.has(key));
  return held && targetOf(held[1]);
}
