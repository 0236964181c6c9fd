/**
 * Takes out of `node_modules` what no process of the product reads: a third of what packages bring.
 * `node scripts/setup/drop-unused.mjs` does it where packages were installed by hand, as in the container image.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Read by debuggers alone. */
const SOURCE_MAP = /\.(?:[cm]?[jt]s|css)\.map$/;
/** Draws pages of pdf.js, which reads text for us in a child that may load no native code. */
const CANVAS = /^canvas-/;

export function dropUnused(root) {
  const modules = join(root, 'node_modules');
  for (const path of readdirSync(modules, { recursive: true })) {
    if (SOURCE_MAP.test(path)) rmSync(join(modules, path));
  }
  const canvas = join(modules, '@napi-rs');
  for (const name of existsSync(canvas) ? readdirSync(canvas) : []) {
    if (CANVAS.test(name)) rmSync(join(canvas, name), { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) dropUnused(join(dirname(process.argv[1]), '../..'));
