import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFindings } from '../../../src/compose/doctor/examine-machine.ts';
import { openStores } from '../../../src/compose/stores.ts';
import { finding } from '../../../src/health/health.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { freePort } from '../../helpers/processes.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const PATH = process.env['PATH'] ?? '';

/** What `fossick doctor --json` finds for a data folder of its own. */
async function examine(environment: Readonly<Record<string, string>>) {
  await using folder = await temporaryFolder();
  const given = { PATH, DATA_DIR: join(folder.path, 'data'), PORT: String(await freePort()), ...environment };
  const { code, out } = await runCli(['doctor', '--json'], { environment: given, folder: folder.path });
  const { isRunning, findings } = JSON.parse(out) as {
    isRunning: boolean;
    findings: { name: string; subject: string; sentence: string; command: string }[];
  };
  expect(code).toBe(findings.length > 0 ? 1 : 0);
  expect(findings.filter(({ command }) => command === '')).toEqual([]);
  return { isRunning, findings, names: findings.map(({ name }) => name) };
}

test('without a product the machine is looked at, part by part', async () => {
  await using folder = await temporaryFolder();
  const environment = { PATH, DATA_DIR: folder.path, PORT: String(await freePort()) };

  const { out } = await runCli(['doctor'], { environment, folder: folder.path });

  for (const part of ['Node', 'configuration', 'data folder', 'disk', 'Redis', 'ports', 'names of seeds']) {
    expect(out).toMatch(new RegExp(`^ok    ${part}$`, 'm'));
  }
  expect(out).toMatch(/^- {5}running product: nothing answers here, so what runs was not looked at: npm start$/m);
});

test('every fault of the configuration is one finding', async () => {
  const { names, findings } = await examine({ PORT: 'eighty', LOG_LEVEL: 'loud' });

  expect(names).toEqual(['configuration-wrong', 'configuration-wrong']);
  expect(findings.map(({ subject }) => subject)).not.toContain('');
});

test('a port that another program has is named with another one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const { findings } = await examine({ PORT: String(port) });

    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'port-taken', command: expect.stringContaining(`PORT=${port + 1} npm start`) }),
    );
  } finally {
    server.close();
  }
});

test.each([
  ['there is no redis-server', { PATH: '/nowhere' }, 'redis-missing'],
  ['the Redis of REDIS_URL does not answer', { REDIS_URL: 'redis://127.0.0.1:1' }, 'redis-down'],
  ['the Chromium that is named is not there', { CHROMIUM_PATH: '/nowhere/chromium' }, 'browser-missing'],
])('%s', async (_case, environment, name) => {
  expect((await examine(environment)).names).toContain(name);
});

/** Of servers that answer what OpenSearch answers to the two questions of the doctor. */
async function indexServers(version: string, status: string) {
  const server = createHttpServer((request, response) => {
    const isRoot = request.url === '/';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isRoot ? { version: { number: version, distribution: 'opensearch' } } : { status }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test.each([
  ['hold all of the index', '3.3.2', 'green', undefined],
  ['hold one copy of it', '3.3.2', 'yellow', undefined],
  ['are without a part of it', '3.3.2', 'red', 'A part of an index is away from the servers of OPENSEARCH_URL'],
  ['are too old', '2.19.0', 'green', 'OPENSEARCH_URL names a server of version 2.19.0: OpenSearch 3.0 or later is'],
])('index servers that %s', async (_case, version, status, sentence) => {
  await using servers = await indexServers(version, status);

  const { findings } = await examine({ OPENSEARCH_URL: servers.url });

  const told = findings.filter(({ name }) => name === 'index-down').map((found) => found.sentence);
  expect(told).toEqual(sentence === undefined ? [] : [expect.stringContaining(sentence)]);
});

test('index servers and a database that do not answer are a finding each', async () => {
  const { names } = await examine({
    OPENSEARCH_URL: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/f',
  });

  expect(names).toEqual(expect.arrayContaining(['database-down', 'index-down']));
});

test('the names of seeds are looked up from the stores of a product that does not run', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  {
    await using stores = await openStores({ DATA_DIR: dataDir }, silentLog);
    const config = { seeds: ['http://no-such-name.invalid/', 'http://localhost/', 'http://127.0.0.1:1/'] };
    const empty = { settings: {} as never, publicSettings: {} as never };
    await stores.systemStore.changeRecords(
      'test',
      [
        { kind: 'put-customer', id: 1, name: 'One' },
        { kind: 'put-engine', id: 1, customerId: 1, name: 'One', language: 'en', ...empty },
        { kind: 'put-crawler', id: 2, engineId: 1, name: 'Site', config },
        { kind: 'set-crawler-active', id: 2, active: true },
      ],
      0,
    );
  }

  const { findings, isRunning } = await examine({ DATA_DIR: dataDir });

  expect(isRunning).toBe(false);
  expect(findings.filter(({ name }) => name === 'host-unknown')).toMatchObject([
    { subject: 'crawler 2 http://no-such-name.invalid/', command: expect.stringContaining('fossick crawler set 2') },
  ]);
}, 30_000);

test('what a running product finds stands beside what this machine shows', async () => {
  const told = { subject: 'indexer', sentence: 'No process has the role indexer', command: 'npm start' };
  await using api = await startAdminApi(() => [], undefined, {
    health: { findings: async () => [finding('role-missing', told)] },
  });
  const environment = { PORT: new URL(api.origin).port, OPERATOR_TOKEN };

  const running = await examine(environment);
  expect(running).toMatchObject({ isRunning: true, names: expect.arrayContaining(['role-missing']) });
  expect(running.names).not.toContain('port-taken');
  expect((await examine({ ...environment, OPERATOR_TOKEN: 'another-token-of-tests' })).names).toContain(
    'token-refused',
  );
});

test.each([
  ['24.12.0', 0],
  ['25.0.0', 0],
  ['24.11.9', 1],
  ['20.19.0', 1],
])('Node %s gives %d findings', (version, count) => {
  expect(nodeFindings(version)).toHaveLength(count);
});
