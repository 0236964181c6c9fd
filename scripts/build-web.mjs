/** Builds `web/dist` and, last, records which sources it was built from, so that the set-up can tell when to repeat it. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { hashWebSources, webMarker } from './setup/web-sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const hash = hashWebSources(root);
await build({ configFile: join(root, 'web', 'vite.config.ts') });
// The client as one module without imports, for pages of other hosts.
await build({
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: join(root, 'web', 'dist'),
    emptyOutDir: false,
    target: 'es2022',
    minify: true,
    lib: { entry: join(root, 'packages/client/src/index.ts'), formats: ['es'], fileName: () => 'client.js' },
  },
});
writeFileSync(webMarker(root), hash);
