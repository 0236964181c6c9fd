import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertTargetParser } from '../../../src/accounts/alert-target-settings.ts';
import { readAlertTargets } from '../../../src/accounts/provision-alert-targets.ts';
import { readProvisionFile } from '../../../src/accounts/provision-file.ts';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';
import { defineConfig, type FossickConfig } from '../../../src/config/define-config.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DEPS = {
  parseCrawlerSettings: parseCrawlSettings,
  parseAlertTarget: alertTargetParser(createSecretBox('secrets-key-of-the-tests')),
  readVariable: () => 'key-1-example',
};

test('the example file is a right one', async () => {
  await using folder = await temporaryFolder();
  await copyFile('fossick.config.example.yaml', join(folder.path, 'fossick.config.yaml'));

  const { config, file } = await readConfig({ environment: {}, folder: folder.path });

  expect(config.PORT).toBe(8080);
  expect(readProvisionFile(DEPS, file?.content)).toMatchObject([
    { id: 1, engines: [{ id: 1, name: 'Main' }], crawlers: [{ id: 1, engineId: 1, active: true }] },
  ]);
  const content = file?.content as FossickConfig | undefined;
  expect(readAlertTargets(DEPS, content?.alertTargets, new Map())).toMatchObject({
    wanted: [{ id: 10, settings: { kind: 'mail', digestAt: '07:30', changes: true } }],
    problems: [],
  });
});

test('what defineConfig accepts can be read', () => {
  const content = defineConfig({
    version: 1,
    settings: { PORT: 9000, CORS_MANAGEMENT: true },
    alertTargets: [{ id: 10, name: 'chat', kind: 'webhook', url: { fromEnv: 'CHAT_URL' } }],
    customers: [
      {
        id: 3,
        keys: [{ name: 'cms', fromEnv: 'CMS_API_KEY' }],
        engines: [
          {
            id: 6,
            perPage: 20,
            facets: [{ name: 'Category', field: 'Category', size: 10 }],
            highlight: { preTag: '<mark>', postTag: '</mark>' },
            publicSettings: { instantSuggestions: { suggestions: ['prices'] } },
          },
        ],
        crawlers: [{ id: 17, engine: 6, active: true, seeds: ['https://a.test/'], limits: { depth: 3 } }],
      },
    ],
  });

  expect(readProvisionFile(DEPS, content)).toMatchObject([
    { engines: [{ settings: { perPage: 20, highlight: { preTag: '<mark>', fragmentSize: 160 } } }] },
  ]);
});
