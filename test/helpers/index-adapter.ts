import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { StoredDocument } from '../../src/core/document.ts';
import type { Log } from '../../src/observability/logger.ts';
import { openEmbeddedIndex } from '../../src/search-index/embedded/embedded-index.ts';
import { openEmbeddedWriter } from '../../src/search-index/embedded/writer.ts';
import type { IndexSource, IndexWriter } from '../../src/search-index/index-writer.ts';
import { connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import type { EngineStores } from '../../src/storage/engine-store.ts';

type IndexOptions = {
  readonly dataDir: string;
  readonly threads: number;
  readonly log: Log;
  readonly engineStores: EngineStores;
  readonly readDocuments: (
    engineId: number,
    rids: readonly number[],
  ) => Promise<readonly (StoredDocument | undefined)[]>;
};

type OpenedIndex = {
  readonly searchIndex: SearchIndex;
  /** The one writer of an engine; its caller disposes it. */
  readonly openWriter: (engineId: number, source: IndexSource) => Promise<IndexWriter>;
};

/** Opens the index of all engines of a product; what it leaves goes with the stack. */
type OpenIndex = (stack: AsyncDisposableStack, options: IndexOptions) => Promise<OpenedIndex>;

const LANGUAGE = 'en';
/** Of each call, on a machine that has other work. */
const DEADLINE_MS = 60_000;

const embedded: OpenIndex = async (stack, { dataDir, threads, log, engineStores, readDocuments }) => {
  const directoryOf = (engineId: number) => join(dataDir, 'engines', String(engineId), 'index');
  const searchIndex = stack.use(
    openEmbeddedIndex({ directoryOf, threads, clock: systemClock, log, readDocuments, storeOf: engineStores.of }),
  );
  const openWriter = (engineId: number, source: IndexSource) =>
    openEmbeddedWriter({ directory: directoryOf(engineId), source, language: LANGUAGE, clock: systemClock, log });
  return { searchIndex, openWriter };
};

const opensearch: OpenIndex = async (stack, { log }) => {
  const connection = stack.use(await connect({ nodes: [inject('openSearchUrl')], deadlineMs: DEADLINE_MS }));
  const indexPrefix = `test-${randomBytes(6).toString('hex')}`;
  stack.defer(async () => {
    await connection.call({ method: 'DELETE', path: `/${indexPrefix}-*`, deadlineMs: DEADLINE_MS });
  });
  const searchIndex = stack.use(openOpenSearchIndex({ connection, indexPrefix, monotonicMs: () => performance.now() }));
  const layout = { shards: 1, replicas: 0 };
  const openWriter = (engineId: number, source: IndexSource) =>
    openOpenSearchWriter({ connection, indexPrefix, engineId, source, log, ...layout });
  return { searchIndex, openWriter };
};

/** That of the project whose test this is (vitest.config.ts). */
export const openTestIndex = process.env['TEST_INDEX'] === 'opensearch' ? opensearch : embedded;
