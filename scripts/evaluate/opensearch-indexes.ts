import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import { indexSourceOf } from '../../test/helpers/index-source.ts';
import { startOpenSearch } from '../../test/helpers/opensearch-server.ts';
import type { OpenIndex } from './relevance/rank-corpus.ts';

const ENGINE = 1;
const DEADLINE_MS = 60_000;

/** An OpenSearch node on which indexes of rows are opened, each with names of its own. */
export async function startOpenSearchIndexes(): Promise<AsyncDisposable & { readonly openIndex: OpenIndex }> {
  await using starting = new AsyncDisposableStack();
  const server = starting.use(await startOpenSearch());
  const connection = starting.use(await connect({ nodes: [server.url], deadlineMs: DEADLINE_MS }));
  const owned = starting.move();
  return {
    async openIndex(rows) {
      await using opening = new AsyncDisposableStack();
      const indexPrefix = `evaluation-${randomBytes(6).toString('hex')}`;
      opening.defer(async () => {
        await connection.call({ method: 'DELETE', path: `/${indexPrefix}-*`, deadlineMs: DEADLINE_MS });
      });
      const source = indexSourceOf(new Map(rows.map((row) => [row.rid, row])));
      const writer = opening.use(
        await openOpenSearchWriter({
          connection,
          indexPrefix,
          engineId: ENGINE,
          source,
          log: pino({ level: 'silent' }),
          shards: 1,
          replicas: 0,
        }),
      );
      writer.apply(rows);
      await writer.refresh();
      const searchIndex = opening.use(
        openOpenSearchIndex({ connection, indexPrefix, monotonicMs: () => performance.now() }),
      );
      await searchIndex.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(DEADLINE_MS));
      const opened = opening.move();
      return { searchIndex, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
