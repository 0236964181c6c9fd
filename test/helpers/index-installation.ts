import { readFile, writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import type { StoredDocument } from '../../src/core/document.ts';
import { type EmbeddedIndexOptions, openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { type EmbeddedWriterOptions, openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { indexSourceOf } from './index-source.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Engine whose index an installation holds. */
export const ENGINE = 6;

/** A store and an index folder that outlive the writers and readers opened on them; disposing closes the readers. */
export async function indexInstallation() {
  const folder = await temporaryFolder();
  const rows = new Map<number, StoredDocument>();
  const source = indexSourceOf(rows);
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const stack = new AsyncDisposableStack();
  stack.use(folder);
  return {
    directory: folder.path,
    rows,
    source,
    /** Messages of warnings and errors so far. */
    warnings: () => lines.filter(({ level }) => Number(level) >= 40).map(({ msg }) => String(msg)),
    openWriter: (options: Partial<EmbeddedWriterOptions> = {}) =>
      openEmbeddedWriter({
        directory: folder.path,
        source,
        language: 'en',
        clock: systemClock,
        log,
        ...options,
      }),
    openIndex: (options: Partial<EmbeddedIndexOptions> = {}) =>
      stack.use(
        openEmbeddedIndex({
          directoryOf: () => folder.path,
          threads: 0,
          clock: systemClock,
          log,
          readDocuments: (_engineId, rids) => source.readDocuments(rids),
          ...options,
        }),
      ),
    store(changes: readonly StoredDocument[]) {
      for (const change of changes) rows.set(change.rid, change);
      return changes;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Changes one byte of a file. */
export async function flipByte(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(file, bytes);
}
