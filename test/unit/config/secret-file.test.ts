import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepSecretFile, operatorTokenPath } from '../../../src/config/secret-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a secret is made once, for all who ask at the same time, readable by its owner only', async () => {
  await using folder = await temporaryFolder();
  const path = operatorTokenPath(join(folder.path, 'data'));

  const secrets = await Promise.all(Array.from({ length: 8 }, () => keepSecretFile(path)));

  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await keepSecretFile(path)).toBe(secrets[0]);
});

test('an empty secret file is refused: an empty token would open the admin API', async () => {
  await using folder = await temporaryFolder();
  const path = operatorTokenPath(folder.path);
  await writeFile(path, '\n');

  await expect(keepSecretFile(path)).rejects.toMatchObject({ code: 'internal' });
});
