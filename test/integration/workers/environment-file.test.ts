import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** What a program of the product says that runs in the folder. */
function run(file: string, words: readonly string[], cwd: string, environment: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, file), ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('commands and roles read .env of their folder, and the environment wins over it', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, '.env'), '# ours\nDATA_DIR=from-file\nPORT="99999"\n');
  const status = (environment?: Readonly<Record<string, string>>) =>
    run('bin/fossick.js', ['status'], folder.path, { PORT: '1', ...environment });

  expect(status().stderr).toContain('no operator token in from-file');
  expect(status({ DATA_DIR: 'from-environment' }).stderr).toContain('no operator token in from-environment');
  expect(run('workers/api.ts', [], folder.path)).toEqual({
    status: 1,
    stderr: 'fossick: PORT: must be a whole number from 0 to 65535, not "99999"\n',
  });
});
