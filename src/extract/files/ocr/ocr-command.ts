import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program that takes a picture (PGM) on its standard input and writes its text to its standard output. */
export type OcrCommand = {
  /** Absolute. */
  readonly path: string;
  readonly args: readonly string[];
};

export type OcrPlaces = {
  /** `PATH`. */
  readonly searchPath: string;
  /** Where an operator installs packages. */
  readonly packagesFolder: string;
  /** Names of languages at Tesseract, joined by `+`. */
  readonly languages: string;
};

/** Dots per inch of the pictures: a scan is read well at them. */
export const OCR_DPI = 200;

const COMMAND = 'tesseract';
const PACKAGE = 'tesseract.js';
const DATA_PACKAGES = '@tesseract.js-data';

/** The installed command, else the optional package, which reads one language; undefined when there is neither. */
export function findOcrCommand(places: OcrPlaces): OcrCommand | undefined {
  const { searchPath, packagesFolder, languages } = places;
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const path = folders.map((folder) => join(folder, COMMAND)).find(isExecutable);
  if (path !== undefined) return { path, args: ['stdin', 'stdout', '-l', languages, '--dpi', String(OCR_DPI)] };
  const modules = join(packagesFolder, 'node_modules');
  // Each language is a package, and it takes the data of one.
  const parts = [PACKAGE, join(DATA_PACKAGES, languages)];
  if (!parts.every((part) => existsSync(join(modules, part, 'package.json')))) return undefined;
  const script = fileURLToPath(new URL('./recognize-by-package.ts', import.meta.url));
  const program = fileURLToPath(new URL('../../..', import.meta.url));
  const permissions = [
    '--permission',
    '--allow-worker',
    ...[program, join(modules, '/')].map((folder) => `--allow-fs-read=${folder}*`),
    '--import',
    fileURLToPath(new URL('../no-network.ts', import.meta.url)),
  ];
  return { path: process.execPath, args: [...permissions, '--no-warnings', script, modules, languages] };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
