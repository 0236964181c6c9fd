import { pathToFileURL } from 'node:url';
import { type AppError, invalidRequest } from '../../core/errors.ts';
import { packageEntry } from './package-entry.ts';

/** A package that the configuration names. */
export type PackageSource = {
  readonly name: string;
  /** The variable that names it, for messages. */
  readonly setBy: string;
  /** Absolute; filled by `npm install --prefix`, looked into before the product's own packages. */
  readonly folder: string;
};

/**
 * What an installed package exports. The only place that imports what a configuration names: no other part of the
 * product knows the package.
 * @throws AppError `request.invalid` when it is not installed, with the command that installs it, or cannot be loaded
 */
export async function importPackage(source: PackageSource): Promise<Readonly<Record<string, unknown>>> {
  const { name, folder } = source;
  const entry = packageEntry(folder, name) ?? packageEntry(import.meta.dirname, name);
  if (entry === undefined) {
    throw packageFault(source, `is not installed: npm install --ignore-scripts --prefix "${folder}" ${name}`);
  }
  return import(pathToFileURL(entry).href).catch((error: unknown) => {
    throw packageFault(source, `cannot be loaded: ${firstLine(error)}`);
  });
}

/** A fault of the package, for the operator at the start. */
export function packageFault({ name, setBy }: PackageSource, problem: string): AppError {
  return invalidRequest([{ path: setBy, message: `${setBy} names ${name}, which ${problem}` }]);
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
