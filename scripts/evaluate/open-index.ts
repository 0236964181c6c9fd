import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import type { StoredDocument } from '../../src/core/document.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { indexSourceOf } from '../../test/helpers/index-source.ts';

/**
 * An embedded index of the rows, for any engine id, in a folder of its own that goes when it is disposed. `language` is
 * that of the engine.
 */
export async function openIndexOf(
  rows: readonly StoredDocument[],
  language: string,
): Promise<AsyncDisposable & { readonly searchIndex: SearchIndex }> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'fossick-evaluation-'));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const source = indexSourceOf(new Map(rows.map((row) => [row.rid, row])));
  const common = { clock: systemClock, log: pino({ level: 'silent' }) };
  const writer = opening.use(await openEmbeddedWriter({ ...common, directory, source, language }));
  writer.apply(rows);
  await writer.refresh();
  // The first refresh has learned the words of compounds; documents have their parts from the next indexing on.
  await writer.rebuild('words of compounds');
  const searchIndex = opening.use(openEmbeddedIndex({ ...common, directoryOf: () => directory, threads: 0 }));
  const opened = opening.move();
  return { searchIndex, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
