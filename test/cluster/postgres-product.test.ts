import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, runProcesses, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
const SAMPLE_PAGES = 60;

async function newDatabase(): Promise<string> {
  const name = `product_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  return url.href;
}

async function countFound({ address }: RunningProduct, query: string): Promise<number> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: SITE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { TotalDocument?: number }).TotalDocument ?? 0;
}

async function push({ address }: RunningProduct, dataDir: string, id: string, title: string): Promise<number> {
  const key = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim();
  const body = [{ id, fields: { Title: title } }];
  const response = await fetch(`${address}/api/v4/1/index/1/documents`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`1:${key}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return response.status;
}

test('the product crawls, takes documents and finds them on PostgreSQL, also after a restart', async () => {
  await using folder = await temporaryFolder();
  const DATABASE_URL = await newDatabase();
  const environment = { DATABASE_URL, RATE_SEARCH_PER_SECOND: '0' };
  const start = () => startProcesses({ dataDir: folder.path, environment });
  {
    await using product = await start();
    await eventually(async () => (await countFound(product, '*')) >= SAMPLE_PAGES, 120_000);

    expect(await push(product, folder.path, 'pushed', 'Zephyrine')).toBe(200);
    await eventually(async () => (await countFound(product, 'zephyrine')) === 1, 30_000);
    const shown = await runCli(['status', '--url', product.address], { environment: { DATA_DIR: folder.path } });
    expect(shown.out).toMatch(/stores\s+PostgreSQL \d+/);
  }
  {
    await using product = await start();
    await eventually(async () => (await countFound(product, 'zephyrine')) === 1, 60_000);

    expect(await countFound(product, '*')).toBeGreaterThanOrEqual(SAMPLE_PAGES);
  }
  const other = await temporaryFolder();
  const refused = await runProcesses({ dataDir: other.path, environment });
  await other[Symbol.asyncDispose]();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('is not the key of the installation in DATABASE_URL');
});

test('a start whose database does not answer ends with what is wrong', async () => {
  await using folder = await temporaryFolder();
  const environment = { DATABASE_URL: 'postgres://fossick@127.0.0.1:1/fossick' };

  const { code, stderr } = await runProcesses({ dataDir: folder.path, environment });

  expect(code).toBe(1);
  expect(stderr).toContain('PostgreSQL does not answer: connect ECONNREFUSED 127.0.0.1:1');
});

test.each([
  ['backup', ['backup', 'x.tar.zst']],
  ['restore', ['restore', 'x.tar.zst']],
  ['verify', ['verify']],
])('the command %s says what to use instead', async (_name, words) => {
  await using folder = await temporaryFolder();
  const environment = { DATA_DIR: folder.path, DATABASE_URL: 'postgres://fossick@127.0.0.1:1/fossick' };

  const { code, err } = await runCli(words, { environment, folder: folder.path });

  expect(code).not.toBe(0);
  expect(err).toContain('use pg_dump, pg_restore and pg_amcheck');
});
