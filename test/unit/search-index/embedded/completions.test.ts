import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { PENDING_COMPLETIONS } from '../../../../src/search-index/completions.ts';
import { cacheCompletions } from '../../../../src/search-index/embedded/completions/completion-cache.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { emptySnapshot, type Snapshot } from '../../../../src/search-index/embedded/read/snapshot.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;

/** A clock that stands still until it is set. */
const clock = {
  at: 1_000,
  now: () => clock.at,
};

/** An engine whose completions are made on a thread. */
async function startEngine() {
  const folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const options = { directory: folder.path, source: indexSourceOf(rows), language: 'en', clock, log };
  const writer = await openEmbeddedWriter(options);
  const index = openEmbeddedIndex({
    directoryOf: () => folder.path,
    threads: 0,
    inlineCompletionDocuments: 0,
    clock,
    log,
  });
  const publish = async (rid: number, title: string) => {
    writer.apply([storedDocument({ rid, fields: { Title: title } })]);
    await writer.refresh();
    await index.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(10_000));
  };
  const complete = async (text: string) =>
    (await index.completions(ENGINE, text, { limit: 5, except: [] })).items.map((item) => item.text);
  return {
    publish,
    complete,
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await writer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a thread makes the first completions, and newer ones while the present ones serve', async () => {
  await using engine = await startEngine();
  await engine.publish(1, 'Solar panels');
  await eventually(async () => (await engine.complete('solar')).length > 0);
  expect(await engine.complete('solar')).toEqual(['Solar panels']);

  await engine.publish(2, 'Solar park');
  expect(await engine.complete('solar')).toEqual(['Solar panels']);

  clock.at += 60_000;
  const renewed = await eventually(async () => {
    const texts = await engine.complete('solar');
    return texts.length > 1 ? texts : undefined;
  });
  expect(renewed).toEqual(['Solar', 'Solar panels', 'Solar park']);
});

test('callers of a new engine share one build', async () => {
  await using engine = await startEngine();
  await engine.publish(1, 'Solar panels');

  const answers = await Promise.all(Array.from({ length: 20 }, () => engine.complete('sol')));

  expect(new Set(answers.map((texts) => texts.join()))).toEqual(new Set(['Solar panels']));
});

test('an engine that is closed while its completions are made ends them', async () => {
  const engine = await startEngine();
  await engine.publish(1, 'Solar panels');
  const pending = engine.complete('sol').catch((error: unknown) => error);

  await engine[Symbol.asyncDispose]();

  expect(await pending).toSatisfy((answer) => Array.isArray(answer) || answer instanceof Error);
});

test('a first list that takes long is not waited for: there are no completions until it is made', async () => {
  const snapshot = { ...emptySnapshot(ENGINE), live: 1_000 };
  const made = Promise.withResolvers<Snapshot>();
  const current = async () => snapshot;
  await using kept = cacheCompletions({
    current,
    loaded: () => made.promise,
    clock,
    log,
    inlineDocuments: 0,
    firstWaitMs: 1,
    openOf: () => {
      throw new Error('there is no segment');
    },
  });

  expect(await kept.complete('solar', { limit: 5, except: [] })).toEqual(PENDING_COMPLETIONS);

  made.resolve(snapshot);
});
