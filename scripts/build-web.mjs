/** Builds `web/dist` and, last, records which sources it was built from, so that the set-up can tell when to repeat it. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { hashWebSources, webMarker } from './setup/web-sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const hash = hashWebSources(root);
await build({ configFile: join(root, 'web', 'vite.config.ts') });
writeFileSync(webMarker(root), hash);
