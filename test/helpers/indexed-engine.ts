import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/core/clock.ts';
import type { NewDocument } from '../../src/core/document.ts';
import { AppError } from '../../src/core/errors.ts';
import { projectEngines } from '../../src/indexing/project-engines.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import { ENGINE } from './index-installation.ts';
import { planOf, word } from './query-plans.ts';

const CRAWLER = 17;

/** Folder of the one engine that these helpers work on. */
export function engineFolder(dataDir: string): string {
  return join(dataDir, 'engines', String(ENGINE));
}

/**
 * Store and searches of an engine on a data folder, as the api has them, and its indexer once `startIndexer` is called.
 * Disposing closes all as a stop does.
 */
export async function openIndexedEngine(dataDir: string) {
  await using stack = new AsyncDisposableStack();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const writeThread = stack.use(startWriteThread(dataDir));
  const engineStores = stack.use(openEngineStores({ dataDir, writeThread }));
  const directory = join(engineFolder(dataDir), 'index');
  const options = { clock: systemClock, log };
  const store = await engineStores.of(ENGINE);
  const index = stack.use(
    openEmbeddedIndex({
      ...options,
      threads: 0,
      directoryOf: () => directory,
      storeOf: engineStores.of,
      readDocuments: (_engineId, rids) => store.readDocuments(rids),
    }),
  );
  const search = async (text: string) => {
    const plan = planOf({ limit: 1_000, ...(text !== '*' && { match: word(text) }) });
    const { total, hits } = await index.search(ENGINE, plan, new AbortController().signal);
    const documents = await store.readDocuments(hits.map(({ rid }) => rid));
    return { total, titles: documents.map((document) => document?.fields.get('Title')?.[0]) };
  };
  const owned = stack.move();
  return {
    index,
    store,
    search,
    lines,
    /** Documents of which each says the word; resolves when they are found (`refresh=wait`), or after 5 s. */
    async put(said: string, count: number, { wait }: { readonly wait: boolean }) {
      const documents = Array.from({ length: count }, (_, i) => documentOf(`${said}-${i}`, said));
      const { seq } = await store.putDocuments(CRAWLER, documents, 1);
      return wait && (await index.waitVisible(ENGINE, seq, AbortSignal.timeout(5_000)));
    },
    startIndexer() {
      const stop = new AbortController();
      const engine = { id: ENGINE, language: 'en' };
      const running = projectEngines(
        {
          accounts: { listEngines: async () => [engine as never], changeToken: () => 1 },
          engineStores,
          openWriter: async (_engine, source) => openEmbeddedWriter({ ...options, directory, source, language: 'en' }),
          log,
          refreshMs: 10,
          monotonicMs: () => performance.now(),
        },
        stop.signal,
      );
      owned.defer(async () => {
        stop.abort();
        await running;
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export type IndexedEngine = Awaited<ReturnType<typeof openIndexedEngine>>;

/** Whether an error says that the index is being repaired; every other one is thrown. */
export function isRepair(error: unknown): boolean {
  if (error instanceof AppError && error.code === 'index.corrupt') return true;
  throw error;
}

function documentOf(id: string, said: string): NewDocument {
  return { id, kind: 'PageContent', origin: 'pushed', language: 'en', fields: new Map([['Title', [`${said} ${id}`]]]) };
}
