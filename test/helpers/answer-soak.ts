import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { generateGuides } from '../../scripts/bench/answers/guides.ts';
import { type RunningProduct, startProcesses } from './processes.ts';
import { type Random, seededRandom } from './random.ts';

const KEY = 'soak-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const PAGES = 100;
export const STREAM_PATH = '/api/v4/1/1/search/answer/stream';
/** Share of readers that leave, and how long they stay at most. */
const LEAVING = 0.4;
const LONGEST_STAY_MS = 1_500;

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Soak test',
      keys: [{ name: 'test', value: KEY }],
      engines: [{ id: 1, name: 'Manuals', language: 'en', aiEnabled: true, features: ['AiChat'] }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
    },
  ],
};

/** A product with pages, and a model whose deadlines are short but for the last: a timer of it that is left stays. */
export async function startAnswering(folder: string, model: { readonly url: string; readonly name: string }) {
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const product = await startProcesses({
    dataDir: join(folder, 'data'),
    environment: {
      CONFIG_FILE: file,
      OPERATOR_TOKEN: TOKEN,
      RATE_MANAGEMENT_PER_SECOND: '0',
      RATE_SEARCH_PER_SECOND: '0',
      RATE_AI_PER_MINUTE: '0',
      CRAWL_PROCESSES: '0',
      LLM_BASE_URL: model.url,
      LLM_MODEL: model.name,
      LLM_CONCURRENCY: '50',
      LLM_QUEUE: '100',
      AI_START_TIMEOUT_MS: '2000',
      AI_STALL_TIMEOUT_MS: '1000',
      AI_TIMEOUT_MS: '180000',
      AI_CACHE_MAX_BYTES: '0',
      AI_STREAM_FALLBACK: 'extractive',
    },
  });
  const guides = generateGuides(PAGES).toArray();
  const documents = guides.map(({ id, title, content }) => ({
    id,
    fields: { Title: title, Content: content, Url: id },
  }));
  const response = await fetch(`${product.address}/api/v4/1/index/1/documents?refresh=wait`, {
    method: 'PUT',
    headers: HEADERS,
    body: JSON.stringify(documents),
  });
  if (!response.ok) throw new Error(`pages were not taken: ${await response.text()}`);
  await response.arrayBuffer();
  return { product, questions: guides.flatMap(({ questions: [first = ''] }) => first) };
}

const TOKEN = 'operator-token-of-soak-tests';
/** Of a caller who may do everything. */
export const HEADERS = { authorization: BASIC, 'content-type': 'application/json' };

export type SoakPlan = {
  readonly product: RunningProduct;
  readonly questions: readonly string[];
  readonly atOnce: number;
  /** Asked before each stream. */
  readonly isOver: (begun: number) => boolean;
};

export type SoakTally = {
  readonly begun: number;
  /** Read to the end. */
  readonly whole: number;
  readonly left: number;
  /** Whole ones by status. */
  readonly statuses: Readonly<Record<number, number>>;
};

/** Streams, so many at once, some of whose readers leave at a random moment, and sometimes go on in the same conversation. */
export async function soak({ product, questions, atOnce, isOver }: SoakPlan): Promise<SoakTally> {
  const random = seededRandom(20);
  const counters = { begun: 0, whole: 0, left: 0, statuses: {} as Record<number, number> };
  const reader = async () => {
    while (!isOver(counters.begun)) {
      counters.begun++;
      const status = await readOrLeave(`${product.address}${STREAM_PATH}`, random.pick(questions), random);
      if (status === undefined) counters.left++;
      else {
        counters.whole++;
        counters.statuses[status] = (counters.statuses[status] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
  return counters;
}

/** The status; undefined when the reader left. On a connection of its own. */
async function readOrLeave(url: string, question: string, random: Random): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sent = request(url, { method: 'POST', headers: HEADERS, agent: false }, (response) => {
    response.on('error', reject).on('end', () => resolve(response.statusCode));
    response.resume();
  });
  sent.on('error', reject);
  sent.end(JSON.stringify({ question }));
  const leave = () => {
    resolve(undefined);
    sent.destroy();
  };
  const timer = random.chance(LEAVING) ? setTimeout(leave, random.whole(0, LONGEST_STAY_MS)) : undefined;
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** What the api holds: by `fossick_nodejs_active_resources` and the size of its heap. */
export type Held = { readonly sockets: number; readonly timers: number; readonly heapBytes: number };

export async function heldBy({ address }: RunningProduct): Promise<Held> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const printed = await fetch(`${address}/metrics`, { headers }).then((response) => response.text());
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(printed)?.[1] ?? 0);
  const resources = (type: string) => figure(`fossick_nodejs_active_resources\\{type="${type}",process="api"\\}`);
  return {
    sockets: resources('TCPSocketWrap'),
    timers: resources('Timeout'),
    heapBytes: figure('fossick_nodejs_heap_size_used_bytes\\{process="api"\\}'),
  };
}
