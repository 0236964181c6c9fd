import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { flipByte } from '../helpers/index-installation.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const DOCUMENTS = 60;
const BASIC = `Basic ${Buffer.from('1:damage-test-key').toString('base64')}`;
const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Damage test',
      keys: [{ name: 'test', value: 'damage-test-key' }],
      engines: [{ id: 1, name: 'Pushed', language: 'en' }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', active: false, seeds: [] }],
    },
  ],
};

/** Whether the search answers rightly; an answer that is neither that nor the error of damage fails the test. */
async function isRepaired(product: RunningProduct): Promise<boolean> {
  const response = await send(product, 'POST', '/api/v4/1/1/search', { query: 'solar', perPage: 1 });
  const body = (await response.json()) as { TotalDocument?: number; message?: string };
  if (response.status === 200) expect(body.TotalDocument).toBe(DOCUMENTS);
  else expect(body.message).toBe('The index of this engine is being repaired');
  return response.status === 200;
}

function send(product: RunningProduct, method: string, path: string, body: unknown): Promise<Response> {
  return fetch(`${product.address}${path}`, {
    method,
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test('a byte that was changed while the product stood is found and repaired at the next start', async () => {
  await using folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const environment = { CONFIG_FILE: file, RATE_SEARCH_PER_SECOND: '0', CRAWL_PROCESSES: '0' };
  const options = { dataDir, environment };
  const first = await startProcesses(options);
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ id: `d-${i}`, fields: { Title: `Solar ${i}` } }));
  const put = await send(first, 'PUT', '/api/v4/1/index/1/documents?refresh=wait', documents);
  expect(put.status).toBe(200);
  await first.stop();
  const folderOfIndex = join(dataDir, 'engines/1/index');
  const [segment = ''] = (await readdir(folderOfIndex)).filter((name) => name.endsWith('.bin'));
  await flipByte(join(folderOfIndex, segment), (await stat(join(folderOfIndex, segment))).size >> 1);

  await using second = await startProcesses(options);
  await eventually(() => isRepaired(second), 20_000);

  expect(await readdir(folderOfIndex)).toContain(`${segment}.bad`);
  const ended = await second.stop();
  expect(ended.stdout + ended.stderr).toContain('damaged file of an index');
  expect(ended.stdout + ended.stderr).toContain('index repaired');
});
