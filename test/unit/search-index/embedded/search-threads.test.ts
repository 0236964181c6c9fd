import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/clock.ts';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../../../src/search-index/embedded/writer.ts';
import { indexSourceOf } from '../../../helpers/index-source.ts';
import { facetOf, planOf, word } from '../../../helpers/query-plans.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const log = pino({ level: 'silent' });
const ENGINE = 6;

/** An engine of many documents whose every search goes to a thread. */
async function startEngine(documents: number) {
  const folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const writer = await openEmbeddedWriter({
    ...{ directory: folder.path, source: indexSourceOf(rows), language: 'en', clock: systemClock, log },
  });
  const changes = Array.from({ length: documents }, (_, i) =>
    storedDocument({ rid: i + 1, fields: { Title: `common title ${i}`, Category: `c${i % 7}`, Unique: `value ${i}` } }),
  );
  writer.apply(changes);
  await writer.refresh();
  const index = openEmbeddedIndex({ directoryOf: () => folder.path, threads: 2, inlineNs: 0, clock: systemClock, log });
  return {
    ...{ index, writer },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await writer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const EVERY = { match: { kind: 'or', of: [word('common'), word('title')] }, facets: [facetOf('Unique')] } as const;

test('a search that runs on a thread ends with the reason of its signal within 20 ms', async () => {
  await using engine = await startEngine(20_000);
  await engine.index.search(ENGINE, planOf(EVERY), never());
  const stopped = new AbortController();
  const reason = new Error('enough');
  const searching = engine.index.search(ENGINE, planOf({ ...EVERY, limit: 10_000 }), stopped.signal);
  const started = performance.now();
  setImmediate(() => stopped.abort(reason));

  await expect(searching).rejects.toBe(reason);
  expect(performance.now() - started).toBeLessThan(200);
  expect((await engine.index.search(ENGINE, planOf(EVERY), never())).total).toBe(20_000);
});

test('a search on the calling thread ends when its time is over', async () => {
  await using folder = await temporaryFolder();
  const rows = new Map([1, 2].map((rid) => [rid, storedDocument({ rid, fields: { Title: 'common' } })]));
  await using writer = await openEmbeddedWriter({
    ...{ directory: folder.path, source: indexSourceOf(rows), language: 'en', clock: systemClock, log },
  });
  writer.apply([...rows.values()]);
  await writer.refresh();
  const options = { directoryOf: () => folder.path, threads: 0, clock: systemClock, log };
  await using hasty = openEmbeddedIndex({ ...options, inlineDeadlineMs: 0 });
  await using patient = openEmbeddedIndex(options);

  await expect(hasty.search(ENGINE, planOf(), never())).rejects.toMatchObject({ code: 'search.timeout' });
  expect((await patient.search(ENGINE, planOf(), never())).total).toBe(2);
});

test('threads follow the generations, and a forgotten engine can be opened again', async () => {
  await using engine = await startEngine(10);
  const { index, writer } = engine;
  const total = async () => (await index.search(ENGINE, planOf(EVERY), never())).total;
  expect(await Promise.all([total(), total(), total()])).toEqual([10, 10, 10]);

  writer.apply([deletedDocument(1, 11)]);
  await writer.refresh();
  await index.waitVisible(ENGINE, 11, AbortSignal.timeout(5_000));
  expect(await Promise.all([total(), total(), total()])).toEqual([9, 9, 9]);

  await index.forget(ENGINE);
  expect(await Promise.all([total(), total()])).toEqual([9, 9]);
});
