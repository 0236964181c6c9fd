import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium as findInSetup } from '../../../scripts/setup/facts.mjs';
import { findChromium } from '../../../src/fetch/browser/find-chromium.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])(
  'the crawler finds %s where the set-up does',
  async (name) => {
    await using folder = await temporaryFolder();
    const programs = join(folder.path, 'bin');
    mkdirSync(programs);
    const path = join(programs, name);
    writeFileSync(path, '');
    chmodSync(path, 0o755);
    const before = { PATH: process.env['PATH'], CHROMIUM_PATH: process.env['CHROMIUM_PATH'] };
    process.env['PATH'] = programs;
    delete process.env['CHROMIUM_PATH'];
    try {
      expect(findInSetup()).toBe(path);
    } finally {
      Object.assign(
        process.env,
        { PATH: before.PATH },
        before.CHROMIUM_PATH && { CHROMIUM_PATH: before.CHROMIUM_PATH },
      );
    }

    expect(await findChromium({ named: undefined, searchPath: programs })).toBe(path);
  },
);

test('a browser that is named is the only one', async () => {
  await using folder = await temporaryFolder();
  const named = join(folder.path, 'browser');
  expect(await findChromium({ named, searchPath: process.env['PATH'] ?? '' })).toBeUndefined();
  writeFileSync(named, '');
  chmodSync(named, 0o755);
  expect(await findChromium({ named, searchPath: '' })).toBe(named);
});
