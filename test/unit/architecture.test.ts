import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { below, type FoundImport, scanFile } from '../helpers/import-scan.ts';
import { ADAPTERS, GUARDED_WORDS, INTERNALS, MAY_IMPORT, PACKAGE_OWNERS, PORTS } from './architecture-rules.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const FIXTURES = join(ROOT, 'test/fixtures/architecture');
const SOURCES = ['src/**/*.ts', 'workers/**/*.ts', 'web/**/*.ts', 'web/**/*.tsx', 'packages/*/src/**/*.ts'];

const FOLDER_FILES = 40;

const filesBelow = (root: string) =>
  SOURCES.flatMap((glob) => globSync(join(root, glob))).map((path) => below(root, path));

/** `src/crawl/scope.ts` → `crawl/scope.ts`; `workers/api.ts` stays. */
const placeOf = (path: string) => path.replace(/^src\//, '');

/** The folder that the table knows; undefined for a file that no rule covers. */
function folderOf(path: string): string | undefined {
  const place = placeOf(path);
  const [folder] = place.split('/');
  return folder !== undefined && Object.hasOwn(MAY_IMPORT, folder) && place.includes('/') ? folder : undefined;
}

const adapterOf = (path: string) => ADAPTERS.find((adapter) => placeOf(path).startsWith(`${adapter}/`));

/** Why an import breaks a rule; undefined when it does not. */
function violationOf({ from, specifier, target }: FoundImport): string | undefined {
  const folder = folderOf(from);
  if (folder === undefined) return `${from} lies in a folder that no rule covers`;
  return target === undefined ? packageViolation(from, specifier) : fileViolation(from, folder, target);
}

function packageViolation(from: string, specifier: string): string | undefined {
  if (specifier === 'zod' || (specifier.startsWith('node:') && specifier !== 'node:sqlite')) return undefined;
  const name = packageOf(specifier);
  const owner = PACKAGE_OWNERS[name];
  if (owner === undefined) return `${from} imports ${name}, which no folder owns`;
  return placeOf(from).startsWith(`${owner}/`) ? undefined : `${from} imports ${name}, which belongs to ${owner}`;
}

/** `@scope/name/part` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function fileViolation(from: string, folder: string, target: string): string | undefined {
  const targetFolder = folderOf(target);
  if (targetFolder === undefined) return `${from} imports ${target}, which no rule covers`;
  const adapter = adapterOf(target);
  if (adapter !== undefined && adapter !== adapterOf(from) && folder !== 'compose') {
    return `${from} names the adapter ${adapter}`;
  }
  const internal = INTERNALS.find((name) => placeOf(target).startsWith(`${name}/`));
  if (internal !== undefined && folder !== targetFolder && folder !== 'compose') {
    return `${from} names ${internal}, which is internal to ${targetFolder}`;
  }
  if (adapterOf(from) === undefined && folder === targetFolder) return undefined;
  if (folder === targetFolder || MAY_IMPORT[folder]?.includes(targetFolder)) return undefined;
  return `${from} (${folder}) may not import ${target} (${targetFolder})`;
}

function guardedViolations(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return GUARDED_WORDS.filter(({ pattern }) => pattern.test(text))
    .filter(({ allowed }) => !allowed.some((place) => placeOf(path).startsWith(place)))
    .map(({ why }) => `${path}: ${why}`);
}

function violations(root: string): string[] {
  return filesBelow(root).flatMap((path) => [
    ...(folderOf(path) === undefined ? [`${path} lies in a folder that no rule covers`] : []),
    ...scanFile(root, path).flatMap((found) => violationOf(found) ?? []),
    ...guardedViolations(root, path),
  ]);
}

test('every source file keeps the table of imports, adapters, packages and guarded words', () => {
  expect(violations(ROOT)).toEqual([]);
});

test('the scan sees the whole tree', () => {
  const seen = filesBelow(ROOT);
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).toContain('src/core/errors.ts');
  expect(seen).toContain('workers/supervise.ts');
  expect(seen.some((path) => path.startsWith('web/search/'))).toBe(true);
});

test('no folder of sources holds more than forty files', () => {
  const files = globSync('{src,workers,web,packages}/**/*.*', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const byFolder = Map.groupBy(files, dirname);

  expect(files.length).toBeGreaterThan(100);
  expect([...byFolder].filter(([, { length }]) => length > FOLDER_FILES).map(([folder]) => folder)).toEqual([]);
});

test('what the product and its pages import is there without the packages for tests', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const imported = Object.keys(PACKAGE_OWNERS).filter((name) => !name.startsWith('node:'));

  expect(Object.keys({ ...dependencies, ...optionalDependencies }).sort()).toEqual([...imported, 'zod'].sort());
});

test('every package that a folder owns is imported there', () => {
  const imported = new Set(
    filesBelow(ROOT).flatMap((path) => scanFile(ROOT, path).map(({ specifier }) => packageOf(specifier))),
  );

  expect(Object.keys(PACKAGE_OWNERS).filter((name) => !imported.has(name))).toEqual([]);
});

test('ARCHITECTURE.md shows the table', () => {
  const document = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const shown = /<!-- dependency table: begin -->\n(?<table>[\s\S]*?)<!-- dependency table: end -->/.exec(document);
  const rows = Object.entries(MAY_IMPORT).map(
    ([folder, targets]) => `| \`${folder}\` | ${targets.map((target) => `\`${target}\``).join(', ') || '–'} |`,
  );

  expect(shown?.groups?.['table']?.trim().split('\n')).toEqual(['| From | May import |', '|---|---|', ...rows]);
});

test('ports import no service and no edge', () => {
  for (const port of PORTS)
    expect(MAY_IMPORT[port]?.filter((name) => !['core', 'text', 'observability'].includes(name))).toEqual([]);
});

describe('planted violations are caught', () => {
  const planted = filesBelow(FIXTURES);

  test.each(planted)('%s', (path) => {
    const text = readFileSync(join(FIXTURES, path), 'utf8');
    const expected = /^\/\/ caught: (?<words>.+)$/m.exec(text)?.groups?.['words'] ?? 'a line "// caught: …"';

    expect(
      violations(FIXTURES)
        .filter((violation) => violation.startsWith(path))
        .join('\n'),
    ).toContain(expected);
  });

  test('there is one for each kind', () => {
    expect(planted.length).toBeGreaterThanOrEqual(10);
  });
});
