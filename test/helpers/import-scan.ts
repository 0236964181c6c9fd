import { readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** One import of a file: what it names, and the file it means when that lies in the project. */
export type FoundImport = { readonly from: string; readonly specifier: string; readonly target: string | undefined };

const PATTERNS = [
  // import … from '…', import '…', export … from '…'
  /(?:^|[;}\n])\s*(?:import|export)\s+(?:[^'";]*?\sfrom\s*)?(['"])(?<specifier>[^'"\n]+)\1/g,
  // import('…'), require('…'), new URL('….ts', import.meta.url), import.meta.resolve('…')
  /\b(?:import|require|import\.meta\.resolve)\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g,
  /\bnew\s+URL\(\s*(['"`])(?<specifier>[^'"`\n]+\.tsx?)\1\s*,\s*import\.meta\.url/g,
];

/** Every import of a source text, static, dynamic, side-effect and re-export, comments left out. */
export function importsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');
  return PATTERNS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match.groups?.['specifier'] ?? ''));
}

/** Reads a file below `root` and resolves its relative imports to paths below `root`, with forward slashes. */
export function scanFile(root: string, path: string): readonly FoundImport[] {
  const text = readFileSync(join(root, path), 'utf8');
  return importsOf(text).map((specifier) => ({
    from: path,
    specifier,
    target: specifier.startsWith('.') ? posix.normalize(posix.join(dirname(path), specifier)) : undefined,
  }));
}

/** The path of a file below a root, with forward slashes. */
export function below(root: string, path: string): string {
  return relative(root, path).replaceAll('\\', '/');
}
