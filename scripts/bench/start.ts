/**
 * What a start and a stop of the whole product cost: wall time, and processor time of all its processes, those that
 * have ended included (Linux). Loopback only.
 *
 *   node scripts/bench/start.ts [documents]    20,000 unless given
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../../test/helpers/processes.ts';
import { pushDocuments } from '../push-documents.ts';
import { generateCorpus } from './generate-corpus.ts';
import { childrenCpuMs, cpuMs } from './process-costs.ts';

const DOCUMENTS = Number(process.argv[2] ?? 20_000);
const KEY = 'bench-start-key';
const HEADERS = {
  authorization: `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`,
  'content-type': 'application/json',
};
const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Bench',
      keys: [{ name: 'bench', value: KEY }],
      engines: [{ id: 1, name: 'Pushed', language: 'en' }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
    },
  ],
};

const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-'));
try {
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const environment = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', NODE_COMPILE_CACHE: join(folder, 'cache') };
  const options = { dataDir: join(folder, 'data'), environment };
  console.log('| Start or stop | wall s | CPU s |\n| --- | --- | --- |');
  await startAndStop('first start', options);
  await startAndStop('later start, nothing stored', options, pushAll);
  await startAndStop(`start with ${DOCUMENTS} documents`, options);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function startAndStop(
  label: string,
  options: Parameters<typeof startProcesses>[0],
  work: (product: RunningProduct) => Promise<void> = async () => undefined,
): Promise<void> {
  const [beganAtMs, endedBeforeMs] = [performance.now(), childrenCpuMs(process.pid)];
  await using product = await startProcesses(options);
  const started = { wallMs: performance.now() - beganAtMs, cpuMs: cpuOfAll(product) };
  print(`${label}, to the banner`, started);
  const found = await total(product);
  print(`${label}, until a search is answered (${found} found)`, {
    wallMs: performance.now() - beganAtMs,
    cpuMs: cpuOfAll(product),
  });
  await work(product);
  const [stopAtMs, cpuAtStopMs] = [performance.now(), cpuOfAll(product)];
  await product.stop();
  // All of it has ended by now, and was waited for.
  const cpuInAllMs = childrenCpuMs(process.pid) - endedBeforeMs;
  print('its stop', {
    wallMs: performance.now() - stopAtMs,
    cpuMs: cpuInAllMs - cpuAtStopMs,
  });
}

/** Of those that run, and of the children of the supervisor that have ended. */
function cpuOfAll(product: RunningProduct): number {
  const running = [...product.pids().values()].reduce((sum, pid) => sum + cpuMs(pid), 0);
  return running + childrenCpuMs(product.supervisorPid);
}

function print(label: string, { wallMs, cpuMs: usedMs }: { readonly wallMs: number; readonly cpuMs: number }): void {
  console.log(`| ${label} | ${(wallMs / 1_000).toFixed(1)} | ${(usedMs / 1_000).toFixed(1)} |`);
}

async function pushAll(product: RunningProduct): Promise<void> {
  const documents = [...generateCorpus(DOCUMENTS)].map(({ id, title, content }) => ({
    id,
    fields: { Title: title, Content: content },
  }));
  await pushDocuments({ address: product.address, customerId: 1, crawlerId: 1, key: KEY }, documents);
  await eventually(async () => (await total(product)) === DOCUMENTS, 120_000);
}

async function total({ address }: RunningProduct): Promise<number> {
  return eventually(async () => {
    const response = await fetch(`${address}/api/v4/1/1/search`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ query: '*', perPage: 1 }),
    });
    const { TotalDocument } = (await response.json()) as { TotalDocument?: number };
    return TotalDocument;
  }, 60_000);
}
