import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startGeneratedSite } from '../../scripts/bench/generated-site.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPrivateRedis } from '../helpers/private-redis.ts';
import { freePort } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const PAGES = 20;
const TOKEN = 'operator-token-of-role-tests';

type Role = AsyncDisposable & { readonly healthPort: number; stop(): Promise<number | null> };

async function startRole(role: string, environment: Readonly<Record<string, string>>): Promise<Role> {
  const healthPort = await freePort();
  const child: ChildProcess = spawn(process.execPath, [`workers/${role}.ts`], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', HEALTH_PORT: String(healthPort), ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode;
    child.kill('SIGTERM');
    await once(child, 'exit');
    return child.exitCode;
  };
  return { healthPort, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

const ready = async (port: number) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200;

test('the roles run as separate processes on one data folder, answer for their health and stop with code 0', async () => {
  await using folder = await temporaryFolder();
  await using redis = await startPrivateRedis();
  await using site = await startGeneratedSite(PAGES);
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  await writeFile(join(folder.path, 'empty.yaml'), 'version: 1\n');
  const port = await freePort();
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    OPERATOR_TOKEN: TOKEN,
    REDIS_URL: redis.url,
    CONFIG_FILE: join(folder.path, 'empty.yaml'),
  };
  await using api = await startRole('api', environment);
  await using indexer = await startRole('indexer', environment);
  await using scheduler = await startRole('scheduler', environment);
  await using crawl = await startRole('crawl', environment);
  for (const { healthPort } of [api, indexer, scheduler, crawl]) await eventually(() => ready(healthPort), 120_000);

  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { id: number };
  };
  await admin('POST', '/customers', { id: 1, name: 'Roles' });
  await admin('POST', '/engines', { id: 1, customer: 1, name: 'Site', language: 'en' });
  await admin('POST', '/crawlers', { id: 1, engine: 1, name: 'Site', seeds: [site.start] });
  await admin('POST', '/crawlers/1/activate');

  const siteKey = `SiteKey ${Buffer.from('1:1:SearchKey').toString('base64')}`;
  await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v4/1/1/search`, {
      method: 'POST',
      headers: { authorization: siteKey, 'content-type': 'application/json' },
      body: '{"query":"*"}',
    });
    return ((await answer.json()) as { TotalDocument?: number }).TotalDocument === PAGES;
  }, 60_000);

  const codes = await Promise.all([api, indexer, scheduler, crawl].map((role) => role.stop()));
  expect(codes).toEqual([0, 0, 0, 0]);
});
