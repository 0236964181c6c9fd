import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { freePort, type RunningProduct, runProcesses, runRoleProcess, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
const SAMPLE_PAGES = 60;
const ROLES = ['api', 'crawl-1', 'redis', 'supervisor', 'upkeep'];
/** Polling asks more often than a visitor may. */
const UNLIMITED = { RATE_SEARCH_PER_SECOND: '0' };

async function post(address: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${address}/api/v4/1/1${path}`, {
    method: 'POST',
    headers: { authorization: SITE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const search = async (address: string, body: unknown) =>
  (await post(address, '/search', body)) as { TotalDocument: number; TypedDocuments: unknown[] };

const ask = async (address: string, question: string) =>
  ((await post(address, '/search/answer', { question, includeCitations: true })) as { value: unknown }).value;

/** What the next tests find running: each leaves a product on the same folder behind. */
const shared: { dataDir: string; product: RunningProduct | undefined } = { dataDir: '', product: undefined };
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  shared.dataDir = stack.use(await temporaryFolder()).path;
  stack.defer(async () => void (await shared.product?.stop()));
});
afterAll(() => stack.disposeAsync());

async function runningProduct(): Promise<RunningProduct> {
  shared.product ??= await startProcesses({ dataDir: shared.dataDir, environment: UNLIMITED });
  return shared.product;
}

const hasSamplePages = async ({ address }: RunningProduct) =>
  (await search(address, { query: '*' })).TotalDocument >= SAMPLE_PAGES;

test('a start is ready only when there is an indexer for what is pushed then', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const starting = startProcesses({ dataDir: shared.dataDir, environment: { ...UNLIMITED, PORT: String(port) } });

  await eventually(
    () =>
      fetch(`${address}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );
  const token = await readFile(join(shared.dataDir, 'operator-token'), 'utf8');
  const status = await fetch(`${address}/admin/v1/status`, { headers: { authorization: `Bearer ${token.trim()}` } });
  shared.product = await starting;

  expect(await status.json()).toMatchObject({
    roles: expect.arrayContaining([{ role: 'indexer', holder: expect.stringMatching(/^upkeep/) }]),
  });
});

test('a first start shows the way in, crawls the sample site and makes it searchable', async () => {
  const product = await runningProduct();

  expect(product.stdout()).toMatch(/Search page {5}http:\/\/127\.0\.0\.1:\d+\//);
  expect(product.stdout()).toContain('SiteKey         MToxOlNlYXJjaEtleQ==');
  const { port } = new URL(product.address);
  expect(product.stdout()).toContain(`(how far: DATA_DIR=${shared.dataDir} PORT=${port} npx fossick run list 1)`);
  await eventually(() => hasSamplePages(product), 60_000);
  expect((await search(product.address, { query: '*' })).TypedDocuments).toHaveLength(10);
  expect(await ask(product.address, 'How many minutes before closing time is the last entry?')).toMatchObject({
    couldAnswer: true,
    citations: expect.arrayContaining([
      expect.objectContaining({ url: expect.stringMatching(/\/sample\/visit\/opening-hours\.html#/) }),
    ]),
  });
  expect(await (await fetch(`${product.address}/health/ready`)).json()).toEqual({
    status: 'ready',
    checks: { stores: true, indexes: true, started: true, accepting: true },
  });
  expect([...product.pids().keys()].sort()).toEqual(ROLES);
});

test('a second instance on one data folder ends with a line that says what to do', async () => {
  await runningProduct();

  const second = await runProcesses({ dataDir: shared.dataDir });

  expect(second.code).toBe(1);
  expect(second.stderr).toBe(
    `fossick: another fossick runs on ${shared.dataDir}: stop it, or set DATA_DIR to another folder; to add a site to it: fossick site add <url>\n`,
  );
});

test('a role that is killed comes back, and search goes on', async () => {
  const product = await runningProduct();
  // The sample site is served by the api: while that is down, its host would rightly be held.
  await eventually(() => hasSamplePages(product), 60_000);

  for (const role of ['api', 'upkeep', 'crawl-1', 'redis']) {
    const before = product.pids().get(role);
    product.kill(role);
    await eventually(() => {
      const now = product.pids().get(role);
      return now !== undefined && now !== before;
    }, 30_000);
  }

  await eventually(() => hasSamplePages(product), 30_000);
});

test('it stops at SIGTERM with code 0, and the next start has everything at once', async () => {
  const first = await runningProduct();
  await eventually(() => hasSamplePages(first), 60_000);

  const ended = await first.stop();
  shared.product = undefined;
  const second = await runningProduct();

  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(await hasSamplePages(second)).toBe(true);
});

test('a start that is broken off by a signal says nothing of it', async () => {
  await using folder = await temporaryFolder();
  const starting = startProcesses({ dataDir: folder.path }).catch(String);

  const pids = await eventually(async () => {
    const rows = JSON.parse(await readFile(join(folder.path, 'processes.json'), 'utf8').catch(() => '[]'));
    const pidByRole = new Map<string, number>(rows.map(({ role, pid }: { role: string; pid: number }) => [role, pid]));
    return pidByRole.has('api') ? pidByRole : undefined;
  }, 60_000);
  for (const role of ['supervisor', 'api']) process.kill(pidOf(pids, role), 'SIGINT');

  expect(await starting).toBe('Error: ended while starting: ');
});

test('a role without its supervisor ends', async () => {
  const product = await runningProduct();
  const pids = await eventually(() => [product.pids()].find((now) => now.size === ROLES.length), 60_000);

  product.kill('supervisor');
  shared.product = undefined;

  for (const role of ['api', 'upkeep', 'crawl-1']) await eventually(() => !isAlive(pidOf(pids, role)), 120_000);
  const second = await runningProduct();
  expect((await search(second.address, { query: '*' })).TotalDocument).toBeGreaterThanOrEqual(0);
  await eventually(() => !isAlive(pidOf(pids, 'redis')), 120_000);
});

test('a signal to all processes at once, as a terminal sends it, starts nothing again', async () => {
  const product = await runningProduct();

  for (const role of ['redis', 'upkeep', 'api', 'crawl-1']) process.kill(pidOf(product.pids(), role), 'SIGINT');
  const ended = await product.stop();
  shared.product = undefined;

  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).not.toContain('starting it again');
});

function pidOf(pids: ReadonlyMap<string, number>, role: string): number {
  const pid = pids.get(role);
  if (pid === undefined) throw new Error(`no ${role} runs`);
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a port in use ends the start with a line that says what to do', async () => {
  await using folder = await temporaryFolder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';

  const ended = await runProcesses({ dataDir: folder.path, environment: { PORT: port } });
  server.close();

  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(`fossick: port ${port} is in use: stop the other program or set PORT to a free port\n`);
});

test('every fault of the configuration is named at once, with its line', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'broken.yaml');
  await writeFile(file, 'version: 1\nsettings:\n  PORT: many\n  RATE_AI_BURST: -1\n');

  const ended = await runProcesses({
    dataDir: join(folder.path, 'data'),
    environment: { CONFIG_FILE: file, PORT: '' },
  });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('broken.yaml:3');
  expect(ended.stderr).toContain('broken.yaml:4');
  expect(ended.stderr).not.toContain('    at ');
});

test('a mistake in a record of the provision file is named with its line and nothing is applied', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'broken.yaml');
  await writeFile(
    file,
    'version: 1\ncustomers:\n  - id: 1\n    name: A\n    engines:\n      - { id: 1, name: B, language: en, colour: red }\n',
  );

  const ended = await runProcesses({ dataDir: join(folder.path, 'data'), environment: { CONFIG_FILE: file } });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^fossick: broken\.yaml:6\b.*colour.*\n$/);
});

test('a data folder that cannot be used ends the start with one line', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'a-file');
  await writeFile(file, 'not a folder');

  const ended = await runProcesses({ dataDir: join(file, 'data') });

  expect(ended.code).toBe(1);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).toContain('DATA_DIR');
});

test('a store that is no database ends the start with a line that names it', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'system.db'), 'something else');

  const ended = await runProcesses({ dataDir: folder.path });

  expect(ended).toMatchObject({
    code: 1,
    stderr: 'fossick: system.db is no database, or damaged: stop the product and put a copy of the file back\n',
  });
});

test('a Redis that does not answer ends the start with one line', async () => {
  await using folder = await temporaryFolder();
  const environment = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };

  const ended = await runProcesses({ dataDir: folder.path, environment });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    'fossick: the Redis of REDIS_URL does not answer: start it, or unset REDIS_URL for a private one\n',
  );
});

/** 192.0.2.1 is an address for documentation, which no machine has. */
const notHere = (host: string) =>
  `fossick: HOST is ${host}, which is no address of this machine: set it to one, such as 127.0.0.1, or 0.0.0.0 for all\n`;

test('HOST=192.0.2.1 ends the start with one line, and what it stored is for its user alone in a folder that others may enter', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o755 });

  const ended = await runProcesses({ dataDir, environment: { HOST: '192.0.2.1' } });

  expect(ended).toMatchObject({ code: 1, stderr: notHere('192.0.2.1') });
  const names = await readdir(dataDir, { recursive: true });
  const open = names.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0);
  expect(names).toEqual(expect.arrayContaining(['system.db', 'operator-token', 'redis']));
  expect(open).toEqual([]);
});

// A name with an empty label is refused without asking a name server. What the api alone says, all of it says.
test('HOST=no..host ends the start with one line', async () => {
  await using folder = await temporaryFolder();

  const ended = await runRoleProcess('api', { dataDir: folder.path, environment: { HOST: 'no..host' } });

  expect(ended).toMatchObject({ code: 1, stderr: notHere('no..host') });
});

test('a health port in use ends a role that runs alone with a line that names it', async () => {
  await using folder = await temporaryFolder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const ended = await runRoleProcess('indexer', { dataDir: folder.path, environment: { HEALTH_PORT: String(port) } });
  server.close();

  expect(ended).toMatchObject({
    code: 1,
    stderr: `fossick: port ${port} is in use: stop the other program or set HEALTH_PORT to a free port\n`,
  });
});

test.each(['crawl', 'scheduler', 'upkeep'])('%s alone without a Redis ends with one line', async (role) => {
  await using folder = await temporaryFolder();

  const ended = await runRoleProcess(role, { dataDir: folder.path });

  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'fossick: this role needs a Redis: set REDIS_URL, such as redis://127.0.0.1:6379, or run everything with npm start\n',
  });
});

test('a provider package that is not installed ends the start with the command that installs it', async () => {
  await using folder = await temporaryFolder();
  const named = { LLM_PROVIDER_PACKAGE: '@ai-sdk/not-there', LLM_MODEL: 'any' };
  const environment = { ...named, LLM_ALLOWED_HOSTS: 'api.example.com:443' };

  const ended = await runRoleProcess('api', { dataDir: folder.path, environment });

  const command = `npm install --ignore-scripts --prefix "${folder.path}/packages" @ai-sdk/not-there`;
  expect(ended).toMatchObject({
    code: 1,
    stderr: `fossick: LLM_PROVIDER_PACKAGE names @ai-sdk/not-there, which is not installed: ${command}\n`,
  });
});

const MODEL = { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'any' };
const runApi = (options: Parameters<typeof runProcesses>[0]) => runRoleProcess('api', options);

test.each([
  ['LLM_CA_FILE', runApi, MODEL, 'not-there.pem', 'cannot be read'],
  ['CONTENT_MODEL_PATH', runProcesses, {}, 'not-there.json', 'cannot be read'],
  ['CONTENT_MODEL_PATH', runProcesses, {}, 'package.json', 'is no content model'],
])(
  '%s that names no such file ends the start with a line that names both',
  async (name, run, others, file, problem) => {
    await using folder = await temporaryFolder();

    const ended = await run({ dataDir: folder.path, environment: { ...others, [name]: file } });

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(new RegExp(`^fossick: ${name}: ${file} ${problem}`));
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('    at ');
  },
);

test('help ends with code 0', async () => {
  await using folder = await temporaryFolder();

  const help = await runProcesses({ dataDir: folder.path, words: ['--help'] });

  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^usage: npm start/) });
});

test.each<[words: string[], fault: string]>([
  [['example.com'], 'example.com is no address: write https://example.com/'],
  [['www.example.com:8443/shop'], 'www.example.com:8443/shop is no address: write https://www.example.com:8443/shop'],
  [['nonsense'], 'nonsense is no address: write one such as https://www.example.com/'],
  [['ftp://example.com/'], 'ftp://example.com/ is no address: write one such as https://www.example.com/'],
  [['--port=80'], 'there is no option --port=80'],
  [['https://a.example/', 'https://b.example/'], 'give one site only'],
])('%j is refused before the usage', async (words, fault) => {
  await using folder = await temporaryFolder();

  const ended = await runProcesses({ dataDir: folder.path, words });

  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr.startsWith(`fossick: ${fault}\n\nusage: npm start`)).toBe(true);
});
