import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;

/** `web/admin` has a build of its own (`web/admin/vite.config.ts`). */
const NO_PAGES = new Set(['dist', 'sample-site', 'admin']);

/** Every folder with an `index.html` is a page: `web/search/index.html` becomes `web/dist/search/index.html`. */
const pages = readdirSync(folder)
  .filter((name) => !NO_PAGES.has(name))
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
    rolldownOptions: { input: pages, output: { codeSplitting: { groups: [{ name: pageOf, debugName: 'page' }] } } },
  },
});

type Graph = {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
};

/**
 * What a page needs at once is one file, with all that later parts share with it: several compress a twentieth worse, and
 * each is a request. Null for what is imported later only.
 */
function pageOf(id: string, graph: Graph, seen = new Set<string>()): string | null {
  if (seen.has(id)) return null;
  seen.add(id);
  const info = graph.getModuleInfo(id);
  if (info === null) return null;
  const isAtOnce = info.isEntry || info.importers.some((importer) => pageOf(importer, graph, seen) !== null);
  return isAtOnce ? 'page' : null;
}
