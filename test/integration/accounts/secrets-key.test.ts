import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretBox, secretOpener } from '../../../src/compose/secrets.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { sealedText } from '../../../src/core/crawler-secrets.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the key of secrets is made once, for its owner only, and every process opens what another sealed', async () => {
  await using folder = await temporaryFolder();
  const config = CONFIG.parse({ DATA_DIR: folder.path });

  const sealed = (await openSecretBox(config)).seal('open sesame');
  const open = secretOpener(await openSecretBox(config));

  expect((await stat(join(folder.path, 'secrets-key'))).mode & 0o777).toBe(0o600);
  expect(open(sealedText(sealed))).toBe('open sesame');
});

test('a key of the configuration takes its place, and opens nothing of another', async () => {
  await using folder = await temporaryFolder();
  const made = (await openSecretBox(CONFIG.parse({ DATA_DIR: folder.path }))).seal('open sesame');
  const config = CONFIG.parse({ DATA_DIR: folder.path, SECRETS_KEY: 'another key, long enough' });

  expect(secretOpener(await openSecretBox(config))(sealedText(made))).toBeUndefined();
});

test('a variable is read when it is needed, but none of the secrets of the installation itself', async () => {
  await using folder = await temporaryFolder();
  const open = secretOpener(await openSecretBox(CONFIG.parse({ DATA_DIR: folder.path })));
  process.env['TEST_SITE_PASSWORD'] = ' open sesame \n';
  process.env['OPERATOR_TOKEN'] = 'token of the operator';
  try {
    expect(open({ fromEnv: 'TEST_SITE_PASSWORD' })).toBe('open sesame');
    expect(open({ fromEnv: 'OPERATOR_TOKEN' })).toBeUndefined();
    expect(open({ fromEnv: 'TEST_SITE_UNSET' })).toBeUndefined();
  } finally {
    delete process.env['TEST_SITE_PASSWORD'];
    delete process.env['OPERATOR_TOKEN'];
  }
});
