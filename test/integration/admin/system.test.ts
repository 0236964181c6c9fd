import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logFolder, openLogFile, readLogTail } from '../../../src/observability/log-files.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { missing, SITE, startCrawledApi } from '../../helpers/crawled-api.ts';
import { facts } from '../../helpers/frontier.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const line = (time: number, level: number, process: string, msg: string, more = {}) =>
  `${JSON.stringify({ level, time, process, pid: 1, ...more, msg })}\n`;
const EVERYTHING = { level: 'debug', process: undefined, text: undefined, after: undefined, limit: 100 } as const;

describe('the log of a process', () => {
  test('is kept in two files of a megabyte', async () => {
    await using folder = await temporaryFolder();
    const logs = logFolder(folder.path);
    const file = openLogFile(logs, 'crawl-1');
    const long = 'x'.repeat(10_000);

    for (let i = 0; i < 300; i++) file.write(line(i, 30, 'crawl-1', long));

    expect((await readdir(logs)).sort()).toEqual(['crawl-1.log', 'crawl-1.log.old']);
    for (const name of await readdir(logs)) expect((await stat(join(logs, name))).size).toBeLessThan(1.1 * 2 ** 20);
    expect((await readLogTail(logs, EVERYTHING)).at(-1)?.at).toBe(299);
  });

  test('makes no data folder, and loses what cannot be written without a word', async () => {
    await using folder = await temporaryFolder();
    const absent = join(folder.path, 'absent');

    openLogFile(logFolder(absent), 'api').write('x\n');
    await writeFile(logFolder(folder.path), 'no folder');
    openLogFile(logFolder(folder.path), 'api').write('x\n');

    expect(await readdir(folder.path)).toEqual(['logs']);
    expect(await readFile(logFolder(folder.path), 'utf8')).toBe('no folder');
  });

  test('of 40 processes is kept, the oldest go', async () => {
    await using folder = await temporaryFolder();
    const logs = logFolder(folder.path);

    for (let i = 0; i < 50; i++) openLogFile(logs, `api.host${i}.7`).write(line(i, 30, 'api', 'x'));

    expect((await readdir(logs)).length).toBeLessThanOrEqual(41);
    expect((await readLogTail(logs, EVERYTHING)).at(-1)?.at).toBe(49);
  });
});

async function startWithLog() {
  const api = await startAdminApi();
  const logs = logFolder(api.dataDir);
  await mkdir(logs);
  await writeFile(
    join(logs, 'api.log'),
    [
      line(1_000, 30, 'api', 'role started'),
      line(3_000, 50, 'api', 'store damaged', { engineId: 6 }),
      'no json\n',
    ].join(''),
  );
  await writeFile(join(logs, 'crawl-1.log'), line(2_000, 40, 'crawl-1', 'host is slow', { token: '[redacted]' }));
  const messages = async (query: string) =>
    (await api.get(`/logs?${query}`)).body.items.map(({ message }: { message: string }) => message);
  const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  return { ...api, logs, messages, cli, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

describe('the log of all processes', () => {
  test('is told oldest first, by level, process and text', async () => {
    await using api = await startWithLog();

    expect(await api.messages('')).toEqual(['role started', 'host is slow', 'store damaged']);
    expect(await api.messages('level=warn')).toEqual(['host is slow', 'store damaged']);
    expect(await api.messages('role=crawl')).toEqual(['host is slow']);
    expect(await api.messages('text=ENGINEID')).toEqual(['store damaged']);
    expect(await api.messages('limit=1')).toEqual(['store damaged']);
    expect((await api.get('/logs?level=error')).body.items[0]).toMatchObject({
      at: '1970-01-01T00:00:03.000Z',
      level: 'error',
      process: 'api',
      detail: { engineId: 6 },
    });
    expect(await api.get('/logs?level=loud')).toMatchObject({ status: 400 });
  });

  test('goes on where it was left', async () => {
    await using api = await startWithLog();
    const { next } = (await api.get('/logs')).body;

    expect((await api.get(`/logs?after=${next}`)).body).toEqual({ items: [], next });
    openLogFile(api.logs, 'crawl-1').write(line(4_000, 30, 'crawl-1', 'went on'));
    expect(await api.messages(`after=${next}`)).toEqual(['went on']);
  });

  test('is shown on the command line', async () => {
    await using api = await startWithLog();

    const { out } = await api.cli('logs', '--level', 'error');

    expect(out).toBe('1970-01-01T00:00:03.000Z error api: store damaged engineId=6\n');
  });
});

test('parts of the data folder are told with their size', async () => {
  await using api = await startWithLog();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.deps.engineStores.of(6);

  const { body } = await api.get('/processes');
  const { out } = await api.cli('processes');

  const parts = body.disk.parts as readonly { name: string; bytes: number }[];
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['system.db', 'engines/6', 'logs']));
  expect(parts.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(body.disk.freeBytes).toBeGreaterThan(0);
  expect(out).toMatch(/MB {2}engines\/6/);
});

describe('what failed', () => {
  async function startWithFailures() {
    const api = await startCrawledApi();
    await api.add([`${SITE}/a`, `${SITE}/b`, `${SITE}/c`]);
    await api.visit((url) =>
      url.endsWith('/c')
        ? missing()
        : { record: facts({ state: 'failed', reason: url.endsWith('/a') ? 'timeout' : 'reset' }) },
    );
    return api;
  }

  test('is counted beside what waits, crawler by crawler', async () => {
    await using api = await startWithFailures();

    expect((await api.get('/queues')).body).toEqual({
      items: [
        { crawler: 17, engine: 6, name: 'Site', active: true, waiting: 0, failed: 2, heldHosts: 0, heldRemovals: 0 },
      ],
      next: null,
    });
  });

  test('is visited again, all of it or by reason and host, and told in the audit log', async () => {
    await using api = await startWithFailures();

    expect(await api.post('/crawlers/17/retry', { reason: 'timeout' })).toMatchObject({
      status: 202,
      body: { urls: 1 },
    });
    expect(await api.post('/crawlers/17/retry', { host: 'other.test' })).toMatchObject({ body: { urls: 0 } });
    expect(await api.post('/crawlers/17/retry')).toMatchObject({ body: { crawler: 17, urls: 2 } });
    expect((await api.get('/queues')).body.items[0]).toMatchObject({ waiting: 2 });
    expect((await api.get('/audit')).body.items[2]).toMatchObject({
      action: 'retry-failed',
      after: { reason: 'timeout' },
    });
  });

  test('stays as it is while the crawler is not active', async () => {
    await using api = await startWithFailures();
    await api.post('/crawlers/17/deactivate');

    expect(await api.post('/crawlers/17/retry')).toMatchObject({ status: 409 });
  });
});
