import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WEB_FOLDER } from './browser-view.ts';

const folder = join(WEB_FOLDER, 'assets');
const gzipBytes = (name: RegExp) =>
  readdirSync(folder)
    .filter((file) => name.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

test('the search page takes less than 25 kB of scripts and 6 kB of styles, answers and each language a part of it more', () => {
  const page = readFileSync(join(WEB_FOLDER, 'search/index.html'), 'utf8');
  const [script = ''] = /assets\/index-[\w-]+\.js/.exec(page) ?? [];

  expect(gzipSync(readFileSync(join(WEB_FOLDER, script))).length).toBeLessThan(25_000);
  expect(gzipBytes(/^index-.*\.css$/)).toBeLessThan(6_000);
  expect(gzipBytes(/^conversation-card-.*\.js$/)).toBeLessThan(6_000);
  for (const language of ['de', 'fa', 'ja', 'hi']) {
    const bytes = gzipBytes(new RegExp(`^${language}-.*\\.js$`));
    expect([language, bytes > 0, bytes < 5_000]).toEqual([language, true, true]);
  }
});
