/** Builds `web/dist` and, last, records which sources it was built from, so that the set-up can tell when to repeat it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildWidget } from './build-widget.mjs';
import { hashWebSources, webMarker } from './setup/web-sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const hash = hashWebSources(root);
await build({ configFile: join(root, 'web', 'vite.config.ts') });
await build({ configFile: join(root, 'web', 'admin', 'vite.config.ts') });
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
await buildWidget(root);
for (const folder of ['assets', 'admin/assets', 'widget']) compress(join(root, 'web/dist', folder));
writeFileSync(webMarker(root), hash);

/** Scripts and styles lie beside their compressed forms, so that serving them costs no processor time. */
function compress(folder) {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|css)$/.test(file)) continue;
    const bytes = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes));
  }
}
