import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ProvisionDeps, readProvisionFile } from '../../../src/accounts/provision-file.ts';
import { locateProblems, readConfigFile } from '../../../src/config/config-file.ts';
import type { AppError } from '../../../src/core/errors.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DEPS: ProvisionDeps = {
  parseCrawlerSettings: parseCrawlSettings,
  readVariable: (name) => (name === 'CMS_API_KEY' ? 'key-3-example' : undefined),
};

async function faultsOf(yaml: string): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'fossick.config.yaml'), yaml);
  const file = await readConfigFile(folder.path, undefined);
  if (file === undefined) throw new Error('no file');
  try {
    readProvisionFile(DEPS, file.content);
    return [];
  } catch (error) {
    return locateProblems(file, (error as AppError).options.problems ?? []);
  }
}

const CUSTOMER = 'version: 1\ncustomers:\n  - id: 3\n';

test.each<[what: string, yaml: string, faults: string[]]>([
  ['a later version', 'version: 2\n', ['1: version: must be 1: a file of a later version needs a later program']],
  ['no version', 'customers: []\n', ['1: version: must be 1: a file of a later version needs a later program']],
  ['an unknown member', 'version: 1\n\ncustomer: []\n', ['3: customer: is not known here; did you mean customers?']],
  ['an unknown member of a customer', `${CUSTOMER}    colour: red\n`, ['4: customers[0].colour: is not known here']],
  [
    'an unknown member of an engine',
    `${CUSTOMER}    engines:\n      - id: 6\n        perpage: 5\n`,
    ['6: customers[0].engines[0].perpage: is not known here; did you mean perPage?'],
  ],
  [
    'an unknown member beside the settings of an engine',
    `${CUSTOMER}    engines:\n      - id: 6\n        langauge: de\n`,
    ['6: customers[0].engines[0].langauge: is not known here; did you mean language?'],
  ],
  [
    'unknown members of a crawler',
    `${CUSTOMER}    crawlers:\n      - id: 17\n        engine: 6\n        actve: true\n        limits:\n          Depth: 3\n`,
    [
      '9: customers[0].crawlers[0].limits.Depth is no setting of a crawler; did you mean depth?',
      '7: customers[0].crawlers[0].actve is no setting of a crawler; did you mean active?',
    ],
  ],
  [
    'an engine setting out of bounds',
    `${CUSTOMER}    engines:\n      - id: 6\n        perPage: 0\n`,
    ['6: customers[0].engines[0].perPage: must be at least 1'],
  ],
  [
    'a language that is no code',
    `${CUSTOMER}    engines:\n      - id: 6\n        language: English\n`,
    ['6: customers[0].engines[0].language: must be a two-letter language code such as en'],
  ],
  [
    'a public setting that is not known',
    `${CUSTOMER}    engines:\n      - id: 6\n        publicSettings:\n          x: 1\n`,
    ['7: customers[0].engines[0].publicSettings.x: is not known here'],
  ],
  [
    'a facet without a field',
    `${CUSTOMER}    engines:\n      - id: 6\n        facets:\n          - name: A\n`,
    ['7: customers[0].engines[0].facets[0].field: is required'],
  ],
  [
    'a crawler without an engine',
    `${CUSTOMER}    crawlers:\n      - id: 17\n`,
    ['5: customers[0].crawlers[0].engine: is required'],
  ],
  [
    'a wrong crawler setting',
    `${CUSTOMER}    crawlers:\n      - id: 17\n        engine: 6\n        limits:\n          depth: deep\n`,
    ['8: customers[0].crawlers[0].limits.depth: must be a number'],
  ],
  [
    'wrong settings beside a wrong record',
    `${CUSTOMER}    nam: A\n    engines:\n      - id: 6\n        perPag: 5\n    crawlers:\n      - id: 17\n        engine: 6\n        seeds: [a]\n      - id: x\n`,
    [
      '12: customers[0].crawlers[1].id: must be a number',
      '12: customers[0].crawlers[1].engine: is required',
      '4: customers[0].nam: is not known here; did you mean name?',
      '7: customers[0].engines[0].perPag: is not known here; did you mean perPage?',
      '11: customers[0].crawlers[0].seeds[0]: must be an absolute http or https URL',
    ],
  ],
  ['a wrong id', 'version: 1\ncustomers:\n  - id: 0\n', ['3: customers[0].id: must be at least 1']],
  [
    'a key without a form',
    `${CUSTOMER}    keys:\n      - name: cms\n`,
    ['5: customers[0].keys[0]: needs exactly one of fromEnv, sha256, value'],
  ],
  [
    'a key of two forms',
    `${CUSTOMER}    keys:\n      - { name: cms, value: a, fromEnv: CMS_API_KEY }\n`,
    ['5: customers[0].keys[0]: needs exactly one of fromEnv, sha256, value'],
  ],
  [
    'a key whose variable is not set',
    `${CUSTOMER}    keys:\n      - name: cms\n        fromEnv: OTHER\n`,
    ['6: customers[0].keys[0].fromEnv: OTHER is not set in the environment that the product was started with'],
  ],
  [
    'a digest that is none',
    `${CUSTOMER}    keys:\n      - name: cms\n        sha256: abc\n`,
    ['6: customers[0].keys[0].sha256: must be 64 hexadecimal digits'],
  ],
  [
    'two keys of one name',
    `${CUSTOMER}    keys:\n      - { name: cms, value: a }\n      - { name: cms, value: b }\n`,
    ['6: customers[0].keys[1]: there is another key cms'],
  ],
  [
    'one key twice',
    `${CUSTOMER}    keys:\n      - { name: a, value: key-3-example }\n      - { name: b, fromEnv: CMS_API_KEY }\n`,
    ['6: customers[0].keys[1]: is the same key as a'],
  ],
  ['a customer twice', `${CUSTOMER}  - id: 3\n`, ['4: customers[1].id: there is another customer 3 in the file']],
  [
    'an engine twice, under two customers',
    `${CUSTOMER}    engines: [{ id: 6 }]\n  - id: 4\n    engines: [{ id: 6 }]\n`,
    ['6: customers[1].engines[0].id: there is another engine 6 in the file'],
  ],
  [
    'a crawler twice',
    `${CUSTOMER}    crawlers:\n      - { id: 17, engine: 6 }\n      - { id: 17, engine: 6 }\n`,
    ['6: customers[0].crawlers[1].id: there is another crawler 17 in the file'],
  ],
  ['no members at all', 'hello\n', ['1: must be an object with members']],
])('%s is refused with its line', async (_what, yaml, faults) => {
  expect(await faultsOf(yaml)).toEqual(faults.map((fault) => `fossick.config.yaml:${fault}`));
});

test('all mistakes are reported at once', async () => {
  const yaml = `${CUSTOMER}    keys:\n      - { name: cms, fromEnv: OTHER }\n    engines:\n      - { id: 6, x: 1, perPage: 0 }\n`;

  expect(await faultsOf(yaml)).toHaveLength(3);
});

test('records get their defaults', () => {
  const [customer] = readProvisionFile(DEPS, {
    version: 1,
    customers: [
      {
        id: 3,
        keys: [{ name: 'cms', fromEnv: 'CMS_API_KEY' }],
        engines: [{ id: 6, perPage: 20, publicSettings: { instantSuggestions: { limit: 3 } } }],
        crawlers: [{ id: 17, engine: 6, seeds: ['https://a.test/'] }],
      },
    ],
  });

  expect(customer).toMatchObject({
    name: 'Customer 3',
    keys: [{ name: 'cms', isClearText: false, last4: '' }],
    engines: [
      {
        name: 'Engine 6',
        language: 'en',
        settings: { perPage: 20, operator: 'OR', facets: [{ name: 'Category', size: 50 }] },
        publicSettings: { instantSuggestions: { limit: 3, suggestions: [] } },
      },
    ],
    crawlers: [{ engineId: 6, name: 'Crawler 17', active: false, config: { limits: { depth: 20 } } }],
  });
});
