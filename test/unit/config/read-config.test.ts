import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIG, metaOf, shownConfig, VARIABLE_NAMES } from '../../../src/config/config.ts';
import { faultLines, readConfig } from '../../../src/config/read-config.ts';
import type { AppError } from '../../../src/core/errors.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

type Environment = Record<string, string>;

async function folderWith(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  return folder;
}

async function faultsOf(environment: Environment, files: Record<string, string> = {}): Promise<readonly string[]> {
  await using folder = await folderWith(files);
  const error: unknown = await readConfig({ environment, folder: folder.path }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error === undefined ? [] : faultLines(error as AppError);
}

async function configOf(environment: Environment, files: Record<string, string> = {}) {
  await using folder = await folderWith(files);
  return (await readConfig({ environment, folder: folder.path })).config;
}

test('nothing set gives the defaults, frozen', async () => {
  const config = await configOf({});

  expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', MAX_RESULT_WINDOW: 10_000, TRUST_PROXY: [] });
  expect(config).toEqual(CONFIG.parse({}));
  expect(Object.isFrozen(config)).toBe(true);
});

test('one prefix sets all that a front end of that prefix needs, and less than what is set by name', async () => {
  expect(await configOf({ FRONT_END_PREFIX: 'Acme' })).toMatchObject({
    STREAM_HEADER_PREFIXES: ['Service', 'Acme'],
    HTML_HOOK_PREFIX: ['data-search', 'data-acme'],
    PUBLIC_SETTINGS_ALLOW_BASIC: true,
    PUBLIC_SETTINGS_ALLOW_ANONYMOUS: true,
  });
  expect(await configOf({ FRONT_END_PREFIX: 'Acme', HTML_HOOK_PREFIX: 'data-x' })).toMatchObject({
    HTML_HOOK_PREFIX: ['data-x'],
  });
  expect(await faultsOf({ FRONT_END_PREFIX: 'A b' })).toHaveLength(1);
});

test('the environment wins over the file, the file over the default', async () => {
  const file = { 'fossick.config.yaml': 'version: 1\nsettings: { PORT: 9000, REGION: eu, CORS_MANAGEMENT: true }\n' };

  const config = await configOf({ PORT: '9001' }, file);

  expect(config).toMatchObject({ PORT: 9001, REGION: 'eu', CORS_MANAGEMENT: true, HOST: '127.0.0.1' });
});

test('an empty value counts as unset, in both places', async () => {
  const file = { 'fossick.config.yaml': 'settings: { PORT: 9000, HOST: "", PUBLIC_URL: ~ }' };

  expect(await configOf({ PORT: '  ' }, file)).toMatchObject({ PORT: 9000, HOST: '127.0.0.1' });
});

test.each<[name: string, text: string, value: unknown]>([
  ['ALERT_MAIL_FROM', 'fossick@example.com', ['fossick@example.com']],
  ['ALERT_QUIET_HOURS', '22:00-07:00', '22:00-07:00'],
  ['ALERT_TIME_ZONE', 'Europe/Berlin', 'Europe/Berlin'],
  ['CORS_ALLOWED_ORIGINS', 'https://a.test, http://b.test:81', ['https://a.test', 'http://b.test:81']],
  ['TRUST_PROXY', '10.0.0.0/8,::1', ['10.0.0.0/8', '::1']],
  ['TRUST_PROXY', 'off', []],
  ['STREAM_HEADER_PREFIXES', 'Service,Acme', ['Service', 'Acme']],
  ['HTML_HOOK_PREFIX', 'data-search, data-x,data-x', ['data-search', 'data-x']],
  ['PUBLIC_URL', 'https://search.test/', 'https://search.test'],
  ['REGION', 'EU', 'eu'],
  ['LLM_TEMPERATURE', '0.25', 0.25],
  ['LLM_ALLOWED_HOSTS', 'API.test:443, [::1]:8000', ['api.test:443', '[::1]:8000']],
  ['LLM_HEADERS', '{"x-team": "search"}', { 'x-team': 'search' }],
  ['CORS_MANAGEMENT', 'True', true],
  ['OCR_LANGUAGES', 'eng+chi_sim', 'eng+chi_sim'],
  ['RATE_AI_PER_MINUTE', '0', 0],
])('%s=%s is read as %j', async (name, text, value) => {
  expect(await configOf({ [name]: text })).toMatchObject({ [name]: value });
});

test.each<[name: string, text: string, message: string]>([
  ['ALERT_MAIL_TO', 'nobody', 'must be a comma list of e-mail addresses such as ops@example.com'],
  ['ALERT_MAIL_FROM', 'a@example.com,b@example.com', 'must be an e-mail address such as ops@example.com'],
  ['ALERT_DIGEST_AT', '7:30', 'must be a time such as 07:30'],
  ['ALERT_QUIET_HOURS', '22:00', 'must be two times such as 22:00-07:00'],
  ['ALERT_TIME_ZONE', 'Mars/Olympus', 'must be a time zone such as Europe/Berlin'],
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['PORT', '80a', 'must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'must be a whole number from 0 to 65535'],
  ['REGION', 'asia', 'must be one of any, eu, us'],
  ['OCR_LANGUAGES', 'eng -c x=y', 'must be names of languages at Tesseract, such as eng+deu'],
  ['CORS_MANAGEMENT', 'yes', 'must be true or false'],
  [
    'CORS_ALLOWED_ORIGINS',
    'https://a.test/path',
    'must be * or a comma list of origins such as https://www.example.com',
  ],
  ['TRUST_PROXY', '10.0.0.0/99', 'must be off or a comma list of addresses and networks such as 10.0.0.0/8'],
  ['PUBLIC_URL', 'search.test', 'must be an absolute URL (http or https)'],
])('%s=%s is refused with the allowed values', async (name, text, message) => {
  expect(await faultsOf({ [name]: text })).toEqual([`${name}: ${message}, not ${JSON.stringify(text)}`]);
});

test('all faults are reported at once, those of the file with their lines', async () => {
  const file = 'version: 1\nsettings:\n  PORT: http\n  SPEED: 3\n  HOST: [a]\n  REGION: eu\n';

  const faults = await faultsOf({ REGION: 'mars' }, { 'fossick.config.yaml': file });

  expect(faults).toEqual([
    'fossick.config.yaml:4: settings.SPEED is not known (docs/configuration.md has the names)',
    'fossick.config.yaml:5: settings.HOST must be a text, a number, true or false',
    'fossick.config.yaml:3: settings.PORT must be a whole number from 0 to 65535, not "http"',
    'REGION: must be one of any, eu, us, not "mars"',
  ]);
});

test('a secret is read from the file that NAME_FILE names', async () => {
  const secret = 'a long enough secret';

  expect(await configOf({ OPERATOR_TOKEN_FILE: 'token' }, { token: `${secret}\n` })).toMatchObject({
    OPERATOR_TOKEN: secret,
  });
});

test('a fault of a secret does not show it', async () => {
  expect(await faultsOf({ OPERATOR_TOKEN: 'hunter2' })).toEqual(['OPERATOR_TOKEN: must have at least 16 characters']);
  expect(await faultsOf({ OPERATOR_TOKEN_FILE: 'token' }, { token: 'hunter2' })).toEqual([
    'OPERATOR_TOKEN_FILE: must have at least 16 characters',
  ]);
});

test('a secret file that is missing, or set beside its variable, is a fault', async () => {
  const token = { OPERATOR_TOKEN_FILE: 'token' };

  expect(await faultsOf(token)).toEqual(['OPERATOR_TOKEN_FILE: names a file that is missing or empty']);
  expect(await faultsOf({ ...token, OPERATOR_TOKEN: 'a long enough secret' }, { token: 'x' })).toEqual([
    'OPERATOR_TOKEN_FILE: must not be set beside OPERATOR_TOKEN: keep one of the two',
  ]);
});

test.each<[name: string, text: string, faults: string[]]>([
  ['fossick.config.yaml', 'version: 1\nsettings: {\n', ['fossick.config.yaml:3']],
  ['fossick.config.yaml', 'version: 1\nversion: 2\n', ['fossick.config.yaml:2']],
  ['fossick.config.json', '{\n  "version": 1,\n  settings: {}\n}', ['fossick.config.json:3']],
  ['fossick.config.json', '{\n  "version": 1\n', ['fossick.config.json:3']],
  ['fossick.config.json', '{\n  "a": 1,\n  "a": 2\n}', ['fossick.config.json:3']],
  ['fossick.config.ts', 'export const x = 1;', ['fossick.config.ts']],
  ['fossick.config.ts', 'throw new Error("broken");', ['fossick.config.ts']],
])('a mistake in %s (%j) names its line', async (name, text, places) => {
  const faults = await faultsOf({}, { [name]: text });

  expect(faults.map((fault) => fault.split(': ', 1)[0])).toEqual(places);
});

test.each([
  ['fossick.config.yaml', 'version: 1\nsettings:\n  PORT: 9000\n'],
  ['fossick.config.json', '{"version": 1, "settings": {"PORT": 9000}}'],
  ['fossick.config.ts', 'export default { version: 1, settings: { PORT: 9000 } };'],
])('%s in the working folder is found', async (name, text) => {
  expect(await configOf({}, { [name]: text })).toMatchObject({ PORT: 9000 });
});

test('CONFIG_FILE names another file', async () => {
  expect(await configOf({ CONFIG_FILE: 'my.yml' }, { 'my.yml': 'settings: { PORT: 9000 }' })).toMatchObject({
    PORT: 9000,
    CONFIG_FILE: 'my.yml',
  });
});

test.each([
  ['/not/there.yml', 'does not exist'],
  ['/not/there.ts', 'does not exist'],
  ['/not/there.toml', 'must end in .ts, .yaml, .yml or .json'],
])('CONFIG_FILE=%s is a fault that names the variable and the whole path', async (path, problem) => {
  expect(await faultsOf({ CONFIG_FILE: path })).toEqual([`CONFIG_FILE: ${path} ${problem}`]);
});

test('two files in the working folder are a fault', async () => {
  expect(await faultsOf({}, { 'fossick.config.yaml': '', 'fossick.config.json': '{}' })).toEqual([
    'fossick.config.json: is one file too many beside fossick.config.yaml: remove one, or set CONFIG_FILE',
  ]);
});

test('lineOf knows the line of a member, or of what is around it', async () => {
  const text = 'version: 1\ncustomers:\n  - id: 1\n    engines:\n      - id: 1\n        name: Main\n';
  await using folder = await folderWith({ 'fossick.config.yaml': text });
  const { file } = await readConfig({ environment: {}, folder: folder.path });

  expect(file?.lineOf(['customers', 0, 'engines', 0, 'name'])).toBe(6);
  expect(file?.lineOf(['customers', 0, 'engines', 0, 'nothing'])).toBe(5);
  expect(file?.lineOf(['customers', 0, 'engines'])).toBe(4);
  expect(file?.lineOf([])).toBe(1);
});

test('every variable has a description and an area', () => {
  for (const name of VARIABLE_NAMES)
    expect(metaOf(name), name).toMatchObject({
      description: expect.stringMatching(/\w/),
      area: expect.stringMatching(/\w/),
    });
});

test('a file that cannot be read is a fault, not a crash', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'fossick.config.yaml'));
  await chmod(folder.path, 0o700);

  await expect(readConfig({ environment: {}, folder: folder.path })).rejects.toMatchObject({
    code: 'request.invalid',
    options: { problems: [{ path: join(folder.path, 'fossick.config.yaml'), message: 'cannot be read (EISDIR)' }] },
  });
});

test('a shown configuration tells of secrets only that they are set', async () => {
  const config = await configOf({ OPERATOR_TOKEN: 'a long enough secret', REGION: 'eu' });

  expect(shownConfig(config)).toMatchObject({
    OPERATOR_TOKEN: 'set',
    QUERY_ID_SECRET: null,
    REGION: 'eu',
    PUBLIC_URL: null,
  });
});

test('mail needs a server', async () => {
  expect(await faultsOf({ ALERT_MAIL_TO: 'ops@example.com' })).toEqual(['SMTP_URL: must be set with ALERT_MAIL_TO']);
});

const ENDPOINT = { LLM_BASE_URL: 'https://api.test/v1' };

test.each<[string, Environment, string]>([
  ['without its name', ENDPOINT, 'LLM_MODEL: must be set with LLM_BASE_URL'],
  ['by its name alone', { LLM_MODEL: 'm' }, 'LLM_BASE_URL: must be set with LLM_MODEL, or LLM_PROVIDER_PACKAGE'],
  [
    'for vectors by its name alone',
    { EMBEDDING_MODEL: 'm' },
    'EMBEDDING_BASE_URL: must be set with EMBEDDING_MODEL, or EMBEDDING_PROVIDER_PACKAGE',
  ],
  [
    'on a host that is not allowed',
    { ...ENDPOINT, LLM_MODEL: 'm', LLM_ALLOWED_HOSTS: 'api.test:8443' },
    'LLM_ALLOWED_HOSTS: must hold api.test:443, the host of LLM_BASE_URL, not "api.test:8443"',
  ],
  [
    'for vectors without its name',
    { EMBEDDING_BASE_URL: 'https://api.test/v1' },
    'EMBEDDING_MODEL: must be set with EMBEDDING_BASE_URL',
  ],
  [
    'for vectors on a host that is not allowed',
    { EMBEDDING_BASE_URL: 'https://api.test/v1', EMBEDDING_MODEL: 'm', LLM_ALLOWED_HOSTS: 'other.test:443' },
    'LLM_ALLOWED_HOSTS: must hold api.test:443, the host of EMBEDDING_BASE_URL, not "other.test:443"',
  ],
  [
    'of a package without its name',
    { LLM_PROVIDER_PACKAGE: '@ai-sdk/some', LLM_ALLOWED_HOSTS: 'api.test:443' },
    'LLM_MODEL: must be set with LLM_PROVIDER_PACKAGE',
  ],
  [
    'of a package whose hosts nobody named',
    { LLM_PROVIDER_PACKAGE: '@ai-sdk/some', LLM_MODEL: 'm' },
    'LLM_ALLOWED_HOSTS: must name the hosts that @ai-sdk/some calls, such as api.example.com:443, as LLM_BASE_URL is not set',
  ],
  [
    'for vectors of a package whose hosts nobody named',
    { ...ENDPOINT, LLM_MODEL: 'm', EMBEDDING_PROVIDER_PACKAGE: 'some', EMBEDDING_MODEL: 'm' },
    'LLM_ALLOWED_HOSTS: must name the hosts that some calls, such as api.example.com:443, as EMBEDDING_BASE_URL is not set',
  ],
  [
    'for vectors on this machine and by its name',
    { EMBEDDING_MODEL_FOLDER: 'models/small', EMBEDDING_MODEL: 'm' },
    'EMBEDDING_MODEL: must not be set with EMBEDDING_MODEL_FOLDER, which names the model, not "m"',
  ],
  [
    'for vectors on this machine and at an endpoint',
    { EMBEDDING_MODEL_FOLDER: 'models/small', EMBEDDING_BASE_URL: 'https://api.test/v1' },
    'EMBEDDING_BASE_URL: must not be set with EMBEDDING_MODEL_FOLDER, which names the model, not "https://api.test/v1"',
  ],
  [
    'without its name, beside one of this machine,',
    { EMBEDDING_MODEL_FOLDER: 'models/small', ...ENDPOINT },
    'LLM_MODEL: must be set with LLM_BASE_URL',
  ],
])('a model %s is a fault', async (_, environment, fault) => {
  expect(await faultsOf(environment)).toEqual([fault]);
});

test.each([
  './provider',
  '../x',
  '/x',
  'a/b',
  '@a',
  '@a/b/c',
  'https://a.test/b.tgz',
  'file:x',
  'node:fs',
  'A',
  'a@1',
  '.a',
])('%s is no name of a package', async (name) => {
  const environment = { LLM_PROVIDER_PACKAGE: name, LLM_MODEL: 'm', LLM_ALLOWED_HOSTS: 'api.test:443' };
  expect(await faultsOf(environment)).toEqual([
    `LLM_PROVIDER_PACKAGE: must be the name of an npm package such as @ai-sdk/mistral, without path or version, not "${name}"`,
  ]);
});

test('a package is named with its endpoint, or with the hosts that it calls', async () => {
  const named = { LLM_PROVIDER_PACKAGE: '@ai-sdk/some', LLM_MODEL: 'm' };
  expect(await configOf({ ...ENDPOINT, ...named })).toMatchObject({ LLM_PROVIDER_PACKAGE: '@ai-sdk/some' });
  expect(await configOf({ LLM_ALLOWED_HOSTS: 'api.test:443', ...named })).toMatchObject({ LLM_MODEL: 'm' });
});

test.each(['{"x y": "a"}', '{"x": 1}', '{"x": "a\\r\\nb"}', '["x"]', 'x: a'])(
  'headers of model calls %s are refused and not shown',
  async (text) => {
    const faults = await faultsOf({ LLM_HEADERS: text });
    expect(faults).toEqual([expect.stringContaining('LLM_HEADERS: must be a JSON object')]);
    expect(faults.join()).not.toContain(text);
  },
);

test('key and headers of the model are not shown', async () => {
  const config = await configOf({ LLM_API_KEY: 'model-key', LLM_HEADERS: '{"x-key":"header-key"}' });
  expect(JSON.stringify(shownConfig(config))).not.toMatch(/model-key|header-key/);
});
