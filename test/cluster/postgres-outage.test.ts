import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
/** From the first call that gets no answer on. */
const NOTICED_WITHIN_MS = 10_000;
const AT_ONCE_MS = 1_000;
const CLOCK = pathToFileURL(join(import.meta.dirname, '../helpers/shifted-clock.ts')).href;
const FIVE_MINUTES_MS = 300_000;

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function newDatabase(): Promise<string> {
  databases++;
  const name = `outage_${databases}`;
  await server.createDatabase(name);
  return name;
}

/** A product whose only way to its database is a line that fails. */
async function startBehindLine() {
  await using stack = new AsyncDisposableStack();
  const name = await newDatabase();
  const url = new URL(server.url(name));
  const line = stack.use(await startTcpProxy(Number(url.port)));
  url.port = String(line.port);
  const folder = stack.use(await temporaryFolder());
  const environment = { DATABASE_URL: url.href, RATE_SEARCH_PER_SECOND: '0', RATE_MANAGEMENT_PER_SECOND: '0' };
  const product = stack.use(await startProcesses({ dataDir: folder.path, environment }));
  const key = (await readFile(join(folder.path, 'demo-api-key'), 'utf8')).trim();
  const token = (await readFile(join(folder.path, 'operator-token'), 'utf8')).trim();
  const processes = () => processesOf(product, token);
  // The product answers before the roles are up that search and pushes can do without.
  await eventually(async () => {
    const ready = (await processes()).filter((each) => each.ready === true);
    return ['api', 'upkeep', 'crawl-1'].every((role) => ready.some(({ name }) => name === role));
  }, 30_000);
  const owned = stack.move();
  return {
    ...{ name, line, product },
    restarts: async () => (await processes()).map(({ name, restarts, lastCause }) => ({ name, restarts, lastCause })),
    push: (id: string) => push(product, key, id),
    status: () => runCli(['status', '--url', product.address], { environment: { DATA_DIR: folder.path } }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Status and time of a push. */
async function push({ address }: RunningProduct, key: string, id: string) {
  const startedAtMs = performance.now();
  const response = await fetch(`${address}/api/v4/1/index/1/documents`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`1:${key}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify([{ id, fields: { Title: id } }]),
  });
  const body = (await response.json()) as { readonly errorCode?: string };
  return { status: response.status, body, ms: performance.now() - startedAtMs };
}

type Process = {
  readonly name: string;
  readonly ready: boolean | null;
  readonly restarts: number;
  readonly lastCause: string | null;
};

async function processesOf({ address }: RunningProduct, token: string): Promise<readonly Process[]> {
  const response = await fetch(`${address}/admin/v1/processes`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { readonly items: readonly Process[] }).items;
}

async function countFound({ address }: RunningProduct, query: string): Promise<number> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: SITE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { TotalDocument?: number }).TotalDocument ?? 0;
}

const healthOf = async ({ address }: RunningProduct, name: string) => (await fetch(`${address}/health/${name}`)).status;

test('a server that says nothing: requests fail fast, status and log say why, all goes on without a restart', async () => {
  await using running = await startBehindLine();
  const { line, product } = running;
  expect((await running.push('zephyrine')).status).toBe(200);
  const restarts = await running.restarts();
  line.silence();

  const first = await running.push('lost7');
  const next = await running.push('lost7');
  const shown = await running.status();

  expect(first).toMatchObject({ status: 500, body: { message: 'Nothing can be read or stored at the moment' } });
  expect(first.ms).toBeLessThan(NOTICED_WITHIN_MS);
  expect(next).toMatchObject({ status: 500, body: { errorCode: 'storage.unavailable' } });
  expect(next.ms).toBeLessThan(AT_ONCE_MS);
  expect(shown.code).toBe(1);
  expect(shown.err).toContain('PostgreSQL: PostgreSQL does not answer: nothing comes from the server');
  expect(shown.err).not.toContain('check of');
  expect(shown.out).toContain('engines cannot be read');
  expect(await healthOf(product, 'ready')).toBe(503);
  expect(await healthOf(product, 'live')).toBe(200);
  expect(product.stdout()).toContain('PostgreSQL says nothing');

  line.heal();
  await eventually(async () => (await running.push('backward7')).status === 200, 30_000);
  await eventually(async () => (await countFound(product, 'backward7')) === 1, 30_000);
  await eventually(async () => (await healthOf(product, 'ready')) === 200, 30_000);
  expect(await countFound(product, 'zephyrine')).toBe(1);
  expect(await countFound(product, 'lost7')).toBe(0);
  expect(await running.restarts()).toEqual(restarts);
  await eventually(async () => !(await running.status()).err.includes('PostgreSQL'), 30_000);
});

test('a server that takes no writes for a while: pushes say so, searches and status go on', async () => {
  await using running = await startBehindLine();
  const { line, name, product } = running;
  expect((await running.push('zephyrine')).status).toBe(200);
  await eventually(async () => (await countFound(product, 'zephyrine')) === 1, 30_000);
  const setReadOnly = async (value: string) => {
    await server.query('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only TO ${value}`);
    line.cut();
  };

  await setReadOnly('on');
  const refused = await eventually(async () => {
    const answer = await running.push('lost7');
    return answer.body.errorCode === 'storage.full' && answer;
  }, 30_000);
  const shown = await eventually(async () => {
    const { code, out, err } = await running.status();
    return err.includes('takes no writes') && { code, out, err };
  }, 30_000);

  expect(refused).toMatchObject({ status: 500, body: { message: 'Nothing can be stored at the moment' } });
  expect(shown.code).toBe(1);
  expect(shown.out).toMatch(/stores\s+PostgreSQL \d+/);
  expect(await countFound(product, 'zephyrine')).toBe(1);

  await setReadOnly('off');
  await eventually(async () => (await running.push('backward7')).status === 200, 30_000);
  await eventually(async () => (await countFound(product, 'backward7')) === 1, 30_000);
});

test('a machine whose clock is five minutes off works beside its database, and so after it was set right', async () => {
  await using folder = await temporaryFolder();
  const DATABASE_URL = server.url(await newDatabase());
  const environment = { DATABASE_URL, RATE_SEARCH_PER_SECOND: '0' };
  const shifted = { NODE_OPTIONS: `--import=${CLOCK}`, TEST_CLOCK_AHEAD_MS: String(FIVE_MINUTES_MS) };
  const findsPush = async (more: Readonly<Record<string, string>>, id: string) => {
    await using product = await startProcesses({ dataDir: folder.path, environment: { ...environment, ...more } });
    const key = (await readFile(join(folder.path, 'demo-api-key'), 'utf8')).trim();
    expect((await push(product, key, id)).status).toBe(200);
    await eventually(async () => (await countFound(product, id)) === 1, 60_000);
    // The sample site, which a crawler of this start or the one before has visited.
    await eventually(async () => (await countFound(product, '*')) > 50, 90_000);
  };

  await findsPush(shifted, 'zephyrine');
  await findsPush({}, 'quillonade');
});
