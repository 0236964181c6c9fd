/**
 * Usage: node scripts/bench/move.ts [documents]
 * What a move to PostgreSQL and back takes: seconds, processor time and memory of the command, rows, hashes and sizes.
 * Generated documents of some 150 words, each with three URLs that wait.
 * Starts a server of its own on this machine, which waits for the disk.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openStores } from '../../src/compose/stores.ts';
import type { NewDocument } from '../../src/core/document.ts';
import type { NewUrl } from '../../src/storage/engine/frontier.ts';
import { startPostgresServer } from '../../test/helpers/postgres-server.ts';
import { silentLog } from '../../test/helpers/silent-log.ts';
import { generateCorpus } from './generate-corpus.ts';
import { cpuMs } from './process-costs.ts';

const DOCUMENTS = Number(process.argv[2] ?? 100_000);
const ENGINE = 6;
const CRAWLER = 17;
const AT_ONCE = 500;
const MORE_URLS = 2;
const LOOK_EVERY_MS = 100;
const DATABASE = 'bench';
const BIN = join(import.meta.dirname, '../../bin/fossick.js');

const REPORT = z.object({
  stores: z.array(
    z.object({ store: z.string(), tables: z.record(z.string(), z.object({ rows: z.int(), hash: z.string() })) }),
  ),
});

await using stack = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'fossick-move-'));
stack.defer(() => rm(folder, { recursive: true, force: true }));
const server = stack.use(await startPostgresServer({ isDurable: true }));
await server.createDatabase(DATABASE);
const [files, back] = [join(folder, 'files'), join(folder, 'back')];
await fill(files);

const there = await measureMove(server.url(DATABASE), { DATA_DIR: files });
const [size] = await server.query(DATABASE, `SELECT pg_database_size('${DATABASE}') AS bytes`);
const again = await measureMove('files', { DATA_DIR: back, DATABASE_URL: server.url(DATABASE) });
print({ what: 'to PostgreSQL', ...there.cost, filesMb: megabytesOf(files), databaseMb: Number(size?.['bytes']) / 1e6 });
print({ what: 'to files', ...again.cost, filesMb: megabytesOf(back) });
print({ what: 'hashes', ...there.hashes, areEqual: JSON.stringify(there.hashes) === JSON.stringify(again.hashes) });

/** Documents of one engine as they are pushed, and URLs as a crawl queues them. */
async function fill(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  await using stores = await openStores({ DATA_DIR: dataDir }, silentLog);
  const store = await stores.engineStores.of(ENGINE);
  const position = { crawlerId: CRAWLER, activation: 1 };
  const run = { ...position, kind: 'full', startedBy: 'bench', configVersion: 1, at: 0, whenBusy: 'skip' } as const;
  const runId = (await store.createRun(run)) ?? 0;
  let documents: NewDocument[] = [];
  const put = async () => {
    const urls = documents.flatMap(({ id }) =>
      Array.from({ length: 1 + MORE_URLS }, (_, at) => urlOf(at === 0 ? id : `${id}/${at}`)),
    );
    await store.addUrls({ ...position, runId, now: 0, urls });
    await store.putDocuments(CRAWLER, documents, 1);
    documents = [];
  };
  for (const { id, title, description, content, category } of generateCorpus(DOCUMENTS)) {
    const fields = new Map(
      Object.entries({ Title: title, Description: description, Content: content, Category: category }).map(
        ([name, value]) => [name, [value]],
      ),
    );
    documents.push({ id, kind: 'PageContent', origin: 'pushed', language: 'en', fields });
    if (documents.length === AT_ONCE) await put();
  }
  await put();
}

function urlOf(url: string): NewUrl {
  return { url, origin: 'link', depth: 1, priority: 2, flags: 0, enqueue: 'if-new' };
}

async function measureMove(to: string, environment: Readonly<Record<string, string>>) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [BIN, 'move', '--to', to, '--json'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  let [peakMb, cpuSeconds] = [0, 0];
  const looks = setInterval(() => {
    [peakMb, cpuSeconds] = costsOf(child.pid ?? 0) ?? [peakMb, cpuSeconds];
  }, LOOK_EVERY_MS);
  await once(child, 'close');
  clearInterval(looks);
  const tables = REPORT.parse(JSON.parse(out)).stores.flatMap(({ store, tables }) =>
    Object.entries(tables).map(([table, digest]) => ({ name: `${store} ${table}`, ...digest })),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const hashes = Object.fromEntries(tables.filter((table) => table.rows > 0).map(({ name, hash }) => [name, hash]));
  return { cost: { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds, peakMb, rows }, hashes };
}

/** Most memory in MB and processor seconds of a process so far; undefined when it has ended. */
function costsOf(pid: number): [number, number] | undefined {
  try {
    const peakKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return peakKb === undefined ? undefined : [Number(peakKb) / 1_000, cpuMs(pid) / 1_000];
  } catch {
    return undefined;
  }
}

function megabytesOf(dataDir: string): number {
  return statSync(join(dataDir, 'engines', String(ENGINE), 'store.db')).size / 1e6;
}

function print(line: Readonly<Record<string, unknown>>): void {
  const rounded = Object.entries(line).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 10) / 10 : value,
  ]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(rounded))}\n`);
}
