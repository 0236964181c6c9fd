import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WEB_FOLDER } from './browser-view.ts';

const gzipBytes = (paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(WEB_FOLDER, path))).length, 0);
const assets = readdirSync(join(WEB_FOLDER, 'assets')).map((file) => `assets/${file}`);
const named = (name: string) => assets.filter((path) => path.startsWith(`assets/${name}-`) && /\.js$/.test(path));
const inPage = (ending: string) => {
  const page = readFileSync(join(WEB_FOLDER, 'search/index.html'), 'utf8');
  return assets.filter((path) => path.endsWith(ending) && page.includes(`/${path}"`));
};

test('the scripts that the search page names are less than 25 kB, its styles less than 6 kB', () => {
  // All of them: what scripts share may lie in files of its own.
  expect(inPage('.js')).not.toEqual([]);
  expect(gzipBytes(inPage('.js'))).toBeLessThan(25_000);
  expect(gzipBytes(inPage('.css'))).toBeLessThan(6_000);
});

test.each(['conversation-card', 'de', 'fa', 'ja', 'hi'])('what is loaded besides, %s, is less than 5 kB', (name) => {
  expect(named(name)).toHaveLength(1);
  expect(gzipBytes(named(name))).toBeLessThan(5_000);
});

test('the admin web is less than 150 kB in all, and less than 40 kB before its first page', () => {
  const files = readdirSync(join(WEB_FOLDER, 'admin/assets')).map((file) => `admin/assets/${file}`);
  const sent = files.filter((path) => /\.(?:js|css)$/.test(path));
  const page = readFileSync(join(WEB_FOLDER, 'admin/index.html'), 'utf8');
  const atOnce = sent.filter((path) => page.includes(`/${path}"`));

  expect(atOnce.length).toBeGreaterThan(1);
  expect(gzipBytes(sent)).toBeLessThan(150_000);
  expect(gzipBytes(atOnce)).toBeLessThan(40_000);
});
