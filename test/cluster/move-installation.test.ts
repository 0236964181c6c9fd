import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStore } from '../helpers/backups.ts';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { newDatabase } from '../helpers/moved-installations.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Base64 of `1:1:SearchKey`: the demo's public key. */
const SITE_KEY = 'SiteKey MToxOlNlYXJjaEtleQ==';
const SAMPLE_PAGES = 60;
const QUERIES = ['*', 'returns', 'garden tools', 'delivery'];

test('an installation answers the same on PostgreSQL, goes on there, and back in files, each time from its index', async () => {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  const environment = { RATE_SEARCH_PER_SECOND: '0' };
  const before = await whileRunning({ dataDir, environment }, async (product) => {
    await eventually(async () => (await search(product, '*')).total >= SAMPLE_PAGES, 120_000);
    await eventually(async () => (await search(product, '*')).total === restingDocuments(dataDir), 120_000);
    return await searchAll(product);
  });
  const segments = await segmentsOf(dataDir);
  const DATABASE_URL = await newDatabase();
  const there = await runCli(['move', '--to', DATABASE_URL], { environment: { DATA_DIR: dataDir } });

  const onDatabase = await whileRunning({ dataDir, environment: { ...environment, DATABASE_URL } }, async (product) => {
    const found = await searchAll(product);
    expect(segments).toEqual(expect.arrayContaining([...(await segmentsOf(dataDir))]));
    expect(await push(product, dataDir, 'pushed', 'Zephyrine')).toBe(200);
    await eventually(async () => (await search(product, 'zephyrine')).total === 1, 60_000);
    return found;
  });
  await setAside(dataDir);
  const back = await runCli(['move', '--to', 'files'], { environment: { DATA_DIR: dataDir, DATABASE_URL } });
  const inFiles = await whileRunning({ dataDir, environment }, async (product) => {
    expect((await search(product, 'zephyrine')).total).toBe(1);
    return await searchAll(product);
  });

  expect([there.err, back.err]).toEqual(['', '']);
  expect(there.out).toMatch(/engine 1 +documents +\d\d +[0-9a-f]{32}/);
  expect(there.out).toContain('counts and hashes agree');
  expect(there.out).toContain('Set DATABASE_URL to that database');
  expect(onDatabase).toEqual(before);
  expect(inFiles.slice(1)).toEqual(before.slice(1));
});

type Start = { readonly dataDir: string; readonly environment: Readonly<Record<string, string>> };

async function whileRunning<Result>(start: Start, work: (product: RunningProduct) => Promise<Result>): Promise<Result> {
  await using product = await startProcesses(start);
  return await work(product);
}

async function search({ address }: RunningProduct, query: string) {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: SITE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { TotalDocument?: number; TypedDocuments?: { Id: string }[] };
  return { query, total: body.TotalDocument ?? 0, ids: body.TypedDocuments?.map(({ Id }) => Id) ?? [] };
}

async function searchAll(product: RunningProduct) {
  const found = [];
  for (const query of QUERIES) found.push(await search(product, query));
  return found;
}

/** Documents that searches are to find, once no page waits to be visited. */
function restingDocuments(dataDir: string): number | undefined {
  const [row] = readStore(
    dataDir,
    'engines/1/store.db',
    `SELECT (SELECT count(*) FROM documents WHERE deleted = 0) AS documents,
       (SELECT count(*) FROM frontier) + (SELECT count(*) FROM runs WHERE ended_at IS NULL) AS waiting`,
  );
  return row?.['waiting'] === 0 ? Number(row['documents']) : undefined;
}

async function push({ address }: RunningProduct, dataDir: string, id: string, title: string): Promise<number> {
  const key = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim();
  const response = await fetch(`${address}/api/v4/1/index/1/documents`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`1:${key}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify([{ id, fields: { Title: title } }]),
  });
  return response.status;
}

/** Old ones go at a start; an index that is made again has others. */
async function segmentsOf(dataDir: string): Promise<readonly string[]> {
  return (await readdir(join(dataDir, 'engines/1/index'))).filter((name) => /^seg-\d+\.bin$/.test(name));
}

/** The files of before, as the refusal of a move to them says. */
async function setAside(dataDir: string): Promise<void> {
  const kept = join(dataDir, 'before-move');
  await mkdir(kept);
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('system.db')) await rename(join(dataDir, name), join(kept, name));
  }
  const engine = join(dataDir, 'engines/1');
  for (const name of await readdir(engine)) {
    if (name.startsWith('store.db')) await rename(join(engine, name), join(kept, name));
  }
}
