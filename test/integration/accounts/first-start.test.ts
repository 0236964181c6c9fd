import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { openInstallation } from '../../../src/compose/installation.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ADDRESS = 'http://127.0.0.1:1';

async function firstStartIn(dataDir: string, site?: string, variables: Readonly<Record<string, string>> = {}) {
  const config = CONFIG.parse({ DATA_DIR: dataDir, SECRETS_KEY: 'a key of sixteen characters', ...variables });
  return openInstallation({ config, address: ADDRESS, site, log: silentLog });
}

test('an empty installation gets a demo customer with a key', async () => {
  await using folder = await temporaryFolder();

  const start = await firstStartIn(folder.path);

  expect(start).toMatchObject({ engine: { id: 1 }, seed: `${ADDRESS}/sample/index.html`, apiKey: expect.any(String) });
  expect((await firstStartIn(folder.path))?.apiKey).toBe(start?.apiKey);
});

test('the pages of a first start are published, the first one at the root', async () => {
  await using folder = await temporaryFolder();
  await firstStartIn(folder.path);

  const root = await firstStartIn(folder.path);
  const site = await firstStartIn(folder.path, 'https://www.example.com/');
  const sameHost = await firstStartIn(folder.path, 'https://www.example.com/docs/');

  expect([root, site, sameHost]).toMatchObject([
    { pagePath: '/', engine: { settings: { page: { published: true } } } },
    { pagePath: '/s/www-example-com' },
    { engine: { id: 3, name: 'www.example.com' } },
  ]);
  expect(sameHost?.pagePath).toBeUndefined();
});

test.each([
  ['lead to the place in the page', {}, true],
  ['are addresses of documents, which an existing front end looks titles up by', { FRONT_END_PREFIX: 'Acme' }, false],
])('links of answers of the first engine %s with %j', async (_what, variables, citationFragments) => {
  await using folder = await temporaryFolder();

  const start = await firstStartIn(folder.path, undefined, variables);

  expect(start?.engine.settings).toMatchObject({ aiEnabled: true, citationFragments });
});

test('an installation with customers of its own gets no demo key', async () => {
  await using folder = await temporaryFolder();
  {
    await using system = await openSystem(folder.path);
    const changes = [
      { kind: 'put-customer', id: 3, name: 'Three' },
      {
        kind: 'put-engine',
        id: 6,
        customerId: 3,
        name: 'Six',
        language: 'en',
        settings: ENGINE_DEFAULTS,
        publicSettings: PUBLIC_DEFAULTS,
      },
    ] as const;
    await system.store.changeRecords('test', [...changes], systemClock.now());
  }

  await firstStartIn(folder.path);

  expect(existsSync(join(folder.path, 'demo-api-key'))).toBe(false);
});
