import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type AppError, invalidRequest } from '../core/errors.ts';

/** A package that the configuration names. */
export type PackageSource = {
  readonly name: string;
  /** The variable that names it, for messages. */
  readonly setBy: string;
  /** Absolute; filled by `npm install --prefix`, looked into before the product's own packages. */
  readonly folder: string;
};

/**
 * What an installed package exports. This file is the only place that imports what a configuration names: no other part
 * of the product knows the package.
 * @throws AppError `request.invalid` when it is not installed, with the command that installs it, or cannot be loaded
 */
export async function importPackage(source: PackageSource): Promise<Readonly<Record<string, unknown>>> {
  const { name, folder } = source;
  const entry = installedEntry(folder, name);
  if (entry === undefined) throw packageFault(source, `is not installed: ${installCommand(folder, [name])}`);
  return importFile(entry).catch((error: unknown) => {
    throw packageFault(source, `cannot be loaded: ${firstLine(error)}`);
  });
}

/** A module of an installed package by its file. */
export function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(path).href);
}

/** The file that a package's name means, in the folder or among the product's own packages; undefined without one. */
export function installedEntry(folder: string, name: string): string | undefined {
  return packageEntry(folder, name) ?? packageEntry(import.meta.dirname, name);
}

export function installCommand(folder: string, names: readonly string[]): string {
  return `npm install --ignore-scripts --prefix "${folder}" ${names.join(' ')}`;
}

/** A fault of the package, for the operator at the start. */
export function packageFault({ name, setBy }: PackageSource, problem: string): AppError {
  return invalidRequest([{ path: setBy, message: `${setBy} names ${name}, which ${problem}` }]);
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** The conditions of Node's `import`. */
const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'default']);
const MANIFEST = z.object({ exports: z.unknown().optional() });

/**
 * The file that a package's name means for modules in the folder; undefined when nothing usable is installed there. By
 * the rules of `import`, which Node lets nobody begin at a place of their own (`import.meta.resolve` takes none), and of
 * `require` for packages without `exports`.
 */
function packageEntry(folder: string, name: string): string | undefined {
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
