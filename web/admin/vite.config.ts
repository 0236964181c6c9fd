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
  },
});
