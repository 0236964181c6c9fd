/** Writes `web/sample-site` from `web/sample-content`. A test fails when the committed files are out of date. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSite } from './sample-site/site.ts';

const web = join(import.meta.dirname, '..', 'web');
const target = join(web, 'sample-site');
rmSync(target, { recursive: true, force: true });
for (const [path, bytes] of buildSite(join(web, 'sample-content'))) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
