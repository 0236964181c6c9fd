import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The conditions of Node's `import`. */
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'default']);
const MANIFEST = z.object({ exports: z.unknown() });

/**
 * The file that a package's name means for modules in the folder; undefined when nothing is installed there. Found by
 * the rules of `require`, as `import.meta.resolve` takes no place to begin at.
 */
export function packageEntry(folder: string, name: string): string | undefined {
  if (isBuiltin(name)) return undefined;
  const place = join(folder, 'package.json');
  try {
    return createRequire(place).resolve(name);
  } catch (error) {
    const isForImportOnly = (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    return isForImportOnly ? importEntry(place, name) : undefined;
  }
}

/** Of a package whose `exports` have a condition `import` and none that `require` reads. */
function importEntry(place: string, name: string): string | undefined {
  const manifest = findPackageJSON(name, pathToFileURL(place));
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
