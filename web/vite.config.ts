import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;

/** Every folder with an `index.html` is a page: `web/search/index.html` becomes `web/dist/search/index.html`. */
const pages = readdirSync(folder)
  .filter((name) => name !== 'dist' && name !== 'sample-site')
  .map((name) => join(folder, name, 'index.html'))
  .filter((path) => existsSync(path));

export default defineConfig({
  root: folder,
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy of the pages allows files of the own host only: nothing may end up inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pages },
  },
});
