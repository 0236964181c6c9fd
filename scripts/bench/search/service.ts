import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../test/helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../../../test/helpers/processes.ts';
import { pushDocuments } from '../../push-documents.ts';
import { memoryOf } from '../process-costs.ts';
import { readCorpus } from './corpus-file.ts';
import { countSegments } from './count-segments.ts';
import { bytesOf } from './folder-size.ts';
import type { BenchQuery } from './peer.ts';
import { makeQueries } from './query-classes.ts';
import { fieldsOf } from './stored-document.ts';

export type ServiceFigures = {
  readonly documents: number;
  /** Milliseconds from the acknowledgement of a batch to the first search that shows it. */
  readonly visibility: { readonly p50: number; readonly p99: number; readonly most: number };
  readonly paced: LoadFigures;
  readonly saturated: LoadFigures;
  /** Longest block of the api's event loop during the paced load, in milliseconds. */
  readonly eventLoopMs: number;
  readonly apiMb: number;
  readonly storeBytes: number;
  readonly indexBytes: number;
};

export type LoadFigures = { readonly perSecond: number; readonly p50: number; readonly p99: number };

type Measured = {
  readonly corpus: string;
  /** Documents keep their languages (English, Danish, German); else all are English. */
  readonly mixed: boolean;
  readonly documents: number;
  readonly folder: string;
  readonly log: (line: string) => void;
};

const KEY = 'bench-search-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const BATCH = 100;
const DOCUMENTS_PER_SECOND = 2_000;
const CLIENTS = 50;
const PAUSE_MS = 250;
const LOAD_MS = 20_000;
/** Classes that a visitor's search can be; sorts, filters and phrases included. */
const QUERIES_PER_CLASS = 40;

/**
 * The whole product over HTTP on loopback: pushes at 2,000 documents a second while searches run, then 50 clients.
 * Client and product share the machine.
 */
export async function measureService({ corpus, mixed, documents, folder, log }: Measured): Promise<ServiceFigures> {
  const provision = join(folder, 'provision.json');
  await writeFile(provision, JSON.stringify(PROVISION));
  const dataDir = join(folder, 'data');
  const environment = { CONFIG_FILE: provision, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  await using product = await startProcesses({ dataDir, environment });
  log(`pushing ${documents} documents at ${DOCUMENTS_PER_SECOND} a second`);
  const visibility = await pushAndWatch(product, batchesOf(corpus, mixed));
  await eventually(async () => (await search(product, { query: '*' })) >= documents, 120_000);
  const engine = join(dataDir, 'engines', '1');
  log('waiting for the merge that follows a minute without writes');
  await eventually(async () => (await countSegments(join(engine, 'index'))) === 1, 300_000);
  const requests = await requestsOf(corpus);
  await load(product, requests, { pauseMs: PAUSE_MS, millis: 3_000 });
  log('50 clients');
  const paced = await load(product, requests, { pauseMs: PAUSE_MS, millis: LOAD_MS });
  const eventLoopMs = await longestBlock(product);
  const saturated = await load(product, requests, { pauseMs: 0, millis: LOAD_MS });
  const indexBytes = await bytesOf(join(engine, 'index'));
  return {
    documents,
    visibility,
    paced,
    saturated,
    eventLoopMs,
    indexBytes,
    storeBytes: (await bytesOf(engine)) - indexBytes,
    apiMb: memoryOf(product.pids().get('api') ?? 0).resident,
  };
}

/** The figures as a Markdown table. */
export function serviceTable(figures: ServiceFigures): string {
  const { visibility, paced, saturated } = figures;
  const millis = (value: number) => value.toFixed(1);
  const rows = [
    [
      'commit → visible at 2,000 documents/s',
      `p50 ${millis(visibility.p50)}, p99 ${millis(visibility.p99)}, most ${millis(visibility.most)} ms`,
    ],
    [
      `HTTP search, ${CLIENTS} clients that pause ${PAUSE_MS} ms`,
      `p50 ${millis(paced.p50)}, p99 ${millis(paced.p99)} ms at ${paced.perSecond.toFixed(0)}/s`,
    ],
    [
      `HTTP search, ${CLIENTS} clients without a pause`,
      `p50 ${millis(saturated.p50)}, p99 ${millis(saturated.p99)} ms at ${saturated.perSecond.toFixed(0)}/s`,
    ],
    ['longest block of the event loop under the paced load', `${millis(figures.eventLoopMs)} ms`],
    ['resident memory of the api', `${figures.apiMb.toFixed(0)} MB`],
    [
      'bytes on disk',
      `store ${(figures.storeBytes / 1e6).toFixed(0)} MB, index ${(figures.indexBytes / 1e6).toFixed(0)} MB`,
    ],
  ];
  const head = [`The product at ${figures.documents.toLocaleString('en')} documents`, 'Figure'];
  return [head, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Bench',
      keys: [{ name: 'bench', value: KEY }],
      engines: [
        {
          id: 1,
          name: 'Bench',
          language: 'en',
          facets: ['Category', 'Language', 'Author'].map((field) => ({ name: field, field })),
        },
      ],
      crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
    },
  ],
};

/** Pushes at the set pace; a search that asks for the total runs all the while. */
async function pushAndWatch(
  product: RunningProduct,
  batches: AsyncIterable<object[]>,
): Promise<ServiceFigures['visibility']> {
  const acknowledged: { documents: number; at: number }[] = [];
  const seen: { total: number; at: number }[] = [];
  const watch = new AbortController();
  const watching = watchTotal(product, seen, watch.signal);
  const startedAt = performance.now();
  let pushed = 0;
  for await (const batch of batches) {
    const due = startedAt + (pushed / DOCUMENTS_PER_SECOND) * 1_000;
    if (due > performance.now()) await pause(due - performance.now());
    await pushDocuments({ address: product.address, customerId: 1, crawlerId: 1, key: KEY }, batch);
    pushed += batch.length;
    acknowledged.push({ documents: pushed, at: performance.now() });
  }
  await eventually(() => (seen.at(-1)?.total ?? 0) >= pushed, 120_000);
  watch.abort();
  await watching;
  return spreadOf(lagsOf(acknowledged, seen));
}

async function watchTotal(
  product: RunningProduct,
  seen: { total: number; at: number }[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    seen.push({ total: await search(product, { query: '*', perPage: 1 }), at: performance.now() });
    await pause(5);
  }
}

/** Per batch the time from its acknowledgement to the first look that counted it. */
function lagsOf(
  acknowledged: readonly { documents: number; at: number }[],
  seen: readonly { total: number; at: number }[],
): number[] {
  let look = 0;
  return acknowledged.map(({ documents, at }) => {
    while (look < seen.length - 1 && (seen[look]?.total ?? 0) < documents) look++;
    return Math.max(0, (seen[look]?.at ?? at) - at);
  });
}

async function* batchesOf(corpus: string, mixed: boolean): AsyncGenerator<object[]> {
  let batch: object[] = [];
  for await (const document of readCorpus(corpus)) {
    const fields = fieldsOf(document);
    batch.push({ id: document.id, fields: mixed ? fields : { ...fields, Language: 'en' } });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Search requests of every class that a search text can ask for, shuffled evenly. */
async function requestsOf(corpus: string): Promise<readonly object[]> {
  const classes = Object.values(await makeQueries(readCorpus(corpus), QUERIES_PER_CLASS));
  const turns = Array.from({ length: QUERIES_PER_CLASS }, (_, turn) => classes.map((queries) => queries[turn]));
  return turns.flat().flatMap((query) => (query === undefined || query.typo !== undefined ? [] : [requestOf(query)]));
}

function requestOf({ words, operator, phrase, prefix, categories, publishedFrom, near, sort }: BenchQuery): object {
  const text = phrase ? `"${words.join(' ')}"` : words.join(' ');
  const date = publishedFrom === undefined ? undefined : new Date(publishedFrom).toISOString().slice(0, 10);
  return {
    query: prefix === undefined ? text || '*' : `${prefix}*`,
    operator,
    filters: {
      ...(categories === undefined ? {} : { Category: categories }),
      ...(date === undefined ? {} : { date: ['Published_date', date, ''] }),
      ...(near === undefined
        ? {}
        : { geo_distance: ['Place_geo_point', near.latitude, near.longitude, near.metres, 'Meters'] }),
    },
    ...(sort === undefined ? {} : { sort: { [sort === 'price' ? 'Price_number' : 'Published_date']: 'desc' } }),
  };
}

/** Every client sends the requests from another place on, one at a time. */
async function load(
  product: RunningProduct,
  requests: readonly object[],
  { pauseMs, millis }: { pauseMs: number; millis: number },
): Promise<LoadFigures> {
  const lags: number[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const end = performance.now() + millis;
  const client = async (number: number) => {
    await pause((pauseMs / CLIENTS) * number);
    for (let at = number * 11; performance.now() < end; at++) {
      const startedAt = performance.now();
      await send(product, agent, requests[at % requests.length] ?? {});
      lags.push(performance.now() - startedAt);
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  agent.destroy();
  const { p50, p99 } = spreadOf(lags);
  return { perSecond: (lags.length / millis) * 1_000, p50, p99 };
}

function spreadOf(values: readonly number[]): { p50: number; p99: number; most: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Segments of the published generation: the first line of the manifest is JSON. */
/** What Prometheus would read of the last interval. */
async function longestBlock({ address }: RunningProduct): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const found = /^fossick_nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text);
  return Number(found?.[1]) * 1_000;
}

/**
 * A search whose answer is taken in compressed and not read: the machine is shared, so the clients must cost next to
 * nothing.
 */
function send({ address }: RunningProduct, agent: Agent, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: BASIC, 'content-type': 'application/json', 'accept-encoding': 'gzip' };
    const sent = request(`${address}/api/v4/1/1/search`, { method: 'POST', agent, headers }, (answer) => {
      if (answer.statusCode === 200) answer.resume().on('end', resolve);
      else reject(new Error(`search refused: ${answer.statusCode}`));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

/** The total of a search. */
async function search({ address }: RunningProduct, request: object): Promise<number> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (response.status !== 200) throw new Error(`search refused: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { TotalDocument: number }).TotalDocument;
}
