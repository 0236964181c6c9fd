import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { generateCorpus } from '../../scripts/bench/generate-corpus.ts';
import { startGeneratedSite } from '../../scripts/bench/generated-site.ts';
import { cpuMs, memoryOf } from '../../scripts/bench/process-costs.ts';
import { SEARCH_DEADLINE_MS } from '../../src/api/search/routes.ts';
import { HEADERS, STREAM_PATH, startAnswering } from '../helpers/answer-soak.ts';
import { eventually } from '../helpers/eventually.ts';
import { startFakeModelServer } from '../helpers/fake-model-server.ts';
import { type Answer, type LoadKind, loadUntilGone, throttle } from '../helpers/loaded-product.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const STOPS = isLongForm ? 20 : 1;
const CALLERS = isLongForm ? { search: 36, push: 6, stream: 8 } : { search: 4, push: 2, stream: 8 };
const MINUTE_MS = 60_000;
const STOP_WITHIN_MS = isLongForm ? 10_000 : 30_000;
const PROBE_EVERY_MS = 50;
/** Begun before each stop: some have ended by then, some are under way. */
const STREAMS_BEFORE = 8;

function loadOf(questions: readonly string[]): readonly LoadKind[] {
  const documents = questions.map((question, index) => ({ id: `pushed-${index}`, fields: { Title: question } }));
  const common = { method: 'POST', headers: HEADERS };
  return [
    {
      ...common,
      kind: 'search',
      path: '/api/v4/1/1/search',
      bodies: questions.map((query) => ({ query })),
      atOnce: CALLERS.search,
    },
    {
      ...common,
      kind: 'push',
      method: 'PUT',
      path: '/api/v4/1/index/1/documents',
      bodies: documents.map((document) => [document]),
      atOnce: CALLERS.push,
    },
    {
      ...common,
      kind: 'stream',
      path: STREAM_PATH,
      bodies: questions.map((question) => ({ question })),
      atOnce: CALLERS.stream,
    },
  ];
}

/** Whether a search was told that it took too long, after that long: on a machine that is busy enough, an answer like any. */
function hasRunOutOfTime({ kind, status, sentAtMs, endedAtMs }: Answer): boolean {
  return kind === 'search' && status === 429 && endedAtMs - sentAtMs >= SEARCH_DEADLINE_MS;
}

/** Statuses of readiness, each on a connection of its own, until nobody listens. */
async function probeUntilGone(address: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (;;) {
    const status = await fetch(`${address}/health/ready`, { headers: { connection: 'close' } }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    if (status === undefined) return statuses;
    statuses.push(status);
    await rest(PROBE_EVERY_MS);
  }
}

test(
  'a stop under load answers every request that was sent before, streams of answers among them',
  async () => {
    await using folder = await temporaryFolder();
    await using model = await startFakeModelServer();
    const inFlight = { search: 0, push: 0, stream: 0 };
    let longestMs = 0;

    for (let stop = 1; stop <= STOPS; stop++) {
      const { product, questions } = await startAnswering(folder.path, {
        url: model.baseUrl,
        name: 'slow-deltas:40',
      });
      await using _product = product;
      const loading = loadUntilGone(product.address, loadOf(questions));
      const probing = probeUntilGone(product.address);
      await eventually(() => model.calls.length >= stop * STREAMS_BEFORE, MINUTE_MS);
      const signalAtMs = performance.now();
      await product.stop();
      longestMs = Math.max(longestMs, performance.now() - signalAtMs);

      const sentBefore = (await loading).filter(({ sentAtMs }) => sentAtMs < signalAtMs);
      expect(sentBefore.filter((answer) => answer.status !== 200 && !hasRunOutOfTime(answer))).toEqual([]);
      for (const { kind, endedAtMs } of sentBefore) {
        if (endedAtMs > signalAtMs) inFlight[kind as keyof typeof inFlight]++;
      }
      expect(await probing).toContain(503);
    }

    expect(Object.values(inFlight).filter((count) => count === 0)).toEqual([]);
    expect(longestMs).toBeLessThan(STOP_WITHIN_MS);
    const counts = Object.entries(inFlight).map(([kind, count]) => `${count} × ${kind}`);
    const figure = `${STOPS} stops, in flight ${counts.join(', ')}: 0 failed, longest ${(longestMs / 1_000).toFixed(1)} s`;
    reportFigure('processes.stop-under-load', figure);
  },
  STOPS * MINUTE_MS * 2,
);

const KEY = 'loaded-product-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;

async function startPlain(folder: string, seed?: string, environment: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'provision.json');
  const crawler = seed === undefined ? { active: false, seeds: [] } : { active: true, seeds: [seed] };
  const provision = {
    version: 1,
    customers: [
      {
        id: 1,
        name: 'Loaded',
        keys: [{ name: 'test', value: KEY }],
        engines: [{ id: 1, name: 'Loaded', language: 'en' }],
        crawlers: [{ id: 1, engine: 1, name: 'Site', ...crawler }],
      },
    ],
  };
  await writeFile(file, JSON.stringify(provision));
  return startProcesses({
    dataDir: join(folder, 'data'),
    environment: { CONFIG_FILE: file, RATE_SEARCH_PER_SECOND: '0', RATE_MANAGEMENT_PER_SECOND: '0', ...environment },
  });
}

async function total({ address }: RunningProduct): Promise<number> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*', perPage: 1 }),
  });
  const body = (await response.json()) as { TotalDocument?: number };
  if (body.TotalDocument === undefined) throw new Error(`search: ${response.status}`);
  return body.TotalDocument;
}

const KILLS = 20;
const BACK_WITHIN_MS = 5_000;

async function killedApiIsBack(): Promise<void> {
  await using folder = await temporaryFolder();
  await using product = await startPlain(folder.path);
  const outagesMs: number[] = [];

  for (let kill = 1; kill <= KILLS; kill++) {
    product.kill('api');
    const killedAtMs = performance.now();
    await eventually(async () => (await total(product)) === 0, MINUTE_MS);
    outagesMs.push(performance.now() - killedAtMs);
  }

  const sorted = outagesMs.toSorted((a, b) => a - b);
  const [median = 0, longest = 0] = [sorted[KILLS / 2], sorted.at(-1)];
  const figure = `${KILLS} kills, each as soon as it answered: median ${Math.round(median)} ms, longest ${Math.round(longest)} ms`;
  reportFigure('processes.api-back', figure);
  expect(longest).toBeLessThan(BACK_WITHIN_MS);
}

const SLOW_MS = 10 * MINUTE_MS;
const TENTH = 0.1;
const PUSHED_AT_ONCE = 50;
/** More than can be indexed, so that there is always work. */
const PUSH_EVERY_MS = 200;
const WAIT_MS = 1_000;
/** Texts of some 9 KB. */
const TEXTS_PER_DOCUMENT = 10;

async function indexingWithATenthOfACore(): Promise<void> {
  await using folder = await temporaryFolder();
  await using product = await startPlain(folder.path, undefined, { LOG_LEVEL: 'info' });
  const upkeep = product.pids().get('upkeep') ?? 0;
  const [cpuBeforeMs, beganAtMs] = [cpuMs(upkeep), performance.now()];
  let pushed = 0;
  {
    using _throttled = throttle(upkeep, TENTH);
    const texts = [...generateCorpus(1_000)].map(({ content }) => content);
    while (performance.now() - beganAtMs < SLOW_MS) pushed += await pushLarge(product, texts, pushed);
    await eventually(async () => (await total(product)) > 0, SLOW_MS);
  }
  const share = (cpuMs(upkeep) - cpuBeforeMs) / (performance.now() - beganAtMs);
  const taken = product.stdout().match(/"msg":"role taken"/g) ?? [];

  expect(product.pids().get('upkeep')).toBe(upkeep);
  expect(product.stdout()).not.toMatch(/child process hangs|child process ended|has another writer now/);
  expect(taken).toHaveLength(2);
  const figure = `${SLOW_MS / MINUTE_MS} min with ${(100 * share).toFixed(0)} % of a core, ${pushed} documents pushed, ${await total(product)} found meanwhile: 0 changes of role, 0 kills`;
  reportFigure('processes.slow-indexer', figure);
}

/** How many were taken; none while the indexer is too far behind. */
async function pushLarge({ address }: RunningProduct, texts: readonly string[], from: number): Promise<number> {
  const documents = Array.from({ length: PUSHED_AT_ONCE }, (_, index) => {
    const parts = Array.from(
      { length: TEXTS_PER_DOCUMENT },
      (_part, part) => texts[(from + index * 7 + part * 13) % texts.length],
    );
    return { id: `large-${from + index}`, fields: { Title: `Large ${from + index}`, Content: parts.join('\n') } };
  });
  const response = await fetch(`${address}/api/v4/1/index/1/documents?echo=false`, {
    method: 'PUT',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  await response.arrayBuffer();
  const isTaken = response.status === 200;
  await rest(isTaken ? PUSH_EVERY_MS : WAIT_MS);
  return isTaken ? PUSHED_AT_ONCE : 0;
}

const PAGES = 3_000;
/** Threads that rest give memory back (decision 0095). */
const REST_MS = 90_000;
const IDLE_MB = 350;

async function idleMemory(): Promise<void> {
  await using folder = await temporaryFolder();
  await using site = await startGeneratedSite(PAGES);
  const fresh = join(folder.path, 'fresh');
  const crawled = join(folder.path, 'crawled');
  const figures: { readonly what: string; readonly megabytes: number; readonly parts: string }[] = [];
  const measure = async (what: string, product: RunningProduct) => {
    await rest(REST_MS);
    const rows = [...product.pids()].map(([role, pid]) => ({ role, share: memoryOf(pid).share }));
    const megabytes = Math.round(rows.reduce((sum, { share }) => sum + share, 0));
    const parts = rows.map(({ role, share }) => `${role} ${Math.round(share)}`).join(', ');
    figures.push({ what, megabytes, parts });
  };
  await Promise.all([mkdir(fresh), mkdir(crawled)]);
  {
    // Compiled code is kept from then on.
    await (await startPlain(fresh)).stop();
    await using product = await startPlain(fresh);
    await measure('fresh', product);
  }
  {
    await using product = await startPlain(crawled, site.start);
    await eventually(async () => (await total(product)) >= PAGES, 10 * MINUTE_MS);
    await measure(`after a crawl of ${PAGES} pages`, product);
  }

  const told = figures.map(({ what, megabytes, parts }) => `${what} ${megabytes} MB (${parts})`);
  reportFigure('processes.idle-memory', told.join('; '));
  expect(figures.filter(({ megabytes }) => megabytes > IDLE_MB)).toEqual([]);
}

if (isLongForm) {
  test('an api that is killed as soon as it answers is back within five seconds', killedApiIsBack, 10 * MINUTE_MS);
  test('a tenth of a core for the indexer costs no role and no process', indexingWithATenthOfACore, 25 * MINUTE_MS);
  test('an idle product is small, fresh and after a crawl', idleMemory, 20 * MINUTE_MS);
}
