import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Built pages; made by the set-up. */
export const WEB_FOLDER = join(ROOT, 'web/dist');
/** The bundled demo site. */
export const SAMPLE_FOLDER = join(ROOT, 'web/sample-site');

/** Made by scripts/generate-docs.ts. */
export const OPENAPI_FILE = join(ROOT, 'docs/openapi.json');

export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}
