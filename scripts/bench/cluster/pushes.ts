import { setTimeout as rest } from 'node:timers/promises';
import { eventually } from '../../../test/helpers/eventually.ts';
import type { RunningProduct } from '../../../test/helpers/processes.ts';
import { percentile } from '../answers/percentile.ts';
import { markdownRow } from '../crawl/markdown.ts';
import { type GeneratedDocument, generateCorpus } from '../generate-corpus.ts';
import { pushBatch, search, startInstallation, TIERS, type Tier } from './installation.ts';

/** Bar. */
const MOST_VISIBLE_MS = 1_500;

const FAST_BATCH = 500;
/** Clients that push without a pause. */
const CLIENTS = 2;
const PACED_BATCH = 100;
const PACED_PER_SECOND = 1_000;
/** Looked at less often, a pushed document would seem to be found later than it is. */
const LOOK_EVERY_MS = 10;
const VISIBLE_WITHIN_MS = 600_000;
/** Begins the ids of documents that are none of those that were pushed before. */
const PACED_SITE = 'https://paced.example/';

/**
 * Pushes generated documents of 156 words by batches over HTTP to the whole product, on fresh stores of each kind; prints
 * a table, resolves with the bars that were missed. First as fast as two clients are acknowledged; then, when all of
 * those can be searched, 1,000 documents a second: a batch of 100 each 100 ms by the clock, sent when its time has come
 * also where those before are not acknowledged yet. Visibility is the time from the acknowledgement of a batch until a
 * search finds its last document by its own word. The batches are looked for one after the other, so that
 * searching costs the same however many wait; it makes figures larger, never smaller.
 */
export async function measurePushes(documents: number): Promise<readonly string[]> {
  console.log(`## Pushes of ${documents} documents\n`);
  const head = ['Stores', 'documents/s', 'all found after', 'paced documents/s', 'visible p50 ms', 'p99 ms', 'most ms'];
  for (const row of [head, head.map(() => '---')]) console.log(markdownRow(row));
  const misses: string[] = [];
  for (const tier of ['sqlite', 'postgres', 'cluster'] as const) {
    const { fast, paced } = await measureTier(tier, documents);
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(paced.visibleMs, share));
    const cells = [fast.perSecond, fast.visibleMs, paced.perSecond, p50, p99, most].map((n = 0) => n.toFixed(0));
    console.log(markdownRow([TIERS[tier].title, ...cells]));
    if (!((p99 ?? 0) <= MOST_VISIBLE_MS)) {
      misses.push(`${TIERS[tier].title}: visible after ${p99?.toFixed(0)} ms at p99, the bar is ${MOST_VISIBLE_MS}`);
    }
  }
  console.log('');
  return misses;
}

async function measureTier(tier: Tier, documents: number) {
  await using installation = await startInstallation(tier);
  const { product } = installation;
  const fast = await pushFast(product, documents);
  return { fast, paced: await pushPaced(product, documents) };
}

/** Documents a second until the last is acknowledged, and the time from then until a search finds all. */
async function pushFast(product: RunningProduct, documents: number) {
  const batches = batchesOf([...generateCorpus(documents)].map(pushed), FAST_BATCH).values();
  const client = async () => {
    for (const batch of batches) await pushBatch(product, batch);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const acknowledgedAt = performance.now();
  await eventually(async () => (await search(product, '*')).total >= documents, VISIBLE_WITHIN_MS);
  return {
    perSecond: (documents / (acknowledgedAt - startedAt)) * 1_000,
    visibleMs: performance.now() - acknowledgedAt,
  };
}

type Acknowledged = { readonly id: string; readonly word: string; readonly at: number };

/** Documents a second that were acknowledged, and of each batch the time until it was visible. */
async function pushPaced(product: RunningProduct, documents: number) {
  const corpus = [...generateCorpus(documents, 2)].map((document, at) => ({
    ...pushed(document),
    id: `${PACED_SITE}${at}`,
  }));
  const batches = batchesOf(corpus, PACED_BATCH);
  const acknowledged: Promise<Acknowledged>[] = [];
  const visible: Promise<number>[] = [];
  const startedAt = performance.now();
  let looked: Promise<unknown> = Promise.resolve();
  for (const [at, batch] of batches.entries()) {
    const dueAt = startedAt + (at * PACED_BATCH * 1_000) / PACED_PER_SECOND;
    await rest(Math.max(0, dueAt - performance.now()));
    const sent = push(product, batch, wordOf(at));
    const found = looked.then(async () => visibleAfter(product, await sent));
    acknowledged.push(sent);
    visible.push(found);
    looked = found;
  }
  const ends = (await Promise.all(acknowledged)).map(({ at }) => at);
  return {
    perSecond: (documents / (Math.max(...ends) - startedAt)) * 1_000,
    visibleMs: await Promise.all(visible),
  };
}

type PushedDocument = ReturnType<typeof pushed>;

async function push(product: RunningProduct, batch: readonly PushedDocument[], word: string): Promise<Acknowledged> {
  const last = batch.at(-1);
  if (last === undefined) throw new Error('An empty batch');
  const marked = { ...last, fields: { ...last.fields, Title: `${last.fields.Title} ${word}` } };
  await pushBatch(product, [...batch.slice(0, -1), marked]);
  return { id: last.id, word, at: performance.now() };
}

async function visibleAfter(product: RunningProduct, { id, word, at }: Acknowledged): Promise<number> {
  const endAt = performance.now() + VISIBLE_WITHIN_MS;
  while ((await search(product, `"${word}"`)).firstId !== id) {
    if (performance.now() > endAt) throw new Error(`${id} is acknowledged, and no search finds it`);
    await rest(LOOK_EVERY_MS);
  }
  return performance.now() - at;
}

/** A word of letters that no other batch and no text has, long and unlike those of other batches. */
function wordOf(batch: number): string {
  const digits = ((batch + 1) * 7_919_191).toString(26).padStart(7, '0');
  return `zq${[...digits].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}`;
}

function pushed({ id, title, description, content, category }: GeneratedDocument) {
  return { id, fields: { Title: title, Url: id, Description: description, Content: content, Category: category } };
}

function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
