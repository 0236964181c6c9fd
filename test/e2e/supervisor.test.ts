import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const KEY = 'supervisor-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const DOCUMENTS = 40;

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Supervisor test',
      keys: [{ name: 'test', value: KEY }],
      engines: [{ id: 1, name: 'Pushed', language: 'en' }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', active: false, seeds: [] }],
    },
  ],
};

async function installation() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const environment = { CONFIG_FILE: file, RATE_SEARCH_PER_SECOND: '0', RATE_MANAGEMENT_PER_SECOND: '0' };
  const owned = stack.move();
  return {
    options: { dataDir: join(folder.path, 'data'), environment },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function push({ address }: RunningProduct, from: number): Promise<number> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({
    id: `document-${from + index}`,
    fields: { Title: `Document ${from + index}`, Content: 'Text of a document' },
  }));
  const response = await fetch(`${address}/api/v4/1/index/1/documents`, {
    method: 'PUT',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  await response.arrayBuffer();
  return response.status;
}

async function search({ address }: RunningProduct): Promise<{ status: number; total: number | undefined }> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*' }),
  });
  const body = (await response.json()) as { TotalDocument?: number };
  return { status: response.status, total: body.TotalDocument };
}

async function pidsNow(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(join(dataDir, 'processes.json'), 'utf8').catch(() => '[]');
  const rows = JSON.parse(text) as { role: string; pid: number }[];
  return new Map(rows.map(({ role, pid }) => [role, pid]));
}

/** The pid of a role as soon as there is another one than before. */
function newPid(dataDir: string, role: string, before?: number): Promise<number> {
  return eventually(async () => {
    const pid = (await pidsNow(dataDir)).get(role);
    return pid === before ? undefined : pid;
  }, 120_000);
}

test('a role that is killed or stopped while it starts for the first time ends nothing, and comes up later', async () => {
  await using made = await installation();
  const { dataDir } = made.options;
  const starting = startProcesses(made.options);
  await using _ended = { [Symbol.asyncDispose]: async () => void (await (await starting).stop()) };
  const disturb = async (role: string, signal: NodeJS.Signals) => {
    const pid = await newPid(dataDir, role);
    process.kill(pid, signal);
    return pid;
  };

  const [, stopped] = await Promise.all([
    disturb('api', 'SIGKILL'),
    disturb('upkeep', 'SIGSTOP'),
    disturb('crawl-1', 'SIGKILL'),
  ]);
  const product = await starting;

  expect(await push(product, 0)).toBe(200);
  expect((await search(product)).status).toBe(200);
  expect(product.stdout()).toContain('upkeep is still starting');
  process.kill(stopped, 'SIGCONT');
  await eventually(async () => (await search(product)).total === DOCUMENTS, 60_000);
  reportFigure('processes.first-start', 'api and crawl killed, upkeep stopped at their first start: all came up');
});
