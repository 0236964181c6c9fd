import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { steadyClock, systemClock } from '../core/clock.ts';
import type { StoredDocument } from '../core/document.ts';
import { AppError, invalidRequest, toAppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Log } from '../observability/logger.ts';
import { type EmbeddedIndex, openEmbeddedIndex } from '../search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../search-index/embedded/writer.ts';
import type { IndexSource, IndexWriter } from '../search-index/index-writer.ts';
import type { Connection } from '../search-index/opensearch/connection.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { monotonicMs, type RoleContext } from './role.ts';
import { indexFolder } from './stores.ts';

type ReadDocuments = (engineId: number, rids: readonly number[]) => Promise<readonly (StoredDocument | undefined)[]>;

/** The index that the configuration names, with what health and metrics ask of it. */
export type ServedIndex = SearchIndex &
  Pick<EmbeddedIndex, 'repairOf' | 'replacedThreads'> & {
    /** What holds the index, in words; absent = the data folder. */
    readonly servers?: () => Promise<string>;
    /** Why its servers answer no searches, in words; absent = there are none. */
    readonly fault?: () => Promise<string | undefined>;
  };

type Context = Pick<RoleContext, 'config' | 'log' | 'metrics'>;
type Source = { readonly engineStores: EngineStores; readonly readDocuments: ReadDocuments };

/** Opens the index of all engines for reading: on servers when `OPENSEARCH_URL` is set, else in `DATA_DIR`. */
export async function openSearchIndex(
  stack: AsyncDisposableStack,
  context: Context,
  source: Source,
): Promise<ServedIndex> {
  return context.config.OPENSEARCH_URL === undefined
    ? openEmbedded(stack, context, source)
    : openOnServers(stack, context);
}

function openEmbedded(stack: AsyncDisposableStack, { config, log, metrics }: Context, source: Source): ServedIndex {
  const { engineStores, readDocuments } = source;
  const searchIndex = stack.use(
    openEmbeddedIndex({
      clock: steadyClock,
      log,
      readDocuments,
      storeOf: engineStores.of,
      directoryOf: (engineId) => indexFolder(config.DATA_DIR, engineId),
      threads: config.SEARCH_THREADS,
      memoryBytes: config.INDEX_MEMORY_MB * 2 ** 20,
    }),
  );
  metrics.watchIndexMemory(searchIndex.residentBytes);
  metrics.watchReplacedThreads(() => searchIndex.replacedThreads().count);
  return searchIndex;
}

async function openOnServers(stack: AsyncDisposableStack, { config, log }: Context): Promise<ServedIndex> {
  const connection = await connectServers(stack, config, log);
  const { openOpenSearchIndex } = await import('../search-index/opensearch/opensearch-index.ts');
  const index = stack.use(
    openOpenSearchIndex({ connection, indexPrefix: config.OPENSEARCH_INDEX_PREFIX, monotonicMs }),
  );
  const { readIndexFault, readServerVersion } = await import('../search-index/opensearch/server-version.ts');
  return {
    ...index,
    // What no server answers is an error of each search, and nothing that is being made here.
    repairOf: async () => undefined,
    replacedThreads: () => ({ count: 0, engineId: undefined }),
    servers: () =>
      readServerVersion(connection).then(
        ({ number }) => `OpenSearch ${number}`,
        (error: unknown) => `OpenSearch, which is away: ${toAppError(error).message}`,
      ),
    fault: () => readIndexFault(connection, config.OPENSEARCH_INDEX_PREFIX),
  };
}

export type OpenWriter = (engine: Engine, source: IndexSource) => Promise<IndexWriter>;

export type IndexWriting = {
  /** The one writer of an engine's index; its caller disposes it. */
  readonly openWriter: OpenWriter;
  /** Removes what is left of the index of an engine that is no more; absent = it went with the engine's folder. */
  readonly removeIndex?: (engineId: number) => Promise<void>;
};

/** How indexes are written: on servers when `OPENSEARCH_URL` is set, else in `DATA_DIR`. */
export async function indexWriting(stack: AsyncDisposableStack, config: Config, log: Log): Promise<IndexWriting> {
  if (config.OPENSEARCH_URL === undefined) {
    return {
      openWriter: (engine, source) =>
        openEmbeddedWriter({
          directory: indexFolder(config.DATA_DIR, engine.id),
          source,
          language: engine.language,
          clock: systemClock,
          log: log.child({ engineId: engine.id }),
        }),
    };
  }
  const connection = await connectServers(stack, config, log);
  const { openOpenSearchWriter } = await import('../search-index/opensearch/write/writer.ts');
  const { removeIndices } = await import('../search-index/opensearch/write/indices.ts');
  const { aliasOf } = await import('../search-index/opensearch/index-layout.ts');
  const { OPENSEARCH_INDEX_PREFIX: indexPrefix, OPENSEARCH_SHARDS: shards, OPENSEARCH_REPLICAS: replicas } = config;
  return {
    openWriter: ({ id: engineId }, source) =>
      openOpenSearchWriter({
        connection,
        indexPrefix,
        engineId,
        source,
        log: log.child({ engineId }),
        shards,
        replicas,
      }),
    removeIndex: (engineId) => removeIndices(connection, aliasOf(indexPrefix, engineId)),
  };
}

/** Why the servers that the configuration names cannot be used, in words. */
export async function indexServerFault(config: Config): Promise<string | undefined> {
  const { readIndexFault } = await import('../search-index/opensearch/server-version.ts');
  await using connection = await connectionOf(config);
  return await readIndexFault(connection, config.OPENSEARCH_INDEX_PREFIX);
}

async function connectionOf(config: Config): Promise<Connection> {
  const { connect } = await import('../search-index/opensearch/connection.ts');
  const { OPENSEARCH_URL: nodes = [], OPENSEARCH_API_KEY: apiKey, OPENSEARCH_CA_FILE: caFile } = config;
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  return connect({ nodes, apiKey, ca });
}

/** Servers that are away are waited for by each call; those that refuse us or are too old are told of at once. */
async function connectServers(stack: AsyncDisposableStack, config: Config, log: Log): Promise<Connection> {
  const { readServerVersion, tooOld } = await import('../search-index/opensearch/server-version.ts');
  const connection = stack.use(await connectionOf(config));
  try {
    const { number, isEnough } = await readServerVersion(connection);
    if (isEnough) log.info({ version: number }, 'index on OpenSearch');
    else {
      throw invalidRequest([{ path: 'OPENSEARCH_URL', message: tooOld(number) }]);
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'index.unavailable') throw error;
    if (error.options.details?.['reason'] === 'refused') {
      throw invalidRequest([{ path: 'OPENSEARCH_URL', message: error.message }]);
    }
    log.warn('the servers of OPENSEARCH_URL do not answer; searches fail until they do');
  }
  return connection;
}
