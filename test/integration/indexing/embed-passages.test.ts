import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vectorSetOf } from '../../../src/core/document-vectors.ts';
import { cutPassages, DEFAULT_SOURCE_FIELDS } from '../../../src/search/cut-passages.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';
import { EMBEDDED_ENGINE, embedStore } from '../../helpers/embedding.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type FakeModelServer, startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { endpointOf } from '../../helpers/model-calls.ts';

const CRAWLER = 17;
const CHILD = fileURLToPath(new URL('../../helpers/embedding-child.ts', import.meta.url));
const ALL = { rows: 10_000, bytes: 1e9 };

let server: FakeModelServer;
beforeAll(async () => {
  server = await startFakeModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function openStore() {
  const opened = await temporaryEngineStores();
  return { ...opened, store: await opened.stores.of(EMBEDDED_ENGINE.id) };
}

const put = (store: EngineStore, texts: Readonly<Record<string, string>>, title = 'Library') =>
  store.putDocuments(
    CRAWLER,
    Object.entries(texts).map(([id, text]) => ({
      id,
      kind: 'PageContent',
      origin: 'pushed',
      language: 'en',
      fields: new Map([
        ['Title', [title]],
        ['Content', [text]],
      ]),
    })),
    1,
  );
/** Paragraphs of 120 words: each a passage. */
const paragraphs = (words: readonly string[]) => words.map((word) => `${`${word} `.repeat(119)}${word}.`).join('\n\n');
const named = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}`);
const embed = (store: EngineStore, model = 'ok') => embedStore(store, { endpoint: endpointOf(server), model });
/** First words of what was embedded behind the title since, call by call. */
function sentSince(calls: number, model = 'ok') {
  return server.calls
    .slice(calls)
    .filter(({ mode }) => mode === model)
    .map(({ input }) => input.map((text) => text.split(/\s/)[1]));
}
const setOf = (model: string) => vectorSetOf(model);

/** Ids of live documents whose passages do not all have a vector of their version. */
async function incomplete(store: EngineStore, model: string): Promise<readonly string[]> {
  const live = (await store.changesAfter(0, ALL)).filter(({ deleted }) => !deleted);
  const vectors = await store.readVectors(
    setOf(model),
    live.map(({ rid }) => rid),
  );
  const byRid = new Map(vectors.map((each) => [each.rid, each]));
  return live
    .filter((row) => {
      const rules = { language: 'en', sourceFields: DEFAULT_SOURCE_FIELDS, isInjected: () => false };
      const hashes = [...cutPassages(row, rules)].map(({ hash }) => hash);
      const own = byRid.get(row.rid);
      return own?.seq !== row.seq || own.hashes.join() !== hashes.join();
    })
    .map(({ id }) => id);
}

test('new and changed passages are embedded once, in calls of at most 64 texts, with their title', async () => {
  await using opened = await openStore();
  const { store } = opened;
  const words = named('word', 90);
  await put(store, { a: paragraphs(['one', 'two']), b: paragraphs(['three', 'three']), long: paragraphs(words) });
  const before = server.calls.length;
  await embed(store);
  expect(sentSince(before)).toEqual([['one', 'two', 'three'], words.slice(0, 64), words.slice(64)]);
  expect(await incomplete(store, 'ok')).toEqual([]);
  expect(server.calls.at(-1)?.input[0]).toMatch(/^Library\nword64 /);

  await put(store, { a: paragraphs(['one', 'four']), b: paragraphs(['three']) });
  const later = server.calls.length;
  await embed(store);
  await embed(store);
  expect(sentSince(later)).toEqual([['four']]);
  expect(await incomplete(store, 'ok')).toEqual([]);
});

test('a new title is part of what a passage says; a document without passages, and one that is gone, have none', async () => {
  await using opened = await openStore();
  const { store } = opened;
  await put(store, { a: paragraphs(['one']), b: paragraphs(['two']), c: paragraphs(['three']) });
  await embed(store);
  const before = server.calls.length;
  await put(store, { a: paragraphs(['one']) }, 'Archive');
  await put(store, { b: '' });
  await store.deleteDocuments(CRAWLER, ['c'], 2);
  await embed(store);
  await store.purgeDeleted(await store.lastSeq(), 10);
  expect(sentSince(before)).toEqual([['one']]);
  const a = await store.findDocument(CRAWLER, 'a');
  expect(await store.vectorRids(setOf('ok'))).toEqual([a?.rid]);
});

test('while the model is away nothing is lost and nothing is embedded twice', async () => {
  await using opened = await openStore();
  const { store } = opened;
  await put(store, { a: paragraphs(named('one', 40)), b: paragraphs(named('two', 40)) });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(embed(store, 'flaky:2')).rejects.toMatchObject({ code: 'llm.unavailable' });
    expect(await store.vectorSeq(setOf('flaky:2'))).toBe(0);
  }
  await embed(store, 'flaky:2');
  expect(sentSince(0, 'flaky:2').map((texts) => texts.length)).toEqual([40, 40, 40, 40]);
  expect(await incomplete(store, 'flaky:2')).toEqual([]);
});

test('a text that the model refuses has no vector, the others have theirs', async () => {
  await using opened = await openStore();
  const { store } = opened;
  await put(store, { a: paragraphs(['one', 'unspeakable', 'three']), b: paragraphs(['four']) });
  await embed(store, 'choosy');
  const [a, b] = await store.readVectors(setOf('choosy'), [1, 2]);
  expect([a?.hashes.length, b?.hashes.length]).toEqual([2, 1]);
});

test('a model that takes no text at all is away', async () => {
  await using opened = await openStore();
  await put(opened.store, { a: paragraphs(['one']) });
  await expect(embed(opened.store, 'zero-vectors')).rejects.toMatchObject({ code: 'llm.unavailable' });
  expect(await opened.store.vectorSeq(setOf('zero-vectors'))).toBe(0);
});

test('answers that are too long are asked for in halves, and so are later ones', async () => {
  await using opened = await openStore();
  const { store } = opened;
  await put(store, { a: paragraphs(named('one', 60)), b: paragraphs(named('two', 60)) });
  await embed(store, 'at-most:20');
  expect(sentSince(0, 'at-most:20').map((texts) => texts.length)).toEqual([60, 30, 15, 15, 15, 15, 15, 15, 15, 15]);
  expect(await incomplete(store, 'at-most:20')).toEqual([]);
});

test('vectors of another model stay, and its set the complete one, until those of the new one are complete', async () => {
  await using opened = await openStore();
  const { store } = opened;
  await put(store, { a: paragraphs(['one']), b: paragraphs(['two']) });
  await embed(store, 'ok');
  expect(await store.completeVectorSet()).toBe(setOf('ok'));
  await expect(embed(store, 'http:503')).rejects.toMatchObject({ code: 'llm.unavailable' });
  expect([await store.completeVectorSet(), await incomplete(store, 'ok')]).toEqual([setOf('ok'), []]);
  await embed(store, 'ok-too');
  expect([await store.completeVectorSet(), await incomplete(store, 'ok-too')]).toEqual([setOf('ok-too'), []]);
  expect(await store.vectorRids(setOf('ok'))).toEqual([]);
});

test('kill -9 while passages are embedded costs the calls of one step', async () => {
  await using opened = await openStore();
  const { store, dataDir } = opened;
  const documents = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`d${at}`, paragraphs(named(`w${at}x`, 30))]),
  );
  await put(store, documents);
  const before = server.calls.length;
  const kills = 2;
  for (let kill = 1; kill <= kills; kill++) {
    const reached = await store.vectorSeq(setOf('ok'));
    const child = spawn(process.execPath, [CHILD, dataDir, server.baseUrl], { stdio: 'ignore' });
    await eventually(async () => (await store.vectorSeq(setOf('ok'))) > reached, 30_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await embed(store);
  expect(await incomplete(store, 'ok')).toEqual([]);
  const sent = sentSince(before).flat();
  expect(new Set(sent).size).toBe(1_200);
  expect(sent.length).toBeLessThanOrEqual(1_200 + kills * 64);
});
