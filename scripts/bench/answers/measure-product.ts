import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packagesFolder } from '../../../src/compose/packages-folder.ts';
import { eventually } from '../../../test/helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../../../test/helpers/processes.ts';
import { pushDocuments } from '../../push-documents.ts';
import { cpuMs } from '../process-costs.ts';
import { measureBesideSearches } from './beside-searches.ts';
import { generateGuides, QUESTIONS_PER_GUIDE } from './guides.ts';
import { percentile } from './percentile.ts';
import { probeWhile } from './probe-while.ts';
import { ask, BENCH_KEY, type Timing } from './requests.ts';

const BATCH = 200;
const QUIET_PROBES = 100;
/** Between the beginnings of streams, all of which run at the same time in the end. */
const START_PAUSE_MS = 20;
const SLOW_DELTAS = 'slow-deltas:40';
const MONITOR = new URL('./turn-monitor.ts', import.meta.url).href;
const OPERATOR_TOKEN = 'operator-token-of-bench-answers';
const VECTORS_WITHIN_MS = 3_600_000;
/** Between looks at what is embedded. */
const LOOK_PAUSE_MS = 1_000;
/** Longest turns that are told. */
const TOLD_TURNS = 5;

export type ProductPlan = {
  readonly pages: number;
  readonly questions: number;
  readonly streams: number;
  readonly modelUrl: string;
  /** Holds the pages, and is kept; undefined = a temporary one. */
  readonly folder: string | undefined;
};

/** Of each kind, before anything is measured: V8 is done with compiling what an answer runs through. */
const WARMING_QUESTIONS = 2_000;

export type BesideSearchesPlan = Omit<ProductPlan, 'modelUrl' | 'streams'> & {
  readonly rounds: number;
  /** Made by `fossick model add`: answers are by its vectors, too. */
  readonly embedding: EmbeddingFolder | undefined;
};

export type EmbeddingFolder = {
  readonly model: string;
  /** Folder of those that run it. */
  readonly packages: string;
};

/** The product as processes without a language model: what an answer costs beside a search of the same words. */
export async function measureProductBesideSearches(plan: BesideSearchesPlan): Promise<void> {
  const { pages, questions, rounds, embedding } = plan;
  const asked = questionsOf(pages, questions + WARMING_QUESTIONS);
  // No question that is measured was asked before: of a small site every second one at most.
  const step = Math.max(2, Math.floor(asked.length / questions));
  const measured = asked.filter((_, index) => index % step === 0).slice(0, questions);
  const others = asked.filter((question) => !measured.includes(question));
  const warmingRounds = Math.ceil(WARMING_QUESTIONS / others.length);
  await withProduct(plan, async (start, folder) => {
    await using product = await start(embedding === undefined ? {} : await embeddingEnvironment(embedding, folder));
    if (embedding !== undefined) await awaitVectors(product);
    await measureBesideSearches(product, {
      warming: repeated(others, warmingRounds),
      measured: repeated(measured, rounds),
    });
    if (embedding !== undefined) await printVectorCounts(product);
  });
}

/** Has the packages in the data folder of the product that is measured. */
async function embeddingEnvironment({ model, packages }: EmbeddingFolder, folder: string) {
  const linked = packagesFolder(join(folder, 'data'));
  if (!existsSync(linked)) await symlink(packages, linked);
  return { EMBEDDING_MODEL_FOLDER: resolve(model), OPERATOR_TOKEN };
}

const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** Until all passages have vectors: 30 to 100 ms of a core each. */
async function awaitVectors({ address }: RunningProduct): Promise<void> {
  const startedAt = performance.now();
  await eventually(async () => {
    await pause(LOOK_PAUSE_MS);
    const response = await fetch(`${address}/admin/v1/status`, { headers: OPERATOR });
    const { engines } = (await response.json()) as { readonly engines: readonly EngineSeqs[] };
    return engines.every(({ seq, vectorSeq }) => vectorSeq === seq) || undefined;
  }, VECTORS_WITHIN_MS);
  console.log(`passages embedded in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

type EngineSeqs = { readonly seq: number; readonly vectorSeq?: number };

/** Whether the questions had vectors in time. */
async function printVectorCounts({ address }: RunningProduct): Promise<void> {
  const response = await fetch(`${address}/metrics`, { headers: OPERATOR });
  const text = await response.text();
  for (const [line] of text.matchAll(/^fossick_ai_vectors_total\{.*$/gm)) console.log(`  ${line}`);
}

function repeated<T>(items: readonly T[], rounds: number): readonly T[] {
  return Array.from({ length: rounds }, () => items).flat();
}

/** The product as processes, without a model and with one: times over HTTP, and many streams at once. */
export async function measureProduct(plan: ProductPlan): Promise<void> {
  const { pages, questions, streams, modelUrl } = plan;
  const asked = questionsOf(pages, questions);
  await withProduct(plan, async (start, folder) => {
    const turns = join(folder, 'turns.json');
    const monitored = { NODE_OPTIONS: `--import=${MONITOR}?file=${turns}` };
    {
      await using product = await start({});
      await measureSingle('passages alone', product, asked);
    }
    {
      await using product = await start(monitored);
      await measureStreams('passages alone', product, { asked, streams, startPauseMs: 0, turns });
    }
    {
      await using product = await start({ LLM_BASE_URL: modelUrl, LLM_MODEL: 'ok' });
      await measureSingle('with a model that answers at once', product, asked);
    }
    await using product = await start({
      LLM_BASE_URL: modelUrl,
      LLM_MODEL: SLOW_DELTAS,
      LLM_CONCURRENCY: String(streams),
      AI_TIMEOUT_MS: '120000',
      ...monitored,
    });
    await measureStreams('a slow model', product, { asked, streams, startPauseMs: START_PAUSE_MS, turns });
  });
}

type Start = (environment: Readonly<Record<string, string>>) => Promise<RunningProduct>;

/** Starts of the product on one folder with the pages, which are pushed when it has none. */
async function withProduct(
  { pages, folder: kept }: Pick<ProductPlan, 'pages' | 'folder'>,
  measure: (start: Start, folder: string) => Promise<void>,
): Promise<void> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'fossick-answers-')));
  await mkdir(folder, { recursive: true });
  const isFilled = existsSync(join(folder, 'data'));
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify(PROVISION));
  const environment = {
    CONFIG_FILE: file,
    RATE_SEARCH_PER_SECOND: '0',
    RATE_MANAGEMENT_PER_SECOND: '0',
    RATE_AI_PER_MINUTE: '0',
    CRAWL_PROCESSES: '0',
  };
  const start: Start = (more) =>
    startProcesses({ dataDir: join(folder, 'data'), environment: { ...environment, ...more } });
  try {
    if (!isFilled) {
      await using product = await start({});
      await push(product, pages);
    }
    await measure(start, folder);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Bench',
      keys: [{ name: 'bench', value: BENCH_KEY }],
      engines: [{ id: 1, name: 'Manuals', language: 'en', aiEnabled: true, features: ['AiChat'] }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
    },
  ],
};

/** From all parts of the pages: one of each page, and more of each where there are fewer pages. */
function questionsOf(pages: number, count: number): readonly string[] {
  const step = Math.max(1, Math.floor(pages / count));
  const guides = generateGuides(pages)
    .filter((_, index) => index % step === 0)
    .map(({ questions }) => questions)
    .toArray();
  const forms = Array.from({ length: QUESTIONS_PER_GUIDE }, (_, form) =>
    guides.map((questions) => questions[form] ?? ''),
  );
  return forms.flat().slice(0, count);
}

async function push({ address }: RunningProduct, pages: number): Promise<void> {
  let bytes = 0;
  const documents = generateGuides(pages).map(({ id, title, content }) => {
    bytes += content.length;
    return { id, fields: { Title: title, Content: content, Url: id } };
  });
  const target = { address, customerId: 1, crawlerId: 1, key: BENCH_KEY };
  await pushDocuments(target, documents, { together: BATCH, awaitsIndex: true });
  console.log(`${pages} pages of ${Math.round(bytes / pages)} bytes on average`);
}

/** One question after the other: whole answers, then streams. */
async function measureSingle(label: string, product: RunningProduct, asked: readonly string[]): Promise<void> {
  for (const question of asked.slice(0, 20)) await ask(product, question);
  const pid = product.pids().get('api') ?? 0;
  const before = cpuMs(pid);
  const whole: Timing[] = [];
  for (const question of asked) whole.push(await ask(product, question));
  const cpu = (cpuMs(pid) - before) / asked.length;
  const streamed: Timing[] = [];
  for (const question of asked) streamed.push(await ask(product, question, '/stream'));
  const answered = whole.filter(({ text }) => /"couldAnswer":true/.test(text)).length;
  console.log(`${label}: ${answered} of ${asked.length} answered, ${cpu.toFixed(1)} ms CPU of the api each`);
  console.log(`  whole answer                   ${spread(whole.map(({ wholeMs }) => wholeMs))}`);
  console.log(`  first byte of a stream         ${spread(streamed.map(({ firstMs }) => firstMs))}`);
  console.log(`  whole stream                   ${spread(streamed.map(({ wholeMs }) => wholeMs))}`);
}

type Streams = {
  readonly asked: readonly string[];
  readonly streams: number;
  readonly startPauseMs: number;
  /** Where the monitor of the api writes its turns. */
  readonly turns: string;
};

/** Many at the same time; how long the event loop is held shows in requests that need nothing else. */
async function measureStreams(label: string, product: RunningProduct, plan: Streams) {
  const { asked, streams, startPauseMs } = plan;
  for (const question of asked.slice(0, 5)) await ask(product, question);
  const { address } = product;
  const quiet = await probeWhile({ address, least: QUIET_PROBES }, Promise.resolve());
  const pid = product.pids().get('api') ?? 0;
  const before = cpuMs(pid);
  process.kill(pid, 'SIGUSR2');
  const all = Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await pause(index * startPauseMs);
      return ask(product, asked[index % asked.length] ?? '', '/stream');
    }),
  );
  const probes = await probeWhile({ address, least: 0 }, all);
  const timings = await all;
  const cpu = (cpuMs(pid) - before) / streams;
  const longest = await longestTurns(pid, plan.turns);
  const complete = timings.filter(({ text }) => /\]\(https:\/\/manual\.example\//.test(text)).length;
  console.log(
    `${streams} streams at once, ${label}: ${complete} complete with citation, ${cpu.toFixed(1)} ms CPU of the api each`,
  );
  console.log(`  first byte                     ${spread(timings.map(({ firstMs }) => firstMs))}`);
  console.log(`  whole stream                   ${spread(timings.map(({ wholeMs }) => wholeMs))}`);
  console.log(`  another request meanwhile      ${spread(probes)}, longest ${Math.max(...probes).toFixed(0)} ms`);
  console.log(`  the same request before        ${spread(quiet)}, longest ${Math.max(...quiet).toFixed(0)} ms`);
  console.log(`  CPU of the longest turns       ${longest.map((ms) => ms.toFixed(0)).join(', ')} ms`);
}

/** CPU milliseconds of the longest turns of the api's event loop since the last signal. */
async function longestTurns(pid: number, file: string): Promise<readonly number[]> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const turns = await eventually(async () => JSON.parse(await readFile(file, 'utf8')) as number[]);
  return turns.slice(0, TOLD_TURNS);
}

function spread(values: readonly number[]): string {
  return `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;
}
