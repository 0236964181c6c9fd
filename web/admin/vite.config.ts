import { defineConfig } from 'vite';

/**
 * The admin web is built apart from the search page: visitors load none of it, and what both share may lie in both.
 * Each page is a chunk of its own, which is loaded when it is opened.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/admin',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows files of the own host only: nothing may end up inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: isShared, priority: 2 },
            { name: folderOf, priority: 1, debugName: 'folder' },
          ],
        },
      },
    },
  },
});

/** What every page is made of is one file. Curves are drawn by few, and their library is large. */
function isShared(id: string): boolean {
  return (
    /\/node_modules\/preact|\/packages\/client\/|\/web\/parts\/|\/web\/admin\/(?:client|frame|parts)\//.test(id) &&
    !/draw-curves/.test(id)
  );
}

/** The parts of a page are one file: forty small ones compress a tenth worse, and each is a request. */
function folderOf(id: string): string | null {
  const [, folder = null] = /\/web\/admin\/pages\/([a-z-]+)\//.exec(id) ?? [];
  return folder;
}
